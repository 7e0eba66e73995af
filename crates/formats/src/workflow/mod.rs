//! Workflow definitions as files: a folder each, with `workflow.yaml` and Markdown phases.
//!
//! The disk is read elsewhere: a tier is a [`Folder`] that is asked for texts by their paths, and
//! [`Tier`] is one in memory. [`load`] reads every workflow of every tier, [`load_one`] one with
//! those it refers to; both report every problem with its place. One bad workflow never hides
//! another, and nothing here follows a path out of its tier.

mod file;
mod gates;
mod load;
mod phase;
mod problem;
mod source;
mod tier;

#[cfg(test)]
mod tests;

pub use load::{Loaded, Read, Share, load, load_one, load_shares, read, read_share};
pub use phase::read_phase;
pub(crate) use problem::Spot;
pub use problem::{Problem, Weight};
pub use source::Source;
pub use tier::{Folder, Found, Tier, Way};
