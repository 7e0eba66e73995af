//! The way out of a journal that cannot be read: a person sets it aside, and a new one begins
//! from the documents as they are.

use std::time::Duration;

use sprag_core::{Kind, Seq, Time};

use crate::append::Batch;
use crate::dir::Dir;
use crate::error::{CommitError, StoreError};
use crate::head::Head;
use crate::known::Known;
use crate::line::{Event, Line};
use crate::store::{FOLDER, Store};
use crate::tail::Tail;
use crate::{checkpoint, lock, segment};

impl Store {
    /// Renames the journal to `journal.aside-N` and begins a new one behind its last place, so
    /// that no fence is given out twice. Returns the new folder name of the old journal.
    pub fn restart_journal(
        &self,
        at: Time,
        actor: &str,
        wait: Duration,
    ) -> Result<String, StoreError> {
        let state = self.bases.main().enter_or_make(FOLDER)?;
        let _lock = lock::take(&state, wait)?;
        let names = state.names()?;
        // Among one more candidate than there are names, one is free.
        let candidates = (1..=names.len() + 1).map(|n| format!("{}.aside-{n}", segment::FOLDER));
        let aside = candidates.filter(|name| !names.contains(name)).min().unwrap_or_default();
        let last = match state.enter(segment::FOLDER)? {
            Some(old) => furthest(&old)?,
            None => Seq(0),
        };
        // Whole before it is seen: a kill leaves the old journal in its place or the new one.
        let journal = state.enter_or_make(&aside)?;
        let mut tail = Tail::empty();
        tail.last = last;
        let mut batch = Batch::new(&tail);
        let mut line = Line::new(last.next(), at, actor);
        line.events.push(checkpoint::event(&Known::default()));
        let mut second = Line::new(line.seq.next(), at, actor);
        let data = serde_json::json!({ "aside": aside });
        second.events.push(Event { run: None, kind: Kind::JournalRestarted, data });
        let seq = second.seq;
        for line in [line, second] {
            batch.add::<StoreError>(&journal, line).map_err(flatten)?;
        }
        batch.append::<StoreError>(&journal, seq).map_err(flatten)?;
        if state.enter(segment::FOLDER)?.is_some() {
            state.exchange(&aside, segment::FOLDER)?;
        } else {
            state.rename(&aside, segment::FOLDER)?;
        }
        state.sync()?;
        Ok(aside)
    }
}

/// Returns a place that an unreadable journal cannot have given out: behind every line of it that
/// can still be read, with room for those that cannot.
fn furthest(journal: &Dir) -> Result<Seq, StoreError> {
    const ROOM: u64 = 1000;
    let (_, head) = Head::read(journal)?;
    let mut furthest = head.map_or(Seq(0), |head| head.seq);
    if let Some(&newest) = segment::all(journal)?.last()
        && let Some(part) = segment::read(journal, newest, 0)?
    {
        let lines = part.bytes.split(|&byte| byte == b'\n');
        let readable = lines.filter_map(|line| Line::decode(line).ok()).map(|line| line.seq);
        furthest = readable.chain([furthest, newest]).max().unwrap_or(newest);
    }
    Ok(Seq(furthest.0 + ROOM))
}

fn flatten(error: CommitError<StoreError>) -> StoreError {
    match error {
        CommitError::Refused(error) | CommitError::Store(error) => error,
        CommitError::Unsynced { source, .. } => source.into(),
        CommitError::Unknown { doc, why } | CommitError::Misfit { doc, why } => {
            StoreError::Unknown { path: doc.into(), why }
        }
        CommitError::TooLarge { what, .. } => {
            StoreError::Unknown { path: what.into(), why: "it is too large".to_owned() }
        }
    }
}
