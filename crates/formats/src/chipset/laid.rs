//! Edits laid over a document that is there, or over nothing.

use sprag_core::Splice;

use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::json::to_json;
use crate::place::Span;

/// What becomes of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Laid {
    /// It is there, and these bytes of it change; none when it says so already.
    Changed(Vec<Splice>),
    /// It is new.
    New(String),
}

/// Lays edits over `old`; without one a new document is written as the original writes it.
pub fn lay(old: Option<&str>, edits: &[Edit]) -> Result<Laid, Fault> {
    if let Some(old) = old {
        return Document::parse(Format::Json, old)?.edit(edits).map(Laid::Changed);
    }
    let nothing = "{}";
    let splices = Document::parse(Format::Json, nothing)?.edit(edits)?;
    let made = sprag_core::apply(nothing, &splices)
        .map_err(|bad| Fault::new(FaultKind::Guard, nothing, Span::at(0), bad.to_string()))?;
    Ok(Laid::New(to_json(&Document::parse(Format::Json, &made)?.root().value)))
}
