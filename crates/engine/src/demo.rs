//! A short story in a scratch folder, in which everything that is said has just happened.
//!
//! A process commits two documents together, over and over, and says so after each commit. It is
//! killed with -9 at a random moment, many times. Then a person edits a document, and a write to
//! the journal is torn. After each of these the documents are read and held against what was said.

mod story;
mod writer;

pub use story::{Broken, Demo};
pub use writer::{WRITER, write_on};
