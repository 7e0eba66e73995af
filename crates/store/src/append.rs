//! Appends to the journal: one batch of lines per commit, in one write.

use std::os::unix::fs::FileExt;

use sprag_core::Seq;

use crate::blob;
use crate::dir::Dir;
use crate::error::{CommitError, Context, PathError, StoreError};
use crate::failpoint;
use crate::inventory::{self, Inventory};
use crate::line::{Insert, Line, LineSplice, MAX_LINE};
use crate::segment;
use crate::sys;
use crate::tail::{self, Tail};

/// The longest checkpoint line. Every later commit and host hook reads that line, but its lists
/// only when a document is looked up.
const MAX_CHECKPOINT: usize = 8 << 10;

/// Lines that are appended in one write.
pub(crate) struct Batch {
    pub(crate) segment: Seq,
    start: u64,
    bytes: String,
    /// The offset and sequence number of the checkpoint in this batch, if it has one.
    pub(crate) checkpoint: Option<(u64, Seq)>,
    pub(crate) lists: Vec<String>,
    /// Whether a text or list of this batch is in a blob.
    pub(crate) has_blobs: bool,
}

impl Batch {
    /// Starts a batch at the end of the journal, or in a new segment if the last one is full.
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

    /// The offset in the segment at which the batch ends.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Adds a line. If the line is too long, its largest texts move to blobs first.
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

    /// Moves the largest text of a line to a blob, or the documents of a checkpoint to a list.
    /// Returns false if nothing is left to move.
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

    /// Appends the batch and syncs it. An error before the lines are visible to others removes them
    /// again; a later error is [`CommitError::Unsynced`].
    pub(crate) fn append<E>(&self, journal: &Dir, seq: Seq) -> Result<(), CommitError<E>> {
        let name = segment::name(self.segment);
        let path = journal.path_of(&name);
        let (file, stat) = journal.open_or_make(&name)?;
        if segment::stamp_of(&stat).length != self.start {
            // Another process wrote despite the lock. Never overwrite its lines.
            return Err(StoreError::Busy { waited: std::time::Duration::ZERO }.into());
        }
        let written = file
            .write_all_at(self.bytes.as_bytes(), self.start)
            .and_then(|()| failpoint::reach("store.appended"));
        if let Err(source) = written {
            // If this fails too, the next writer finds a torn tail and cuts it off.
            let _ = file.set_len(self.start);
            return Err(PathError { action: "write", path: path.into(), source }.into());
        }
        let synced = sys::sync_data(&file).context("sync", path);
        let synced =
            synced.and_then(|()| if self.is_new_segment() { journal.sync() } else { Ok(()) });
        synced.map_err(|source| CommitError::Unsynced { seq, source })
    }
}

/// Cuts off the incomplete write of a killed process behind the last good line.
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

/// Syncs lines that may have been appended without a sync, so that they survive a power cut.
pub(crate) fn sync(journal: &Dir, tail: &Tail) -> Result<(), PathError> {
    let Some(first) = tail.segment else { return Ok(()) };
    let name = segment::name(first);
    if let Some(file) = journal.open(&name)? {
        sys::sync_data(&file).context("sync", journal.path_of(&name))?;
    }
    journal.sync()
}
