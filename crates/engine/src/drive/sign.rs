//! A driver's sign of life. One that is killed ends no turn of its agents, so the time of its last sign
//! tells until when they may have changed files.

use std::time::Duration;

use sprag_core::RunId;

use super::ledger::Ledger;
use crate::engine::{Engine, EngineError};

/// How often a driver gives a sign while its agents work.
pub const SIGN: Duration = Duration::from_millis(500);

impl Engine<'_> {
    /// Gives a sign that whoever drives a run is there. It is no commit and changes no text.
    pub fn drive_sign(&self, run: &RunId) -> Result<(), EngineError> {
        Ok(self.store.touch(&Ledger::path(run)?)?)
    }
}

/// Returns the document whose time is that of a driver's last sign.
pub(crate) fn sign_of(run: &RunId) -> Result<String, EngineError> {
    Ok(Ledger::path(run)?.to_string())
}
