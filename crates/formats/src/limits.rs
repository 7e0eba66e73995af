//! The limits of a document: a hostile or broken file is refused before it can slow anything down.

use crate::fault::{Fault, FaultKind};
use crate::place::Span;

/// The largest document, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// The deepest nesting of collections.
pub const MAX_DEPTH: usize = 128;

/// The most values in a document, with aliases expanded.
pub const MAX_NODES: usize = 1 << 16;

/// Refuses a text that is too long for a document.
pub(crate) fn check_size(text: &str) -> Result<(), Fault> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }
    let what = format!("the document has {} bytes, the limit is {MAX_BYTES}", text.len());
    Err(Fault::new(FaultKind::Limit, text, Span::at(0), what))
}

/// Counts the nodes that a parser builds, and refuses too many.
pub(crate) struct Budget<'t> {
    text: &'t str,
    nodes: usize,
}

impl<'t> Budget<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, nodes: 0 }
    }

    /// Charges `count` nodes at `span`.
    pub(crate) fn nodes(&mut self, count: usize, span: Span) -> Result<(), Fault> {
        self.nodes = self.nodes.saturating_add(count);
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        let what = format!("the document holds more than {MAX_NODES} values");
        Err(Fault::new(FaultKind::Limit, self.text, span, what))
    }

    /// Checks that a collection at `span` is not nested too deep.
    pub(crate) fn depth(&self, depth: usize, span: Span) -> Result<(), Fault> {
        if depth <= MAX_DEPTH {
            return Ok(());
        }
        let what = format!("values are nested deeper than {MAX_DEPTH} levels");
        Err(Fault::new(FaultKind::Limit, self.text, span, what))
    }
}
