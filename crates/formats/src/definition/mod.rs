//! Finds what defines a gate's command: the scripts of manifests, recipes, configurations, scripts and
//! programs by which it decides, and of each file only the part that counts.
//!
//! The resolver starts from the words of the command and asks for files by name; it reads no disk. What
//! it cannot take apart counts as a whole file. Everything is bounded: scripts are followed
//! [`MAX_SCRIPT_DEPTH`] deep, at most [`MAX_SCRIPT_FILES`] of them.
//!
//! Which names are runners, and which files they read, is the table in [`sprag_core::runners`]. The
//! files here hold what a table cannot say, one family a file.
//!
//! A command whose exit decides is a check. One whose output is looked at, by a pipe into `grep` or a
//! substitution, is the subject of the check: its files are what is worked on, and do not count.

mod cargo;
mod checks;
mod ci;
mod command;
mod config;
mod conftest;
mod files;
mod gradle;
mod just;
mod make;
mod maven;
mod node;
mod paths;
mod process_calls;
mod program;
mod pytest;
mod python;
mod rake;
mod read;
mod references;
mod resolver;
mod script;
mod settings;
mod steps;
mod task;
mod task_tables;
mod ways;
mod workspaces;

pub use conftest::{ConftestPower, conftest_powers};
pub use files::{FileContent, ProjectFiles};
pub use resolver::{MAX_SCRIPT_DEPTH, MAX_SCRIPT_FILES, definition, workflow_definition};

#[cfg(test)]
mod tests;
