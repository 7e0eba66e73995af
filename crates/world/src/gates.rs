//! Evaluates the check of a gate, and fingerprints the files that a gate protects.
//!
//! The engine decides which gates are evaluated, whether their commands may run, and what a result
//! is worth.

use sprag_core::DocPath;

mod check;
mod file;
pub mod protect;

pub use check::{CheckOutcome, Checker};

/// Formats a path for a message.
fn shown(path: &DocPath) -> String {
    format!("`{path}`")
}
