//! Stores the output of failed checks next to the metadata, for the agent that fixes them.

use sprag_core::event::PullChanged;
use sprag_core::pr::{CheckLog, Definition};
use sprag_store::{Edit, View};
use sprag_world::forge::{Forge, ForgeError};

use super::documents;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::run_file::Unusable;

impl Engine<'_> {
    /// Fetches the output of failures that is not stored yet, and returns how many there were.
    pub fn review_logs(
        &self,
        forge: &dyn Forge,
        actor: &str,
    ) -> Result<Result<usize, ForgeError>, EngineError> {
        let definition = self.look(|view| Ok(documents::definition(view)?.0))?;
        let mut texts = Vec::new();
        for log in definition.logs.into_iter().filter(|log| log.text.is_none()) {
            match forge.log(&log.run) {
                Ok(text) => texts.push((log.path, text)),
                Err(error) => return Ok(Err(error)),
            }
        }
        if texts.is_empty() {
            return Ok(Ok(0));
        }
        self.commit(actor, PATIENT, |_| {
            let mut draft = Draft::default();
            for (doc, text) in texts.clone() {
                draft.edit(Edit::Write { doc, text });
            }
            draft.note(None, PullChanged { verb: "logs".to_owned() });
            Ok((draft, ()))
        })?;
        Ok(Ok(texts.len()))
    }
}

/// Finds the logs that belong to the metadata, and loads their stored texts.
pub(super) fn read(view: &View<'_>, definition: &mut Definition) -> Result<(), Unusable> {
    let Some(known) = definition.metadata.known() else { return Ok(()) };
    let mut logs = CheckLog::wanted(&known.pull);
    for log in &mut logs {
        log.text = documents::read(view, log.path.as_str())?;
    }
    definition.logs = logs;
    Ok(())
}
