//! The end of the journal: its last lines, and those that documents may still lack.

use sprag_core::{Kind, Seq};

use crate::dir::Dir;
use crate::error::StoreError;
use crate::head::JournalHead;
use crate::line::Line;
use crate::scan::{self, Scan};
use crate::segment::{self, Stamp};

/// The end of the journal as found on disk.
#[derive(Debug)]
pub(crate) struct Tail {
    /// The last segment with a line, or `None` before the first commit.
    pub(crate) segment: Option<Seq>,
    /// The offset in it at which its last good line ends.
    pub(crate) end: u64,
    /// The last line, or zero before the first commit.
    pub(crate) last: Seq,
    /// The sequence number for the first line of an empty journal.
    pub(crate) first: Seq,
    /// The offset in this segment at which the last checkpoint begins, and its line.
    pub(crate) checkpoint: (u64, Seq),
    /// The lines that the documents may still lack.
    pub(crate) pending: Vec<Line>,
    /// Whether the rest of an incomplete write follows `end`.
    pub(crate) torn: bool,
    /// The next segment, if it was created but has no line.
    pub(crate) stillborn: Option<Seq>,
    /// Whether the head was intact, of this boot and about this segment.
    pub(crate) head_fresh: bool,
    /// The head and stamp as read, to detect a change.
    seen: HeadStamp,
}

/// Identifies an end of the journal: as long as it is the same, so are the lines before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JournalEnd {
    segment: Option<Seq>,
    checkpoint: (u64, Seq),
    end: u64,
    seen: HeadStamp,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct HeadStamp {
    head: Option<Vec<u8>>,
    stamp: Option<Stamp>,
}

impl Tail {
    /// The tail of a journal without lines.
    pub(crate) fn empty() -> Self {
        Self {
            segment: None,
            end: 0,
            last: Seq(0),
            first: Seq(1),
            checkpoint: (0, Seq(0)),
            pending: Vec::new(),
            torn: false,
            stillborn: None,
            head_fresh: true,
            seen: HeadStamp::default(),
        }
    }

    /// Reads the end of the journal without a lock. A writer may be active meanwhile;
    /// [`Tail::still_true`] detects that.
    pub(crate) fn read(journal: &Dir, boot: Option<&str>) -> Result<Self, StoreError> {
        let (bytes, head) = JournalHead::read(journal)?;
        let mut tail = Self::empty();
        tail.seen.head = bytes;
        match head {
            Some(head) => tail.follow(journal, &head, boot)?,
            None => tail.search(journal)?,
        }
        Ok(tail)
    }

    pub(crate) fn journal_end(&self) -> JournalEnd {
        let Self { segment, checkpoint, end, ref seen, .. } = *self;
        JournalEnd { segment, checkpoint, end, seen: seen.clone() }
    }

    /// The sequence number of the next line.
    pub(crate) fn next(&self) -> Seq {
        if self.segment.is_some() { self.last.next() } else { self.first }
    }

    /// Returns whether head and segments are unchanged since this was read.
    pub(crate) fn still_true(&self, journal: &Dir) -> Result<bool, StoreError> {
        let head = JournalHead::bytes(journal)?;
        let stamp = match self.segment {
            Some(first) => journal.stat(&segment::name(first))?.as_ref().map(segment::stamp_of),
            None => None,
        };
        let next = self.stillborn.unwrap_or(self.next());
        let next = journal.stat(&segment::name(next))?.is_some();
        let now = HeadStamp { head, stamp };
        Ok(now == self.seen && next == self.stillborn.is_some())
    }

    /// Continues from the head: after the last applied line, or after another boot, from the last
    /// checkpoint.
    fn follow(
        &mut self,
        journal: &Dir,
        head: &JournalHead,
        boot: Option<&str>,
    ) -> Result<(), StoreError> {
        self.head_fresh = boot == Some(head.boot.as_str());
        self.segment = Some(head.seg);
        self.checkpoint = (head.ck_off, head.ck_seq);
        let (from, before) = if self.head_fresh {
            (head.off, head.seq)
        } else {
            (head.ck_off, Seq(head.ck_seq.0.saturating_sub(1)))
        };
        (self.end, self.last) = (from, before);
        let part = segment::read(journal, head.seg, from)?.ok_or_else(|| StoreError::Unknown {
            path: journal.path().join(segment::name(head.seg)),
            why: "it is missing, although the head names it".to_owned(),
        })?;
        if part.stamp.length < head.off {
            return Err(StoreError::Unknown {
                path: journal.path().join(segment::name(head.seg)),
                why: format!("it has {} bytes, and {} were written", part.stamp.length, head.off),
            });
        }
        self.take(journal, head.seg, &part, Some(before.next()))?;
        if self.end < head.off || self.last < head.seq {
            return Err(StoreError::Unknown {
                path: journal.path().join(segment::name(head.seg)),
                why: format!("event {} was written and is damaged", self.last.next()),
            });
        }
        self.cross(journal)?;
        self.head_fresh &= self.segment == Some(head.seg);
        Ok(())
    }

    /// Without a head, reads the newest segment that has a line from its start.
    fn search(&mut self, journal: &Dir) -> Result<(), StoreError> {
        self.head_fresh = false;
        for first in segment::all(journal)?.into_iter().rev() {
            let Some(part) = segment::read(journal, first, 0)? else { continue };
            if self.take(journal, first, &part, Some(first))? {
                return Ok(());
            }
            self.stillborn = Some(first);
        }
        Ok(())
    }

    /// Continues into segments that were started after the head was written.
    fn cross(&mut self, journal: &Dir) -> Result<(), StoreError> {
        while !self.torn {
            let next = self.last.next();
            let Some(part) = segment::read(journal, next, 0)? else { return Ok(()) };
            let (end, torn) = (self.end, self.torn);
            if !self.take(journal, next, &part, Some(next))? {
                (self.end, self.torn) = (end, torn);
                self.stillborn = Some(next);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes over the lines of one segment. Returns false if it has none.
    fn take(
        &mut self,
        journal: &Dir,
        first: Seq,
        part: &segment::SegmentTail,
        expected: Option<Seq>,
    ) -> Result<bool, StoreError> {
        let offset = if self.segment == Some(first) { self.end } else { 0 };
        let path = journal.path().join(segment::name(first));
        let unknown = |why| StoreError::Unknown { path: path.clone(), why };
        let Scan { lines, end, torn } = scan::scan(&part.bytes, offset, expected)
            .map_err(|broken| unknown(format!("at byte {}: {}", broken.offset, broken.why)))?;
        if offset == 0 && lines.first().is_some_and(|(_, line)| !is_checkpoint(line)) {
            return Err(unknown("its first line is not a checkpoint".to_owned()));
        }
        if lines.is_empty() && offset == 0 {
            if end < part.stamp.length && part.stamp.length >= segment::FULL {
                return Err(unknown("it is full and has no line".to_owned()));
            }
            return Ok(false);
        }
        (self.segment, self.end, self.torn) = (Some(first), end, torn);
        self.seen.stamp = Some(part.stamp);
        for (at, line) in lines {
            self.last = line.seq;
            if is_checkpoint(&line) {
                // Everything before a checkpoint was written and synced before it, so nothing of it
                // is pending.
                self.checkpoint = (at, line.seq);
                self.pending.clear();
            } else {
                self.pending.push(line);
            }
        }
        Ok(true)
    }
}

pub(crate) fn is_checkpoint(line: &Line) -> bool {
    line.events.first().is_some_and(|event| event.kind == Kind::Checkpoint)
}
