//! Workflow definitions as files: a folder each, with `workflow.yaml` and Markdown phases.
//!
//! This module does not access the disk: a tier is a [`Folder`] that returns texts by path, and
//! [`Tier`] is one in memory. [`load`] reads every workflow of every tier, [`load_one`] one
//! workflow and those that it refers to. Both report every problem with its place. An invalid
//! workflow never hides another, and no path is followed out of its tier.

mod file;
mod gates;
mod load;
mod phase;
mod problem;
mod source;
mod tier;

#[cfg(test)]
mod tests;

pub use load::{Loaded, ReadWorkflows, Share, load, load_one, load_shares, read, read_share};
pub use phase::read_phase;
pub(crate) use problem::ProblemPosition;
pub use problem::{Problem, Weight};
pub use source::WorkflowSource;
pub use tier::{Folder, PathEntry, Tier, Way};
