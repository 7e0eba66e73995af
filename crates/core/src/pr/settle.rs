//! What the commit of a step writes into the documents of a pull request, beside the run itself.
//!
//! It is decided here alone: the engine lays it over the documents, and a test that has none goes on
//! with the definition as it is read afterwards.

use super::{Definition, Known, Metadata, Position};
use crate::Run;

/// What a commit writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled<'r> {
    /// What `metadata.yaml` says from now on; nothing where it stays as it is.
    pub metadata: Option<&'r Known>,
    /// The files that agents left and that were taken: they are removed.
    pub taken: &'r [&'static str],
}

/// Returns what the commit writes that `run` is the outcome of.
pub fn settle(run: &Run<Position>) -> Settled<'_> {
    let position = run.position();
    Settled { metadata: position.after.as_deref(), taken: &position.taken }
}

impl Definition {
    /// Returns the definition as it is read once that commit is done.
    #[must_use]
    pub fn settled(mut self, settled: &Settled<'_>) -> Self {
        if let Some(known) = settled.metadata {
            self.metadata = Metadata::Known(Box::new(known.clone()));
        }
        self
    }
}
