//! A commit: one line in the journal, then the documents it speaks of.
//!
//! The decision is made without the lock, because it may take long, and made again under it if
//! anything it looked at has changed. Under the lock, in this order: the commit before is
//! finished; the new texts are written to temporary files and synced (`staged.rs`); the line is
//! appended and synced, and **this is the commit**; each document that still holds the text the
//! decision saw is replaced; the head is written. Whatever fails after the line is "not yet written", because
//! the next one to come will write it. Where somebody else wrote one of the documents in that very
//! moment, their text stays, the commit is taken back (`undo.rs`) and decided anew on what they wrote.

use std::time::Duration;

use sprag_core::{DocPath, Seq, Splice, Time};

use crate::dir::Dir;
use crate::error::{CommitError, PathError, StoreError};
use crate::line::Event;
use crate::store::{FOLDER, Store};
use crate::view::{Reads, View};
use crate::writer::Writer;
use crate::{lock, undo};

/// How often a decision is made again under the lock before its documents count as restless.
const ROUNDS: u32 = 8;

/// What a decision wants: events for the journal and edits of documents.
#[derive(Clone, Debug)]
pub struct Change {
    /// When it was decided.
    pub at: Time,
    /// Who caused it: a person, a session, a command.
    pub actor: String,
    /// What happened.
    pub events: Vec<Event>,
    /// What is to be written; at most one edit a document.
    pub edits: Vec<Edit>,
}

/// One document's part of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces parts of a text that the decision has read.
    Splice {
        /// Which document.
        doc: DocPath,
        /// Ascending, in bytes of the text that was read.
        splices: Vec<Splice>,
    },
    /// Replaces the whole text, or makes the document.
    Write {
        /// Which document.
        doc: DocPath,
        /// Its new text.
        text: String,
    },
    /// Removes the document.
    Remove {
        /// Which document.
        doc: DocPath,
    },
}

impl Edit {
    /// Returns the document it is about.
    pub fn doc(&self) -> &DocPath {
        match self {
            Self::Splice { doc, .. } | Self::Write { doc, .. } | Self::Remove { doc } => doc,
        }
    }
}

/// A commit that happened.
#[derive(Debug)]
pub struct Committed {
    /// Its place in the journal; nothing when there was nothing to say or to change.
    pub seq: Option<Seq>,
    /// What went wrong after the commit; the next commit makes up for it.
    pub unwritten: Vec<PathError>,
}

impl Committed {
    pub(crate) const NOTHING: Self = Self { seq: None, unwritten: vec![] };
}

impl Store {
    /// Decides and commits. The decision may take long: it is made without the lock, and again
    /// under it if something it looked at has changed. So `decide` may be called several times,
    /// and only its last answer counts. `wait` is how long another writer is waited for.
    pub fn commit<E>(
        &self,
        wait: Duration,
        mut decide: impl FnMut(&View<'_>) -> Result<Change, E>,
    ) -> Result<Committed, CommitError<E>> {
        let decided = self.read_with_notes(|view| decide(view).map_err(CommitError::Refused))?;
        if decided.0.events.is_empty() && decided.0.edits.is_empty() {
            return Ok(Committed::NOTHING);
        }
        self.commit_locked(wait, Some(decided), decide)
    }

    /// Decides under the lock and commits: for decisions that take no time. They see the last
    /// state there is, and a look at the documents is saved.
    pub fn commit_at_once<E>(
        &self,
        wait: Duration,
        decide: impl FnMut(&View<'_>) -> Result<Change, E>,
    ) -> Result<Committed, CommitError<E>> {
        self.commit_locked(wait, None, decide)
    }

    fn commit_locked<E>(
        &self,
        wait: Duration,
        mut decided: Option<(Change, Reads)>,
        mut decide: impl FnMut(&View<'_>) -> Result<Change, E>,
    ) -> Result<Committed, CommitError<E>> {
        let state = self.bases.main().enter_or_make(FOLDER)?;
        let _lock = lock::take(&state, wait)?;
        self.restore_first(&state)?;
        let mut writer = Writer::open(self, &state)?;
        let mut seq = writer.next_seq();
        for _ in 0..ROUNDS {
            let view = writer.view(seq);
            let still = decided.take().filter(|(_, reads)| reads.still_true(&view));
            let (change, own) = match still {
                Some((change, reads)) => (change, Some(reads)),
                None => (decide(&view).map_err(CommitError::Refused)?, None),
            };
            if change.events.is_empty() && change.edits.is_empty() {
                return Ok(Committed::NOTHING);
            }
            let reads = own.as_ref().unwrap_or_else(|| view.reads());
            let plan = writer.plan(&change, reads, &view)?;
            if reads.seq().is_some_and(|counted_on| counted_on != plan.seq) {
                seq = plan.seq;
                continue;
            }
            let turns = writer.turns(&change, reads, &view)?;
            let before = undo::before(&change, &view);
            drop(view);
            let written = writer.write(&change, turns, plan)?;
            if written.overtaken.is_empty() {
                return Ok(written.committed);
            }
            self.undo(&state, &change, written, before)?;
            writer = Writer::open(self, &state)?;
            seq = writer.next_seq();
        }
        Err(StoreError::Busy { waited: wait }.into())
    }

    /// Writes a line that nobody decides about, under the lock.
    pub(crate) fn write_line<E>(&self, state: &Dir, change: &Change) -> Result<(), CommitError<E>> {
        let writer = Writer::open(self, state)?;
        let view = writer.view(writer.next_seq());
        let plan = writer.plan(change, view.reads(), &view)?;
        let turns = writer.turns(change, view.reads(), &view)?;
        drop(view);
        writer.write(change, turns, plan).map(drop)
    }
}
