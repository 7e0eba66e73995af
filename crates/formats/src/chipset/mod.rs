//! The documents under `.chipset/state/`: assignments, units of work, agents, mail, nudges, and
//! further records.
//!
//! Assignments have two dialects and mail has two shapes. A document is written back in its own
//! dialect, and an edit touches only its own values. A new document matches the original's format
//! byte for byte: sorted keys, two spaces of indentation, a final line end. A contradictory
//! document is a fault, never "no work".

mod agent;
mod bead;
mod dispatch;
mod hook;
mod laid;
mod mail;
mod nudge;
mod records;
mod work;

pub use agent::AgentFile;
pub use bead::{Bead, Conflict, beads};
pub use dispatch::{Dispatch, DispatchStage};
pub use hook::{Dialect, Hook};
pub use laid::{Laid, lay};
pub use mail::{Letter, Mail, Shape};
pub use nudge::Nudge;
pub use records::{Convoy, Handoff, Logged, MergeRequest, logged};
pub use work::WorkFile;

use crate::document::{Document, Format};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;

/// Parses a document whose root must be a map.
fn map(text: &str) -> Result<Document<'_>, Fault> {
    let document = Document::parse(Format::Json, text)?;
    document.top().entries()?;
    Ok(document)
}

fn text(top: &Field<'_>, key: &str) -> Result<String, Fault> {
    Ok(top.need(&[key])?.as_str()?.to_owned())
}

/// Reads an optional string. A value of another type is still a fault.
fn optional(top: &Field<'_>, key: &str) -> Result<Option<String>, Fault> {
    top.optional(&[key]).map(|field| Ok(field.as_str()?.to_owned())).transpose()
}

/// The fault for a value that is not a known one.
fn unknown(field: &Field<'_>, expected: &str) -> Fault {
    field.fault(FaultKind::Type, format!("expected {expected}")).expecting(expected)
}
