//! What somebody else wrote into documents of ours: noted already, or only to be seen.

use std::collections::BTreeSet;

use memchr::memmem;
use sprag_core::{DocPath, Kind, Seq};

use crate::error::StoreError;
use crate::line::Line;
use crate::segment;
use crate::store::Store;
use crate::view::View;

/// A place in the journal, from which it is read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The segment, and where in it; nothing where only the line is known.
    at: Option<(Seq, u64)>,
    seq: Seq,
}

impl Point {
    /// Returns the place of a line; what is behind it is looked for.
    pub const fn of(seq: Seq) -> Self {
        Self { at: None, seq }
    }

    /// Returns the line.
    pub const fn seq(&self) -> Seq {
        self.seq
    }
}

impl View<'_> {
    /// Returns the place of the line that a decision writes now.
    pub fn point(&self) -> Point {
        Point { at: self.end(), seq: self.seq() }
    }

    /// Returns whether the text of a document is not the one that the journal left there; one of
    /// which the journal knows nothing is nobody's.
    pub fn is_foreign(&self, doc: &DocPath) -> bool {
        let now = self.read(doc).version();
        self.known(doc).is_some_and(|left| left != now)
    }

    /// Returns whether the text of a document is the one that the journal left there.
    pub fn is_known(&self, doc: &DocPath) -> bool {
        self.known(doc) == Some(self.read(doc).version())
    }
}

impl Store {
    /// Returns the documents that somebody else changed after a line, as far as that was noted, and
    /// the journal itself where it was gone. Only the lines that record it are parsed.
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

/// The journal, as people say it.
const JOURNAL: &str = ".sprag/journal";

/// Takes what lines after `since` with an event of this kind record as changed by others.
fn note(bytes: &[u8], since: Seq, kind: &Kind, found: &mut BTreeSet<String>) {
    let mut rest = bytes;
    let finder = memmem::FinderRev::new(kind.as_str());
    while let Some(at) = finder.rfind(rest) {
        let start = memchr::memrchr(b'\n', &rest[..at]).map_or(0, |end| end + 1);
        let whole = &bytes[start..];
        let line = memchr::memchr(b'\n', whole).map(|end| &whole[..end]);
        rest = &bytes[..start];
        // A line that is not whole was never told.
        let Some(line) = line.and_then(|line| Line::decode(line).ok()) else { continue };
        if line.seq <= since {
            return;
        }
        // The words may stand in a text as well.
        if !line.events.iter().any(|event| event.kind == *kind) {
            continue;
        }
        found.extend(line.edits.iter().map(|edit| edit.doc.to_string()));
        if *kind == Kind::JournalRestored {
            found.insert(JOURNAL.to_owned());
        }
    }
}
