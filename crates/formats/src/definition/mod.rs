//! Finds the definition of a gate's command: the manifest scripts, recipes, configurations, scripts
//! and programs that determine its outcome, and of each file only the relevant part.
//!
//! The resolver starts from the words of the command and requests files by name; it does not read
//! the disk itself. A file that it cannot parse counts as a whole. Everything is bounded: scripts
//! are followed [`MAX_SCRIPT_DEPTH`] deep, at most [`MAX_SCRIPT_FILES`] of them.
//!
//! The table in [`sprag_core::runners`] lists the known runners and their files. The files here
//! contain what a table cannot express, one family per file.
//!
//! A command whose exit code determines the outcome is a check. A command whose output is
//! inspected, by a pipe into `grep` or a substitution, is the subject of the check: its files are
//! the agent's work, and do not count.

mod cargo;
mod checks;
mod ci;
mod command;
mod compared;
mod computed;
mod config;
mod conftest;
mod django;
mod environment;
mod files;
mod gradle;
mod helpers;
mod hiding;
mod just;
mod lines;
mod make;
mod maven;
mod node;
mod operands;
mod output;
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
