//! Finds changes that other programs made to our documents.

use std::collections::BTreeSet;

use memchr::memmem;
use sprag_core::{DocPath, Kind, Seq};

use crate::error::StoreError;
use crate::line::Line;
use crate::segment;
use crate::store::Store;
use crate::view::View;

/// A position in the journal from which to read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The segment and the offset in it, or `None` if only the line is known.
    at: Option<(Seq, u64)>,
    seq: Seq,
}

impl Point {
    /// The point just after a line.
    pub const fn of(seq: Seq) -> Self {
        Self { at: None, seq }
    }

    pub const fn seq(&self) -> Seq {
        self.seq
    }
}

impl View<'_> {
    /// The point of the line that the current decision writes.
    pub fn point(&self) -> Point {
        Point { at: self.end(), seq: self.seq() }
    }

    /// Returns whether a document's text differs from the one that the journal left. A document
    /// that the journal does not know is not foreign.
    pub fn is_foreign(&self, doc: &DocPath) -> bool {
        let now = self.read(doc).version();
        self.known(doc).is_some_and(|left| left != now)
    }

    /// Returns whether a document's text is the one that the journal left.
    pub fn is_known(&self, doc: &DocPath) -> bool {
        self.known(doc) == Some(self.read(doc).version())
    }
}

impl Store {
    /// Returns the documents that other programs changed after a line, as far as recorded, and the
    /// journal itself if it had to be restored. Parses only the lines that record such changes.
    pub fn foreign_since(&self, point: &Point) -> Result<BTreeSet<String>, StoreError> {
        let mut found = BTreeSet::new();
        let Some(journal) = self.journal()? else { return Ok(found) };
        for first in segment::all(&journal)?.into_iter().rev() {
            let offset = point.at.filter(|(segment, _)| *segment == first).map_or(0, |at| at.1);
            let Some(part) = segment::open(&journal, first, offset)? else { continue };
            for kind in [Kind::ForeignEdit, Kind::JournalRestored] {
                note(&part.bytes, point.seq, &kind, &mut found);
            }
            let is_start = point.at.is_some_and(|(segment, _)| segment == first);
            if is_start || first <= point.seq {
                break;
            }
        }
        Ok(found)
    }
}

/// The journal's name in messages.
const JOURNAL: &str = ".sprag/journal";

/// Adds to `found` the changes that lines after `since` record in an event of this kind.
fn note(bytes: &[u8], since: Seq, kind: &Kind, found: &mut BTreeSet<String>) {
    let mut rest = bytes;
    let finder = memmem::FinderRev::new(kind.as_str());
    while let Some(at) = finder.rfind(rest) {
        let start = memchr::memrchr(b'\n', &rest[..at]).map_or(0, |end| end + 1);
        let whole = &bytes[start..];
        let line = memchr::memchr(b'\n', whole).map(|end| &whole[..end]);
        rest = &bytes[..start];
        // An incomplete line was never acknowledged.
        let Some(line) = line.and_then(|line| Line::decode(line).ok()) else { continue };
        if line.seq <= since {
            return;
        }
        // The kind's name may also occur inside a text.
        if !line.events.iter().any(|event| event.kind == *kind) {
            continue;
        }
        found.extend(line.edits.iter().map(|edit| edit.doc.to_string()));
        if *kind == Kind::JournalRestored {
            found.insert(JOURNAL.to_owned());
        }
    }
}
