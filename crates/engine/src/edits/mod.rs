//! A person's uncommitted edits, and what became of them.

pub(crate) mod away;
pub(crate) mod persons;
mod run_baseline;

pub(crate) use away::MadeApart;
pub(crate) use persons::{EditState, LeftFile, PersonsEdits};
pub(crate) use run_baseline::{EditsLeft, RunBaseline};
