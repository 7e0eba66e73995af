//! The documents under `.chipset/state/`: assignments, units of work, agents, mail, nudges, and the
//! records beside them.
//!
//! Two dialects of the assignment and two shapes of mail share one place each. What is read is
//! written back in the dialect it has; an edit touches the values it is about and nothing else. A
//! new document is written as the original writes one, byte for byte: sorted keys, two blanks, a
//! line end. A document that contradicts itself is a fault, never "no work".

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
pub use dispatch::{Dispatch, Stage};
pub use hook::{Dialect, Hook};
pub use laid::{Laid, lay};
pub use mail::{Letter, Mail, Shape};
pub use nudge::Nudge;
pub use records::{Convoy, Handoff, Logged, MergeRequest, logged};
pub use work::WorkFile;

use crate::document::{Document, Format};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;

/// Reads a document that must be one map.
fn map(text: &str) -> Result<Document<'_>, Fault> {
    let document = Document::parse(Format::Json, text)?;
    document.top().entries()?;
    Ok(document)
}

fn text(top: &Field<'_>, key: &str) -> Result<String, Fault> {
    Ok(top.need(&[key])?.as_str()?.to_owned())
}

/// Reads a text that may be missing; one of another type is wrong all the same.
fn optional(top: &Field<'_>, key: &str) -> Result<Option<String>, Fault> {
    top.optional(&[key]).map(|field| Ok(field.as_str()?.to_owned())).transpose()
}

/// Says that a value is none of those that are known.
fn unknown(field: &Field<'_>, expected: &str) -> Fault {
    field.fault(FaultKind::Type, format!("expected {expected}")).expecting(expected)
}
