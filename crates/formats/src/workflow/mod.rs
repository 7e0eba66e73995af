//! Workflow definitions as files: a folder each, with `workflow.yaml` and Markdown phases.
//!
//! The disk is read elsewhere; here a [`Tier`] is a snapshot of one `workflows` folder. [`load`]
//! reads every workflow of every tier and reports every problem with its place. One bad workflow
//! never hides another, and nothing here follows a path out of its tier.

mod file;
mod gates;
mod load;
mod phase;
mod problem;
mod tier;

#[cfg(test)]
mod tests;

pub use load::{Loaded, Read, load, read};
pub use problem::{Problem, Weight};
pub use tier::{Found, Tier};
