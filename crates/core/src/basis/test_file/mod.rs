//! Recognizes tests and compares their versions.
//!
//! Everything here is a pure function of names and bytes. Each function is strict: a text that
//! cannot be parsed with certainty counts as changed.

mod block;
mod changed;
mod gate;
mod grown;
mod harm;
mod imports;
mod language;
mod lines;
mod moved;
mod name;
mod passed_over;
mod reach;
mod rust_splice;
mod rust_tests;
mod same;
mod scan;
mod snapshot;

#[cfg(test)]
mod tests;

pub use changed::{LARGEST, LineCounts, compare, lines};
pub use gate::{only_looks, rests_on_tests};
pub use moved::{PythonFolders, moved};
pub use name::{is_document, is_marked_test, is_test, is_test_code};
pub use reach::reaches_other_tests;
pub use rust_splice::with_rust_tests;
pub use rust_tests::rust_tests;
