//! A commit while it is being decided: events and edits, gathered from everything that takes part.

use serde_json::{Map, Value};
use sprag_core::{DocPath, Event, Id, Kind, Plain, RunId, Time};
use sprag_formats::chipset::Laid;
use sprag_store::{Change, Edit};

use crate::engine::EngineError;
use crate::receipt::Evidence;
use crate::run_file::RunFile;
use crate::session::{SessionFile, SessionId};

/// What a decision wants to write.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    events: Vec<sprag_store::Event>,
    edits: Vec<Edit>,
}

impl Draft {
    /// Notes what happened in a run.
    pub(crate) fn tell(&mut self, run: &RunId, events: Vec<Event>) {
        for Event { kind, data } in events {
            self.note(Some(run), kind, json(&data));
        }
    }

    /// Notes one thing that happened.
    pub(crate) fn note(&mut self, run: Option<&RunId>, kind: Kind, data: Value) {
        let run = run.and_then(|run| Id::parse(run.as_str()).ok());
        self.events.push(sprag_store::Event { run, kind, data });
    }

    /// Writes a run, where it changed.
    pub(crate) fn run(&mut self, file: &RunFile) -> Result<(), EngineError> {
        self.edits.extend(file.edit()?);
        self.edits.extend(file.foreign_edits()?);
        Ok(())
    }

    /// Writes a session.
    pub(crate) fn session(
        &mut self,
        id: &SessionId,
        file: &SessionFile,
    ) -> Result<(), EngineError> {
        self.edits.push(file.edit(id)?);
        Ok(())
    }

    /// Writes a receipt with its output.
    pub(crate) fn evidence(&mut self, evidence: &Evidence) -> Result<(), EngineError> {
        let (edits, event) = evidence.commit()?;
        self.edits.extend(edits);
        self.events.push(event);
        Ok(())
    }

    /// Writes something else.
    pub(crate) fn edit(&mut self, edit: Edit) {
        self.edits.push(edit);
    }

    /// Notes with every run that begins which commit was checked out: a report compares with it.
    pub(crate) fn begins_at(&mut self, head: impl FnOnce() -> Option<String>) {
        let is_begun = self.events.iter().any(|event| event.kind == Kind::RunStarted);
        if let Some(commit) = is_begun.then(head).flatten() {
            self.begins_with("commit", &commit.into());
        }
    }

    /// Notes with every run that begins something of what it found.
    pub(crate) fn begins_with(&mut self, key: &str, found: &Value) {
        let begins = |event: &&mut sprag_store::Event| event.kind == Kind::RunStarted;
        for event in self.events.iter_mut().filter(begins) {
            if let Value::Object(data) = &mut event.data {
                data.insert(key.to_owned(), found.clone());
            }
        }
    }

    /// Returns what it writes so far.
    pub(crate) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Returns how many documents it writes so far.
    pub(crate) fn len(&self) -> usize {
        self.edits.len()
    }

    /// Writes a document of another system, where edits were laid over it; nothing when they change
    /// nothing.
    pub(crate) fn lay(&mut self, doc: DocPath, laid: Laid) {
        match laid {
            Laid::New(text) => self.edits.push(Edit::Write { doc, text }),
            Laid::Changed(splices) if splices.is_empty() => {}
            Laid::Changed(splices) => self.edits.push(Edit::Splice { doc, splices }),
        }
    }

    pub(crate) fn into_change(self, at: Time, actor: &str) -> Change {
        Change { at, actor: actor.to_owned(), events: self.events, edits: self.edits }
    }
}

/// Returns plain values as the journal has them.
pub(crate) fn json(plain: &Plain) -> Value {
    match plain {
        Plain::Null => Value::Null,
        Plain::Bool(flag) => Value::Bool(*flag),
        Plain::Int(number) => {
            i64::try_from(*number).map_or_else(|_| Value::String(number.to_string()), Value::from)
        }
        Plain::Other(text) | Plain::Text(text) => Value::String(text.clone()),
        Plain::List(items) => items.iter().map(json).collect(),
        Plain::Map(entries) => {
            let filled = entries.iter().filter(|(_, value)| *value != Plain::Null);
            let entries = filled.map(|(key, value)| (key.clone(), json(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}
