//! A commit: one journal line, then the documents that the line changes.
//!
//! The decision is made without the lock, because it may take long. It is made again under the lock
//! if anything that it read has changed. Under the lock, in this order:
//!
//! - The previous commit is finished.
//! - The new texts are written to temporary files and synced (`staged.rs`).
//! - The line is appended and synced. **This is the commit.**
//! - Each document is replaced if it still holds the text that the decision saw.
//! - The head is written.
//!
//! A failure after the line only delays the documents: the next writer finishes them. If another
//! process writes one of the documents at that very moment, its text stays. The commit is undone
//! (`undo.rs`) and decided again on the new text.

use std::time::Duration;

use sprag_core::{DocPath, Seq, Splice, Time};

use crate::dir::Dir;
use crate::error::{CommitError, PathError, StoreError};
use crate::line::Event;
use crate::store::{FOLDER, Store};
use crate::view::{Reads, View};
use crate::writer::Writer;
use crate::{lock, undo};

/// How many times a decision is made again under the lock before the commit gives up with `Busy`.
const ROUNDS: u32 = 8;

/// The events and document edits that a decision asks for.
#[derive(Clone, Debug)]
pub struct CommitRequest {
    pub at: Time,
    /// A person, a session or a command.
    pub actor: String,
    pub events: Vec<Event>,
    /// At most one edit per document.
    pub edits: Vec<Edit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces parts of a text that the decision has read.
    Splice {
        doc: DocPath,
        /// In ascending order, as byte ranges of the text that was read.
        splices: Vec<Splice>,
    },
    /// Replaces the whole text, or creates the document.
    Write {
        doc: DocPath,
        text: String,
    },
    Remove {
        doc: DocPath,
    },
}

impl Edit {
    pub fn doc(&self) -> &DocPath {
        match self {
            Self::Splice { doc, .. } | Self::Write { doc, .. } | Self::Remove { doc } => doc,
        }
    }
}

#[derive(Debug)]
pub struct Committed {
    /// Its sequence number, or `None` if the change was empty.
    pub seq: Option<Seq>,
    /// Errors after the commit. The next commit repairs them.
    pub unwritten: Vec<PathError>,
}

impl Committed {
    pub(crate) const NOTHING: Self = Self { seq: None, unwritten: vec![] };
}

impl Store {
    /// Decides and commits.
    ///
    /// The decision may take long: it is made without the lock, and again under the lock if
    /// anything that it read has changed. So `decide` may run several times, and only its last
    /// result counts. `wait` limits the wait for another writer.
    pub fn commit<E>(
        &self,
        wait: Duration,
        mut decide: impl FnMut(&View<'_>) -> Result<CommitRequest, E>,
    ) -> Result<Committed, CommitError<E>> {
        let decided = self.read_with_notes(|view| decide(view).map_err(CommitError::Refused))?;
        if decided.0.events.is_empty() && decided.0.edits.is_empty() {
            return Ok(Committed::NOTHING);
        }
        self.commit_locked(wait, Some(decided), decide)
    }

    /// Decides under the lock and commits, for decisions that take no time. They see the latest
    /// state, and the documents are read only once.
    pub fn commit_at_once<E>(
        &self,
        wait: Duration,
        decide: impl FnMut(&View<'_>) -> Result<CommitRequest, E>,
    ) -> Result<Committed, CommitError<E>> {
        self.commit_locked(wait, None, decide)
    }

    fn commit_locked<E>(
        &self,
        wait: Duration,
        mut decided: Option<(CommitRequest, Reads)>,
        mut decide: impl FnMut(&View<'_>) -> Result<CommitRequest, E>,
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

    /// Writes a fixed line under the lock, without a decision.
    pub(crate) fn write_line<E>(
        &self,
        state: &Dir,
        change: &CommitRequest,
    ) -> Result<(), CommitError<E>> {
        let writer = Writer::open(self, state)?;
        let view = writer.view(writer.next_seq());
        let plan = writer.plan(change, view.reads(), &view)?;
        let turns = writer.turns(change, view.reads(), &view)?;
        drop(view);
        writer.write(change, turns, plan).map(drop)
    }
}
