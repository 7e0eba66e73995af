//! The last version of each document in the journal: since the last checkpoint, and in it.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use sprag_core::{Event, Hash, Kind, Seq};

use crate::dir::Dir;
use crate::doc::Version;
use crate::error::StoreError;
use crate::inventory::{self, Inventory, Versions};
use crate::line::{self, Line};
use crate::place::Key;
use crate::tail::{JournalEnd, Tail};
use crate::{search, segment, sorted_index};

/// The start of a checkpoint's lists. It cannot occur elsewhere: quotes inside a name are escaped,
/// and a document's version is not an array.
const LISTS: &[u8] = b"\"lists\":[";
/// The start of the single list of older checkpoints. A document may have this name, too.
const LIST: &[u8] = b"\"blob\":";

/// Larger lines are not searched before they are read.
const SMALL: usize = 16 << 10;

/// The lines since the last checkpoint. Every commit reads them, but they are parsed only on
/// demand, because most commits ask for few documents.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// The end of the journal that it was read for.
    end: JournalEnd,
    path: PathBuf,
    first: Seq,
    bytes: Vec<u8>,
    /// The places behind the checkpoint that name documents, filled on first use.
    named: OnceCell<Vec<Named>>,
    /// The lists that the checkpoint names, filled on first use.
    lists: OnceCell<Vec<sorted_index::OpenIndex>>,
    /// Cached results: a decision and its commit ask for the same documents.
    asked: RefCell<BTreeMap<Key, Option<Version>>>,
}

/// A place where a line names a document.
#[derive(Debug)]
struct Named {
    /// The name in the line, with its quotes.
    name: Range<usize>,
    line: Range<usize>,
}

/// Changes to documents since the last checkpoint.
#[derive(Debug, Default)]
pub(crate) struct RecentVersions {
    /// The documents with an edit, and the version that it left.
    pub(crate) changed: Versions,
    /// The documents that other programs edited.
    pub(crate) foreign: BTreeSet<String>,
    /// The documents that were brought forward.
    pub(crate) redone: BTreeSet<String>,
}

/// The part of a line that is needed here; the rest is skipped.
#[derive(Deserialize)]
struct Glance<'a> {
    seq: Seq,
    #[serde(borrow)]
    events: Vec<GlanceEvent<'a>>,
    #[serde(borrow)]
    edits: Vec<GlanceEdit<'a>>,
}

#[derive(Deserialize)]
struct GlanceEvent<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
}

#[derive(Deserialize)]
struct GlanceEdit<'a> {
    #[serde(borrow)]
    doc: Cow<'a, str>,
    before: Option<Hash>,
    after: Option<Hash>,
}

/// Holds the lines that were read last. A hook reads the journal for a look and again for its
/// commit, and usually no other process writes between the two.
#[derive(Debug, Default)]
pub(crate) struct LastRead(Mutex<Option<Recent>>);

impl LastRead {
    /// Takes the lines if the journal still ends where they end.
    fn take(&self, tail: &Tail) -> Option<Recent> {
        // A panic while it was held leaves nothing half done.
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.take_if(|recent| recent.end == tail.journal_end())
    }

    pub(crate) fn keep(&self, recent: Recent) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(recent);
    }
}

impl Recent {
    /// Reads the lines, unless they were just read.
    pub(crate) fn read_once(
        journal: &Dir,
        tail: &Tail,
        last: &LastRead,
    ) -> Result<Self, StoreError> {
        last.take(tail).map_or_else(|| Self::read(journal, tail), Ok)
    }

    pub(crate) fn read(journal: &Dir, tail: &Tail) -> Result<Self, StoreError> {
        let Some(segment) = tail.segment else { return Ok(Self::default()) };
        let path = journal.path().join(segment::name(segment));
        let (offset, first) = tail.checkpoint;
        let Some(part) = segment::open(journal, segment, offset)? else {
            return Err(StoreError::Unknown { path, why: "it went away just now".to_owned() });
        };
        let mut bytes = part.bytes;
        bytes.truncate(usize::try_from(tail.end - offset).unwrap_or(usize::MAX));
        Ok(Self { end: tail.journal_end(), path, first, bytes, ..Self::default() })
    }

    /// Returns the version in which the journal left a document: from the last line that edits it,
    /// or else from the checkpoint. Returns `None` if the journal does not know it.
    pub(crate) fn tip(&self, journal: &Dir, key: &Key) -> Result<Option<Version>, StoreError> {
        if let Some(known) = self.asked.borrow().get(key) {
            return Ok(known.clone());
        }
        if !self.may_name(key) {
            return Ok(None);
        }
        let tip = match self.since(key)? {
            Some(version) => Some(version),
            // A document removed before the checkpoint counts as one that never existed.
            None => self.at_checkpoint(journal, key)?.filter(|tip| *tip != Version::Absent),
        };
        self.asked.borrow_mut().insert(key.clone(), tip.clone());
        Ok(tip)
    }

