//! The writes to the journal itself: one batch of lines a commit, in one write.

use std::os::unix::fs::FileExt;

use sprag_core::Seq;

use crate::blob;
use crate::dir::Dir;
use crate::error::{CommitError, Context, PathError, StoreError};
use crate::failpoint;
use crate::inventory::{self, Inventory};
use crate::line::{Insert, Line, LineSplice, MAX_LINE};
use crate::segment;
use crate::tail::{self, Tail};

/// How long the line of a checkpoint may be: it is read at every commit and host hook after it, and
/// what a list has is looked up only when somebody asks.
const MAX_CHECKPOINT: usize = 8 << 10;

/// Lines that are appended together.
pub(crate) struct Batch {
    /// The segment they go to.
    pub(crate) segment: Seq,
    start: u64,
    bytes: String,
    /// Where in the segment the batch's checkpoint begins, and its line.
    pub(crate) checkpoint: Option<(u64, Seq)>,
    /// The lists of documents that the checkpoint names.
    pub(crate) lists: Vec<String>,
    /// Whether a text was put into a file beside the segments.
    pub(crate) has_blobs: bool,
}

impl Batch {
    /// Begins a batch at the end of the journal, in a new segment when the last one is full.
    pub(crate) fn new(tail: &Tail) -> Self {
        let (segment, start) = match tail.segment {
            Some(first) if tail.end < segment::FULL => (first, tail.end),
            Some(_) | None => (tail.next(), 0),
        };
        let (bytes, lists) = (String::new(), Vec::new());
        Self { segment, start, bytes, checkpoint: None, lists, has_blobs: false }
    }

    pub(crate) fn is_new_segment(&self) -> bool {
        self.start == 0
    }

    /// Returns where the batch ends in its segment.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Adds a line; what makes it too long goes to a blob first.
    pub(crate) fn add<E>(&mut self, journal: &Dir, mut line: Line) -> Result<(), CommitError<E>> {
        let max = if tail::is_checkpoint(&line) { MAX_CHECKPOINT } else { MAX_LINE };
        let text = loop {
            let text = line.encode().map_err(|error| StoreError::Unknown {
                path: journal.path().to_owned(),
                why: error.to_string(),
            })?;
            if text.len() <= max {
                break text;
            }
            if !self.shorten(journal, &mut line)? {
                let what = format!("event {}", line.seq);
                return Err(CommitError::TooLarge { what, bytes: text.len(), max });
            }
        };
        if let Some(event) = line.events.first().filter(|_| tail::is_checkpoint(&line)) {
            self.checkpoint = Some((self.end(), line.seq));
            let lists = inventory::lists(&event.data).unwrap_or_default();
            self.lists = lists.into_iter().map(|list| list.name).collect();
        }
        self.bytes.push_str(&text);
        Ok(())
    }

    /// Moves the largest text of a line to a blob, or the documents of a checkpoint to a list; false
    /// when there is none left.
    fn shorten(&mut self, journal: &Dir, line: &mut Line) -> Result<bool, StoreError> {
        self.has_blobs = true;
        let inserts = line.edits.iter_mut().flat_map(|edit| &mut edit.splices);
        let texts = inserts.filter_map(|LineSplice(_, _, insert)| match insert {
            Insert::Text(_) => Some(insert),
            Insert::Blob(_) => None,
        });
        let length = |insert: &&mut Insert| match insert {
            Insert::Text(text) => text.len(),
            Insert::Blob(_) => 0,
        };
        if let Some(insert) = texts.max_by_key(length) {
            if let Insert::Text(text) = insert {
                *insert = Insert::Blob(blob::write(journal, self.segment, text)?);
            }
            return Ok(true);
        }
        if !tail::is_checkpoint(line) {
            return Ok(false);
        }
        let mut inventory = Inventory::read(journal, line)?;
        let shorter = inventory.put_aside(journal, self.segment)?;
        if let Some(event) = line.events.first_mut() {
            event.data = inventory.to_data();
        }
        Ok(shorter)
    }

    /// Appends the batch and waits until the disk has it. An error before everybody can see the
    /// lines takes them back; one after that says so.
    pub(crate) fn append<E>(&self, journal: &Dir, seq: Seq) -> Result<(), CommitError<E>> {
        let name = segment::name(self.segment);
        let path = journal.path_of(&name);
        let (file, stat) = journal.open_or_make(&name)?;
        if segment::stamp_of(&stat).length != self.start {
            // Somebody else wrote, lock or no lock. Nothing of theirs is written over.
            return Err(StoreError::Busy { waited: std::time::Duration::ZERO }.into());
        }
        let written = file
            .write_all_at(self.bytes.as_bytes(), self.start)
            .and_then(|()| failpoint::reach("store.appended"));
        if let Err(source) = written {
            // If this fails too, the next writer finds a torn tail and cuts it.
            let _ = file.set_len(self.start);
            return Err(PathError { action: "write", path: path.into(), source }.into());
        }
        let synced = file.sync_data().context("sync", path);
        let synced =
            synced.and_then(|()| if self.is_new_segment() { journal.sync() } else { Ok(()) });
        synced.map_err(|source| CommitError::Unsynced { seq, source })
    }
}

/// Cuts off what a killed writer left behind the last good line.
pub(crate) fn cut(journal: &Dir, tail: &Tail) -> Result<(), PathError> {
    if let Some(stillborn) = tail.stillborn {
        journal.remove(&segment::name(stillborn))?;
    }
    if let Some(first) = tail.segment.filter(|_| tail.torn) {
        let name = segment::name(first);
        let (file, _) = journal.open_or_make(&name)?;
        file.set_len(tail.end).context("cut", journal.path_of(&name))?;
    }
    Ok(())
}

/// Makes lines that were appended, but perhaps not synced, survive a power cut.
pub(crate) fn sync(journal: &Dir, tail: &Tail) -> Result<(), PathError> {
    let Some(first) = tail.segment else { return Ok(()) };
    let name = segment::name(first);
    if let Some(file) = journal.open(&name)? {
        file.sync_data().context("sync", journal.path_of(&name))?;
    }
    journal.sync()
}
