//! The document changes that the commit of a step makes besides the run itself.
//!
//! This is decided here alone: the engine applies it to the documents, and a test without documents
//! continues with the settled definition.

use super::{Definition, Metadata, Position, PullRecord};
use crate::Run;

/// The document changes of a commit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled<'r> {
    /// The new content of `metadata.yaml`; `None` if it stays unchanged.
    pub metadata: Option<&'r PullRecord>,
    /// The processed files of agents, to be removed.
    pub taken: &'r [&'static str],
}

/// Returns the document changes of the commit that stores `run`.
pub fn settle(run: &Run<Position>) -> Settled<'_> {
    let position = run.position();
    Settled { metadata: position.after.as_deref(), taken: &position.taken }
}

impl Definition {
    /// Returns the definition as it reads after the commit.
    #[must_use]
    pub fn settled(mut self, settled: &Settled<'_>) -> Self {
        if let Some(known) = settled.metadata {
            self.metadata = Metadata::Known(Box::new(known.clone()));
        }
        self
    }
}
