//! Whether what a run is judged by is still what a person wrote down.

use sprag_store::View;

use crate::engine::{Engine, EngineError};
use crate::run_file::{RunFile, Source};
use crate::sitting::Law;

impl Engine<'_> {
    /// Says what speaks against a pass of this run: its definition is another one now.
    pub(crate) fn drift(
        &self,
        _view: &View<'_>,
        run: &RunFile,
        law: &Law,
    ) -> Result<Option<String>, EngineError> {
        match &run.header.source {
            Source::Guard => Ok(law.drift.clone()),
            Source::Workflow(_) => Ok(None),
        }
    }
}

impl Engine<'_> {
    /// Takes the definition of a run as it is now.
    pub(crate) fn record_again(
        &self,
        _run: &mut RunFile,
        _draft: &mut crate::draft::Draft,
    ) -> Result<(), EngineError> {
        Ok(())
    }
}
