//! What defines a gate's command: the parts of files by which the command decides, each with a hash.
//!
//! `sprag-formats` finds the parts ([`GateDefinition`]); [`changes`] compares those of then with
//! those of now. Nothing here reads a file.

mod changes;
mod part;

pub use changes::{PartChange, changes};
pub use part::{DefinedPart, GateDefinition, KnownThen, PartKey, PartRole, WhenNew};

#[cfg(test)]
mod tests;
