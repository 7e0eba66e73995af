//! Restores a missing journal from its copy.
//!
//! The whole copy is checked before anything is written; a damaged copy is never restored. Missing
//! documents are written first, and only then the journal gets its name. So after a kill the
//! restore is either complete or starts again.

use std::time::Duration;

use sprag_core::event::JournalRestored;
use sprag_core::{Seq, Time};

use crate::apply;
use crate::commit::CommitRequest;
use crate::copy::{self, Otherwise};
use crate::dir::Dir;
use crate::doc::{Doc, Version};
use crate::error::{CommitError, StoreError};
use crate::head::JournalHead;
use crate::known::Recent;
use crate::line::Event;
use crate::rebuild::{self, Texts};
use crate::staged::Staged;
use crate::store::{FOLDER, Store};
use crate::tail::Tail;
use crate::{blob, lock, scan, segment};

/// The folder in which the journal is assembled.
const PLACE: &str = "journal.restoring";

/// The result of restoring a journal from its copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The documents that were written again.
    pub written: Vec<String>,
    /// Missing documents that the copy cannot fully rebuild.
    pub lost: Vec<String>,
}

impl Store {
    /// Restores the journal and missing documents from the copy, if there is no journal and the
    /// copy has lines. A damaged copy is an error and stays as it is.
    pub fn restore(&self, wait: Duration) -> Result<Option<Restored>, StoreError> {
        if !self.is_gone()? || self.copied()?.is_none() {
            return Ok(None);
        }
        let state = self.bases.main().enter_or_make(FOLDER)?;
        let _lock = lock::take(&state, wait)?;
        self.restore_locked(&state)
    }

    /// Restores before a commit that finds no journal; without this, the old state would be lost
    /// for good. Ignores a damaged copy, which a person's command reports.
    pub(crate) fn restore_first(&self, state: &Dir) -> Result<(), StoreError> {
        let journal = state.enter(segment::FOLDER)?;
        let has_head = journal.map(|journal| JournalHead::bytes(&journal)).transpose()?.flatten();
        if has_head.is_some() {
            return Ok(());
        }
        match self.restore_locked(state) {
            // Damaged, or not a folder: work continues with a new journal.
            Ok(_) | Err(StoreError::Unknown { .. }) => Ok(()),
            Err(StoreError::Path(error)) if apply::is_foreign(&error) => Ok(()),
            // A copy that is temporarily unreadable must not be lost.
            Err(error) => Err(error),
        }
    }

    fn restore_locked(&self, state: &Dir) -> Result<Option<Restored>, StoreError> {
        let Some(segments) = self.copied()? else { return Ok(None) };
        if !self.is_gone()? {
            return Ok(None);
        }
        let restored = self.put_together(state, &segments)?;
        self.note(state, &restored)?;
        Ok(Some(restored))
    }

    /// Records the restore in the journal.
    fn note(&self, state: &Dir, restored: &Restored) -> Result<(), CommitError<StoreError>> {
        let written = u64::try_from(restored.written.len()).unwrap_or(u64::MAX);
        let event = JournalRestored { written, lost: restored.lost.clone() };
        // A store is opened for one command, so the time it was opened is close enough.
        let at = Time::from_millis(i64::try_from(self.settings.first.0 / 1000).unwrap_or(0));
        let (actor, events) = ("sprag".to_owned(), vec![Event::new(None, event)]);
        let change = CommitRequest { at, actor, events, edits: Vec::new() };
        self.write_line(state, &change)
    }

    /// Returns whether there is no journal, or one without any line.
    fn is_gone(&self) -> Result<bool, StoreError> {
        let Some(journal) = self.journal()? else { return Ok(true) };
        let segments = segment::all(&journal)?;
        for first in segments {
            if journal.stat(&segment::name(first))?.is_some_and(|stat| stat.st_size > 0) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the newest consecutive segments of the copy, or `None` if it has no line.
    fn copied(&self) -> Result<Option<Vec<Seq>>, StoreError> {
        let Some(copy) = self.copy()? else { return Ok(None) };
        let mut found: Vec<Seq> = Vec::new();
        for first in segment::all(&copy)?.into_iter().rev() {
            let Some(part) = segment::open(&copy, first, 0)? else { continue };
            let path = copy.path().join(segment::name(first));
            let scan = scan::scan(&part.bytes, 0, Some(first)).map_err(|broken| {
                let why = format!("at byte {}: {}", broken.offset, broken.why);
                StoreError::Unknown { path: path.clone(), why }
            })?;
            let last = scan.lines.last().map(|(_, line)| line.seq);
            match (last, found.last()) {
                // A segment that was created but never written to.
                (None, None) => {}
                (Some(last), Some(next)) if last.next() == *next && !scan.torn => found.push(first),
                (Some(_), None) => found.push(first),
                // Older segments belong to another journal.
                (Some(_) | None, Some(_)) => break,
            }
        }
        found.reverse();
        Ok((!found.is_empty()).then_some(found))
    }

    /// Writes the missing documents, then the journal.
    fn put_together(&self, state: &Dir, segments: &[Seq]) -> Result<Restored, StoreError> {
        let Some(from) = self.copy()? else { return Ok(Restored::default()) };
        copy::remove(state, PLACE)?;
        let journal = state.enter_or_make(PLACE)?;
        if let Some(blobs) = from.enter(blob::FOLDER)? {
            let to = journal.enter_or_make(blob::FOLDER)?;
            for name in blobs.names()?.iter().filter(|name| blob::is_one(name)) {
                copy::second(&blobs, &to, name, Otherwise::Copy)?;
            }
            to.sync()?;
        }
        for first in segments {
            copy::second(&from, &journal, &segment::name(*first), Otherwise::Copy)?;
        }
        let tail = Tail::read(&journal, self.settings.boot.as_deref())?;
        let recent = Recent::read(&journal, &tail)?;
        let mut known = recent.inventory(&journal)?.all(&journal)?;
        known.extend(recent.known()?.changed);
        let mut restored = self.rewrite(rebuild::texts(&journal, segments)?)?;
        let left = known.into_iter().filter(|(_, hash)| hash.is_some());
        let lost = left.filter(|(key, _)| {
            let spot = self.bases.locate(key).filter(|_| key.is_main());
            spot.is_some_and(|spot| apply::read(&spot) == Doc::Absent)
        });
        restored.lost = lost.map(|(key, _)| key.to_string()).collect();
        if let Some(first) = tail.segment {
            let boot = self.settings.boot.as_deref().unwrap_or("");
            JournalHead::new(boot, first, (tail.end, tail.last), tail.checkpoint)
                .write(&journal)?;
        }
        journal.sync()?;
        if state.stat(segment::FOLDER)?.is_some() {
            state.exchange(PLACE, segment::FOLDER)?;
            copy::remove(state, PLACE)?;
        } else {
            state.rename(PLACE, segment::FOLDER)?;
        }
        state.sync()?;
        self.bases.main().sync()?;
        Ok(restored)
    }

    /// Writes the missing documents. An existing document stays, whatever its text.
    fn rewrite(&self, texts: Texts) -> Result<Restored, StoreError> {
        let mut restored = Restored::default();
        for (key, text) in texts {
            let spot = self.bases.locate(&key).filter(|_| key.is_main());
            let Some(spot) = spot.filter(|spot| apply::read(spot) == Doc::Absent) else { continue };
            let staged = Staged::new(&spot, Version::Absent, Some(text))?;
            staged.sync()?;
            staged.publish()?;
            restored.written.push(key.to_string());
        }
        Ok(restored)
    }
}
