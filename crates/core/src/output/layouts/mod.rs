//! Layouts in which the name of a failure is spread over several lines.

mod headings;
mod numbered;
mod python;
mod rustc;
mod tap;
mod tree;

pub(super) use headings::{catch2, gtest, robot, surefire};
pub(super) use numbered::{mocha, numbered_name};
pub(super) use python::unittest;
pub(super) use rustc::rustc;
pub(super) use tap::{prove, tap};
pub(super) use tree::node;

/// Returns the number of blanks that a line begins with.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