    /// Returns the documents that the journal left with a text and whose names begin with a prefix.
    /// Parses only the lines that name one.
    pub(crate) fn left_below(&self, journal: &Dir, prefix: &str) -> Result<Vec<Key>, StoreError> {
        let quoted = Key(prefix.to_owned()).quoted();
        let begin = quoted.strip_suffix('"').unwrap_or(&quoted).as_bytes();
        let named = self.named.get_or_init(|| self.find_names());
        let mut texts: Vec<&[u8]> = named.iter().map(|one| &self.bytes[one.name.clone()]).collect();
        texts.extend(self.lines().next().into_iter().flat_map(|line| strings(line, begin)));
        texts.retain(|name| name.starts_with(begin));
        let read = |name: &[u8]| serde_json::from_slice::<String>(name).ok().map(Key);
        let mut keys: BTreeSet<Key> = texts.into_iter().filter_map(read).collect();
        for list in self.lists(journal)? {
            keys.extend(list.below(journal, prefix)?);
        }
        let mut left = Vec::new();
        for key in keys {
            if let Some(Version::Text(_)) = self.tip(journal, &key)? {
                left.push(key);
            }
        }
        Ok(left)
    }

    /// Returns whether these lines, or a list of their checkpoint, may name a document. Most host
    /// hooks ask for one that never existed: the configuration of a project without one.
    fn may_name(&self, key: &Key) -> bool {
        let has = |text: &[u8], needle: &[u8]| search::find(text, needle).is_some();
        let checkpoint = || {
            let mut lines = self.bytes.split(|byte| *byte == b'\n');
            lines.find(|line| !line.is_empty()).unwrap_or_default()
        };
        let has_lists = || [LISTS, LIST].iter().any(|word| has(checkpoint(), word));
        self.bytes.len() > SMALL || has(&self.bytes, key.quoted().as_bytes()) || has_lists()
    }

    /// Returns the version that the last edit behind the checkpoint left, if there is one.
    fn since(&self, key: &Key) -> Result<Option<Version>, StoreError> {
        let wanted = key.quoted();
        let named = self.named.get_or_init(|| self.find_names());
        let is_it = |named: &&Named| &self.bytes[named.name.clone()] == wanted.as_bytes();
        for named in named.iter().rev().filter(is_it) {
            let glance: Glance<'_> = line::read(&self.bytes[named.line.clone()])
                .map_err(|error| self.unknown(&error))?;
            // An event may also name the document, in a line that does not edit it.
            if let Some(edit) = glance.edits.iter().rfind(|edit| edit.doc == key.0) {
                return Ok(Some(Version::from_hash(edit.after)));
            }
        }
        Ok(None)
    }

    /// Finds every place behind the checkpoint that names a document, in one pass. Quotes inside a
    /// text are escaped, so no text can look like a name.
    fn find_names(&self) -> Vec<Named> {
        const START: &[u8] = b"\"doc\":\"";
        let mut named = Vec::new();
        let mut end = self.line_end(0);
        let mut line = 0..end;
        for at in search::find_all(&self.bytes, START).map(|at| at + START.len() - 1) {
            while at >= end {
                (line, end) = (end + 1..self.line_end(end + 1), self.line_end(end + 1));
            }
            let name = at..string_end(&self.bytes, at);
            if line.start > 0 {
                named.push(Named { name, line: line.clone() });
            }
        }
        named
    }

