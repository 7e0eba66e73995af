//! The writes of a decision.

use sprag_core::event::RunStarted;
use sprag_core::{DocPath, Event, RunId, SessionId, Time};
use sprag_formats::chipset::Laid;
use sprag_store::{CommitRequest, Edit};

use crate::engine::EngineError;
use crate::receipt::Evidence;
use crate::run_file::RunFile;
use crate::session::SessionFile;

/// The events and edits that a decision collects.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    events: Vec<(Option<RunId>, Event)>,
    edits: Vec<Edit>,
}

impl Draft {
    /// Records the events of a run.
    pub(crate) fn tell(&mut self, run: &RunId, events: Vec<Event>) {
        for event in events {
            self.note(Some(run), event);
        }
    }

    pub(crate) fn note(&mut self, run: Option<&RunId>, event: impl Into<Event>) {
        self.events.push((run.cloned(), event.into()));
    }

    /// Writes a run, and the other system's documents that it changes.
    pub(crate) fn run(&mut self, file: &RunFile) -> Result<(), EngineError> {
        self.edits.extend(file.edit()?);
        self.edits.extend(file.live.foreign_edits()?);
        if let Some(put_back) = file.live.put_back() {
            self.note(Some(file.id()), put_back);
        }
        Ok(())
    }

    pub(crate) fn session(
        &mut self,
        id: &SessionId,
        file: &SessionFile,
    ) -> Result<(), EngineError> {
        self.edits.push(file.edit(id)?);
        Ok(())
    }

    /// Writes a receipt with its output and its event.
    pub(crate) fn evidence(&mut self, evidence: &Evidence) -> Result<(), EngineError> {
        let (edits, told) = evidence.commit()?;
        self.edits.extend(edits);
        self.events.push((Some(evidence.record.run.clone()), told.into()));
        Ok(())
    }

    pub(crate) fn edit(&mut self, edit: Edit) {
        self.edits.push(edit);
    }

    /// Adds the checked-out commit to each run that begins; a report compares with it.
    pub(crate) fn begins_at(&mut self, head: impl FnOnce() -> Option<String>) {
        let is_begun = self.events.iter().any(|(_, event)| matches!(event, Event::RunStarted(_)));
        if let Some(commit) = is_begun.then(head).flatten() {
            self.begins_with(|started| started.commit = Some(commit.clone()));
        }
    }

    /// Extends the start event of each run that begins.
    pub(crate) fn begins_with(&mut self, note: impl Fn(&mut RunStarted)) {
        for (_, event) in &mut self.events {
            if let Event::RunStarted(started) = event {
                note(started);
            }
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.events.is_empty() && self.edits.is_empty()
    }

    pub(crate) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    pub(crate) fn len(&self) -> usize {
        self.edits.len()
    }

    /// Writes another system's document with its edits; skips edits that change nothing.
    pub(crate) fn lay(&mut self, doc: DocPath, laid: Laid) {
        match laid {
            Laid::New(text) => self.edits.push(Edit::Write { doc, text }),
            Laid::Changed(splices) if splices.is_empty() => {}
            Laid::Changed(splices) => self.edits.push(Edit::Splice { doc, splices }),
        }
    }

    pub(crate) fn into_change(self, at: Time, actor: &str) -> CommitRequest {
        let events = self.events.into_iter();
        let events = events.map(|(run, event)| sprag_store::Event::new(run, event)).collect();
        CommitRequest { at, actor: actor.to_owned(), events, edits: self.edits }
    }
}
