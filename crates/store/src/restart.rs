//! Recovers from an unreadable journal: a person sets it aside, and a new one starts from the
//! documents as they are.

use std::time::Duration;

use sprag_core::event::JournalRestarted;
use sprag_core::{Seq, Time};

use crate::append::Batch;
use crate::chain::Chains;
use crate::dir::Dir;
use crate::error::{CommitError, PathError, StoreError};
use crate::head::JournalHead;
use crate::inventory::Inventory;
use crate::line::{Event, Line};
use crate::store::{FOLDER, Store};
use crate::tail::{self, Tail};
use crate::{checkpoint, lock, segment, writer};

/// The prefix of journals that were set aside.
const ASIDE: &str = "journal.aside-";

/// The result of setting a journal aside.
#[derive(Debug)]
pub struct Restarted {
    /// The new name of the old journal in `.sprag`.
    pub aside: String,
    /// The error if the new journal is in place but the disk did not confirm it.
    pub unsynced: Option<PathError>,
}

impl Store {
    /// Renames the journal to `journal.aside-N`, in any condition, and starts a new one. The new
    /// one continues after the old one's last sequence number, so that no fence is issued twice.
    /// Commits that can still be read but are not yet in their documents are written first.
    pub fn restart_journal(
        &self,
        at: Time,
        actor: &str,
        wait: Duration,
    ) -> Result<Restarted, StoreError> {
        let state = self.bases.main().enter_or_make(FOLDER)?;
        let _lock = lock::take(&state, wait)?;
        let names = state.names()?;
        // There is one more candidate than there are names, so one of them is free.
        let mut candidates = (1..=names.len() + 1).map(|n| format!("{ASIDE}{n}"));
        let aside = candidates.find(|name| !names.contains(name)).unwrap_or_default();
        let old = state.enter(segment::FOLDER).ok().flatten();
        if let Some(old) = &old {
            self.salvage(old)?;
        }
        // If nothing can be read, the current time is later than any sequence number of a journal.
        let behind = old.as_ref().and_then(furthest).unwrap_or_default();
        let first = self.begins(Some(&state)).max(behind.next());
        // Complete before it is visible: a kill leaves either the old journal or the new one in
        // place.
        let journal = state.enter_or_make(&aside)?;
        first_lines(&journal, first, (at, actor), &aside)?;
        if state.stat(segment::FOLDER)?.is_some() {
            state.exchange(&aside, segment::FOLDER)?;
        } else {
            state.rename(&aside, segment::FOLDER)?;
        }
        Ok(Restarted { aside, unsynced: state.sync().err() })
    }

    /// Moves these folders of the state to a new folder `aside-N` and returns its name, or `None`
    /// if none of them exists. Does not read them or apply them to documents.
    pub fn put_aside(&self, names: &[&str], wait: Duration) -> Result<Option<String>, StoreError> {
        let Some(state) = self.bases.main().enter(FOLDER)? else { return Ok(None) };
        let _lock = lock::take(&state, wait)?;
        let there = state.names()?;
        let meant: Vec<_> =
            names.iter().filter(|name| there.iter().any(|one| one == *name)).collect();
        if meant.is_empty() {
            return Ok(None);
        }
        let mut candidates = (1..=there.len() + 1).map(|n| format!("aside-{n}"));
        let aside = candidates.find(|name| !there.contains(name)).unwrap_or_default();
        let folder = state.enter_or_make(&aside)?;
        for name in meant {
            state.move_to(&folder, name)?;
        }
        folder.sync()?;
        state.sync()?;
        Ok(Some(aside))
    }

    /// Returns the first sequence number for a new journal. It is after every journal that was set
    /// aside, and after a copy that cannot be restored, even if the clock was set back since.
    pub(crate) fn begins(&self, state: Option<&Dir>) -> Seq {
        let names = state.and_then(|state| state.names().ok()).unwrap_or_default();
        let asides = names.iter().filter(|name| name.starts_with(ASIDE));
        let before = asides.filter_map(|name| furthest(&state?.enter(name).ok()??));
        let copy = self.copy().ok().flatten().and_then(|copy| furthest(&copy));
        before.chain(copy).map(Seq::next).fold(self.settings.first, Seq::max)
    }

    /// Applies the lines before the first bad one to the documents.
    fn salvage(&self, journal: &Dir) -> Result<(), StoreError> {
        let pending = readable(journal, self.settings.boot.as_deref());
        let chains = Chains::of(&pending);
        for key in chains.keys() {
            match writer::bring_forward(self, journal, &chains, key) {
                // Documents that the journal itself no longer knows stay as they are.
                Ok(_) | Err(StoreError::Unknown { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Writes the first lines of a new journal.
fn first_lines(
    journal: &Dir,
    first: Seq,
    (at, actor): (Time, &str),
    aside: &str,
) -> Result<(), CommitError<StoreError>> {
    let mut tail = Tail::empty();
    tail.first = first;
    let mut batch = Batch::new(&tail);
    let mut checkpoint = Line::new(first, at, actor);
    checkpoint.events.push(checkpoint::event(&Inventory::default()));
    let mut restarted = Line::new(checkpoint.seq.next(), at, actor);
    restarted.events.push(Event::new(None, JournalRestarted { aside: aside.to_owned() }));
    let seq = restarted.seq;
    for line in [checkpoint, restarted] {
        batch.add(journal, line)?;
    }
    batch.append(journal, seq)
}

/// Returns the lines that may be missing from the documents, up to the first unreadable one.
fn readable(journal: &Dir, boot: Option<&str>) -> Vec<Line> {
    let head = JournalHead::read(journal).ok().and_then(|(_, head)| head);
    let fresh = head.filter(|head| boot == Some(head.boot.as_str()));
    let (first, from) = match (fresh, segment::all(journal).unwrap_or_default().last()) {
        (Some(head), _) => (head.seg, head.off),
        (None, Some(&newest)) => (newest, 0),
        (None, None) => return Vec::new(),
    };
    let Ok(Some(part)) = segment::read(journal, first, from) else { return Vec::new() };
    let mut pending = Vec::new();
    for bytes in part.bytes.split(|&byte| byte == b'\n') {
        match Line::decode(bytes) {
            Ok(line) if tail::is_checkpoint(&line) => pending.clear(),
            Ok(line) => pending.push(line),
            Err(_) => break,
        }
    }
    pending
}

/// Returns a sequence number that an unreadable journal cannot have issued: after each readable
/// line, with room for unreadable ones.
fn furthest(journal: &Dir) -> Option<Seq> {
    const ROOM: u64 = 1000;
    let head = JournalHead::read(journal).ok().and_then(|(_, head)| head).map(|head| head.seq);
    let newest = segment::all(journal).ok().and_then(|all| all.last().copied());
    let part = newest.and_then(|newest| segment::read(journal, newest, 0).ok()?);
    let bytes = part.map(|part| part.bytes).unwrap_or_default();
    let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| Line::decode(line).ok());
    let known = lines.map(|line| line.seq).chain(head).chain(newest);
    known.filter(|&seq| seq < Seq::MAX).max().map(|seq| Seq(seq.0 + ROOM))
}
