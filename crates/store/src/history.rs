//! The journal in a form for display.

use std::collections::BTreeSet;

use serde::Serialize;
use sprag_core::{Hash, Seq, Time};

use crate::dir::Dir;
use crate::error::StoreError;
use crate::line::{Event, Line};
use crate::scan;
use crate::segment;
use crate::store::Store;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    pub seq: Seq,
    pub at: Time,
    pub actor: String,
    pub events: Vec<Event>,
    pub edits: Vec<LoggedEdit>,
}

/// A document's change from one version to the next. `None` means "no document".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoggedEdit {
    pub doc: String,
    pub before: Option<Hash>,
    pub after: Option<Hash>,
}

/// An iterator over the journal, newest line first.
#[derive(Debug)]
pub struct History {
    journal: Option<Dir>,
    segments: Vec<Seq>,
    lines: Vec<Line>,
    until: Seq,
    /// Commits that were undone: their events did not happen.
    undone: BTreeSet<Seq>,
}

impl Store {
    /// Reads the journal newest line first, one segment at a time.
    pub fn history(&self) -> Result<History, StoreError> {
        let journal = self.journal()?;
        let until = self.tail(journal.as_ref())?.last;
        let segments = journal.as_ref().map(segment::all).transpose()?.unwrap_or_default();
        Ok(History { journal, segments, lines: Vec::new(), until, undone: BTreeSet::new() })
    }

    pub fn record(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        let mut history = self.history()?;
        history.segments.retain(|&first| first <= seq);
        history
            .find(|record| record.as_ref().map_or(true, |record| record.seq <= seq))
            .transpose()
            .map(|found| found.filter(|record| record.seq == seq))
    }
}

impl Iterator for History {
    type Item = Result<Record, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(mut line) = self.lines.pop() {
                if line.seq > self.until {
                    continue;
                }
                for event in &line.events {
                    if let sprag_core::Event::CommitUndone(undone) = event.read() {
                        self.undone.insert(Seq(undone.seq));
                    }
                }
                if self.undone.remove(&line.seq) {
                    line.events.clear();
                }
                return Some(Ok(line.into()));
            }
            let first = self.segments.pop()?;
            if let Err(error) = self.load(first) {
                self.segments.clear();
                return Some(Err(error));
            }
        }
    }
}

impl History {
    fn load(&mut self, first: Seq) -> Result<(), StoreError> {
        let Some(journal) = &self.journal else { return Ok(()) };
        let Some(part) = segment::read(journal, first, 0)? else { return Ok(()) };
        let path = journal.path().join(segment::name(first));
        let scan = scan::scan(&part.bytes, 0, Some(first)).map_err(|broken| {
            StoreError::Unknown { path, why: format!("at byte {}: {}", broken.offset, broken.why) }
        })?;
        self.lines = scan.lines.into_iter().map(|(_, line)| line).collect();
        Ok(())
    }
}

impl From<Line> for Record {
    fn from(line: Line) -> Self {
        let Line { seq, at, actor, events, edits, .. } = line;
        let logged = |edit: crate::line::LineEdit| LoggedEdit {
            doc: edit.doc.to_string(),
            before: edit.before,
            after: edit.after,
        };
        Self { seq, at, actor, events, edits: edits.into_iter().map(logged).collect() }
    }
}
