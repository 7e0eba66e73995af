//! Defines a gate's command: the parts of files that decide what the command does, each with a
//! hash.
//!
//! `sprag-formats` finds the parts ([`GateDefinition`]); [`changes`] compares two definitions.
//! Nothing here reads a file.

mod changes;
mod lines;
mod part;

pub use changes::{PartChange, changes};
pub use lines::{ScriptLine, ScriptLines};
pub use part::{DefinedPart, GateDefinition, KnownThen, NamedTests, PartKey, PartRole, WhenNew};

#[cfg(test)]
mod tests;