    fn line_end(&self, start: usize) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        search::byte(rest, b'\n').map_or(self.bytes.len(), |length| start + length)
    }

    /// Returns the version that the checkpoint records. Searches its line and then its lists
    /// without parsing the line, which is long.
    fn at_checkpoint(&self, journal: &Dir, key: &Key) -> Result<Option<Version>, StoreError> {
        let Some(line) = self.lines().next() else { return Ok(None) };
        let mut found = in_line(line, key);
        for list in self.lists(journal)? {
            if found.is_some() {
                break;
            }
            found = list.find(journal, key)?;
        }
        Ok(found)
    }

    /// Opens the lists that the checkpoint names. Searches its line for them without parsing it,
    /// because it is long.
    fn lists(&self, journal: &Dir) -> Result<&[sorted_index::OpenIndex], StoreError> {
        if let Some(lists) = self.lists.get() {
            return Ok(lists);
        }
        let line = self.lines().next().unwrap_or_default();
        let data = if let Some(at) = search::find(line, LISTS) {
            let names = &line[at + LISTS.len() - 1..];
            let mut names = serde_json::Deserializer::from_slice(names).into_iter::<Value>();
            let names = names.next().transpose().map_err(|error| self.unknown(&error))?;
            json!({ "lists": names })
        } else if search::find(line, LIST).is_some() {
            let line = Line::decode(line).map_err(|error| self.unknown(&error))?;
            line.events.into_iter().next().map(|event| event.data).unwrap_or_default()
        } else {
            Value::Null
        };
        let lists = inventory::lists(&data);
        let lists = lists.ok_or_else(|| self.unknown(&"the checkpoint does not name its lists"))?;
        let opened = lists.iter().map(|list| list.open(journal)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.lists.get_or_init(|| opened))
    }

    /// Checks the lists against their hashes. Needed before a text is reported as foreign: a
    /// damaged list would produce a false report.
    pub(crate) fn verify(&self, journal: &Dir) -> Result<(), StoreError> {
        for list in self.lists(journal)? {
            list.verify(journal)?;
        }
        Ok(())
    }

    /// Returns the changes since the checkpoint.
    pub(crate) fn known(&self) -> Result<RecentVersions, StoreError> {
        let mut known = RecentVersions::default();
        let mut seq = self.first;
        for bytes in self.lines().skip(1) {
            seq = seq.next();
            let glance: Glance<'_> = line::read(bytes).map_err(|error| self.unknown(&error))?;
            if glance.seq != seq {
                let why = format!("event {} stands where event {seq} should", glance.seq);
                return Err(self.unknown(&why));
            }
            known.take(&glance, bytes);
        }
        Ok(known)
    }

    /// Returns the inventory of the checkpoint.
    pub(crate) fn inventory(&self, journal: &Dir) -> Result<Inventory, StoreError> {
        let Some(bytes) = self.lines().next() else { return Ok(Inventory::default()) };
        let line = Line::decode(bytes).map_err(|error| self.unknown(&error))?;
        Inventory::read(journal, &line)
    }

    /// The lines, split by a search because the first may be very long.
    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let end = search::byte(rest, b'\n').unwrap_or(rest.len());
                let (line, after) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
                rest = after;
                if !line.is_empty() {
                    return Some(line);
                }
            }
            None
        })
    }

    fn unknown(&self, why: &impl ToString) -> StoreError {
        StoreError::Unknown { path: self.path.clone(), why: why.to_string() }
    }
}

impl RecentVersions {
    fn take(&mut self, glance: &Glance<'_>, bytes: &[u8]) {
        let has = |kind: &Kind| glance.events.iter().any(|event| event.kind == kind.as_str());
        for edit in &glance.edits {
            let key = Key(edit.doc.clone().into_owned());
            // With equal versions, the line only keeps a text from before the project used sprag.
            if has(&Kind::ForeignEdit) && edit.before != edit.after {
                self.foreign.insert(key.to_string());
            }
            self.changed.insert(key, edit.after);
        }
        if has(&Kind::Redone)
            && let Ok(line) = Line::decode(bytes)
        {
            for event in &line.events {
                if let Event::Redone(redone) = event.read() {
                    self.redone.extend(redone.docs);
                }
            }
        }
    }
}

/// Finds the strings with this beginning, with their quotes.
fn strings<'l>(line: &'l [u8], begin: &'l [u8]) -> impl Iterator<Item = &'l [u8]> {
    search::find_all(line, begin).map(|at| &line[at..string_end(line, at)])
}

/// Returns the end of the string that starts with the quote at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(length) = search::either(&bytes[at.min(bytes.len())..], b'"', b'\\') {
        at += length + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Finds `"KEY":"HASH"` in the line of a checkpoint, or `"KEY":null` for a removed document. Quotes
/// inside a name are escaped, so nothing else can look like it.
fn in_line(line: &[u8], key: &Key) -> Option<Version> {
    let needle = format!("{}:", key.quoted());
    let version = |at: usize| {
        let rest = &line[at + needle.len()..];
        if rest.starts_with(b"null") {
            return Some(Version::Absent);
        }
        let hash = rest.strip_prefix(b"\"")?.get(..64)?;
        Some(Version::Text(Hash::parse(std::str::from_utf8(hash).ok()?)?))
    };
    search::find_all(line, needle.as_bytes()).find_map(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_line_has_anyway_are_no_documents() {
        let hash = Hash::of("x");
        let line = format!(r#"{{"v":1,"docs":{{"a":"{hash}","gone":null}},"actor":"sprag"}}"#);
        let find = |name: &str| in_line(line.as_bytes(), &Key(name.to_owned()));
        assert_eq!(find("a"), Some(Version::Text(hash)));
        assert_eq!(find("gone"), Some(Version::Absent));
        for name in ["v", "docs", "actor", "sprag", "b"] {
            assert_eq!(find(name), None, "{name}");
        }
    }

    #[test]
    fn a_string_ends_with_a_quote_that_is_not_escaped() {
        for (text, end) in [(r#""ab",1"#, 4), (r#""a\"b","#, 6), (r#""a\\","#, 5), (r#""ab"#, 3)] {
            assert_eq!(string_end(text.as_bytes(), 0), end, "{text}");
        }
    }
}
