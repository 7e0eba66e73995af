//! What the journal last knew of each document: since the last checkpoint, and in it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use memchr::arch::all::twoway;
use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;
use sprag_core::{Hash, Kind, Seq};

use crate::blob;
use crate::dir::Dir;
use crate::doc::Version;
use crate::error::StoreError;
use crate::line::{self, Line};
use crate::place::Key;
use crate::segment;
use crate::tail::Tail;

/// Up to here, asking the processor what it can do takes longer than searching without.
const SMALL: usize = 16 << 10;

/// The lines from the last checkpoint on. They are read at every commit and parsed only as far as
/// somebody asks, because most commits ask for one document, and the line before had it, too.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    path: PathBuf,
    first: Seq,
    bytes: Vec<u8>,
    /// The text of the blob that holds the checkpoint's documents, once it was asked for.
    list: OnceCell<String>,
}

/// Everything the journal knows.
#[derive(Debug, Default)]
pub(crate) struct Known {
    tips: BTreeMap<Key, Option<Hash>>,
    /// The documents with an edit since the checkpoint.
    pub(crate) changed: BTreeSet<Key>,
    /// Those of them that somebody else edited.
    pub(crate) foreign: BTreeSet<String>,
    /// The documents that were brought forward since the checkpoint.
    pub(crate) redone: BTreeSet<String>,
}

/// What is to be known of a line here; the rest of it is passed over.
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

impl Recent {
    pub(crate) fn read(journal: &Dir, tail: &Tail) -> Result<Self, StoreError> {
        let Some(segment) = tail.segment else { return Ok(Self::default()) };
        let path = journal.path().join(segment::name(segment));
        let (offset, first) = tail.checkpoint;
        let Some(part) = segment::open(journal, segment, offset)? else {
            return Err(StoreError::Unknown { path, why: "it went away just now".to_owned() });
        };
        let mut bytes = part.bytes;
        bytes.truncate(usize::try_from(tail.end - offset).unwrap_or(usize::MAX));
        Ok(Self { path, first, bytes, list: OnceCell::new() })
    }

    /// Returns the version the journal left a document in, if it knows the document: what the
    /// last line that names it says, or else the checkpoint.
    pub(crate) fn tip(&self, journal: &Dir, key: &Key) -> Result<Option<Version>, StoreError> {
        if !self.may_name(key) {
            return Ok(None);
        }
        // A quote inside a text is escaped, so this can only be the key of an edit, or of an
        // event's data; the edits themselves tell.
        let needle = format!("\"doc\":{}", Value::String(key.0.clone()));
        // Searching backwards is many times slower, and the lines are few.
        let found: Vec<usize> = memmem::find_iter(&self.bytes, needle.as_bytes()).collect();
        for at in found.into_iter().rev() {
            let start = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |n| at + n);
            if start == 0 {
                continue; // The checkpoint, which is asked below.
            }
            let glance: Glance<'_> =
                line::read(&self.bytes[start..end]).map_err(|error| self.unknown(&error))?;
            if let Some(edit) = glance.edits.iter().rfind(|edit| edit.doc == key.0) {
                return Ok(Some(Version::from_hash(edit.after)));
            }
        }
        Ok(self.at_checkpoint(journal, key)?.map(|hash| Version::from_hash(Some(hash))))
    }

    /// Returns whether a document may be named in these lines, or in the blob of their checkpoint. A
    /// host hook mostly asks about one that never was: the configuration of a project without one.
    fn may_name(&self, key: &Key) -> bool {
        let has =
            |text: &[u8], needle: &[u8]| twoway::Finder::new(needle).find(text, needle).is_some();
        let bytes = &self.bytes;
        let name = Value::String(key.0.clone()).to_string();
        let checkpoint = || {
            let mut lines = bytes.split(|byte| *byte == b'\n');
            lines.find(|line| !line.is_empty()).unwrap_or_default()
        };
        bytes.len() > SMALL || has(bytes, name.as_bytes()) || has(checkpoint(), b"\"blob\":")
    }

    /// Returns the version that the checkpoint names. It lists every document there is, so it is
    /// searched and not parsed.
    fn at_checkpoint(&self, journal: &Dir, key: &Key) -> Result<Option<Hash>, StoreError> {
        let Some(line) = self.lines().next() else { return Ok(None) };
        // A long list stands in a blob.
        if memmem::find(line, b"\"blob\":").is_none() {
            return Ok(listed(line, key));
        }
        if self.list.get().is_none() {
            let line = Line::decode(line).map_err(|error| self.unknown(&error))?;
            let blob = line.events.first().and_then(|event| event.data.get("blob")?.as_str());
            let text = blob.map(|name| blob::read(journal, name)).transpose()?;
            let _ = self.list.set(text.unwrap_or_default());
        }
        Ok(self.list.get().and_then(|text| listed(text.as_bytes(), key)))
    }

    /// Reads everything.
    pub(crate) fn known(&self, journal: &Dir) -> Result<Known, StoreError> {
        let mut known = Known { tips: self.checkpoint(journal)?, ..Known::default() };
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

    /// Returns the lines, found as quickly as memory can be read: the first may be very long.
    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                let (line, after) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
                rest = after;
                if !line.is_empty() {
                    return Some(line);
                }
            }
            None
        })
    }

    fn checkpoint(&self, journal: &Dir) -> Result<BTreeMap<Key, Option<Hash>>, StoreError> {
        let Some(bytes) = self.lines().next() else { return Ok(BTreeMap::new()) };
        let line = Line::decode(bytes).map_err(|error| self.unknown(&error))?;
        checkpoint_docs(journal, &line)
    }

    fn unknown(&self, why: &impl ToString) -> StoreError {
        StoreError::Unknown { path: self.path.clone(), why: why.to_string() }
    }
}

impl Known {
    fn take(&mut self, glance: &Glance<'_>, bytes: &[u8]) {
        let has = |kind: &Kind| glance.events.iter().any(|event| event.kind == kind.as_str());
        for edit in &glance.edits {
            let key = Key(edit.doc.clone().into_owned());
            // Equal versions: a text that was there before we were.
            if has(&Kind::ForeignEdit) && edit.before != edit.after {
                self.foreign.insert(key.to_string());
            }
            self.tips.insert(key.clone(), edit.after);
            self.changed.insert(key);
        }
        if has(&Kind::Redone)
            && let Ok(line) = Line::decode(bytes)
        {
            let docs = line.events.iter().filter_map(|event| event.data.get("docs")?.as_array());
            let names = docs.flatten().filter_map(Value::as_str);
            self.redone.extend(names.map(str::to_owned));
        }
    }

    pub(crate) fn documents(&self) -> impl Iterator<Item = &Key> {
        self.tips.iter().filter(|(_, hash)| hash.is_some()).map(|(key, _)| key)
    }

    /// Returns what a checkpoint says: every document there is, and its version.
    pub(crate) fn to_data(&self) -> Value {
        let docs = self.tips.iter().filter_map(|(key, hash)| {
            hash.map(|hash| (key.0.clone(), Value::String(hash.to_string())))
        });
        serde_json::json!({ "docs": Value::Object(docs.collect()) })
    }
}

/// Finds `"KEY":"HASH"` in the list of a checkpoint. Quotes inside a name are escaped, so nothing
/// else can look like it.
fn listed(list: &[u8], key: &Key) -> Option<Hash> {
    let needle = format!("{}:\"", Value::String(key.0.clone()));
    let at = memmem::find(list, needle.as_bytes())? + needle.len();
    let end = at + memchr::memchr(b'"', &list[at..])?;
    Hash::parse(std::str::from_utf8(&list[at..end]).ok()?)
}

/// Reads the documents of a checkpoint, from its line or from the blob it names.
fn checkpoint_docs(journal: &Dir, line: &Line) -> Result<BTreeMap<Key, Option<Hash>>, StoreError> {
    let unknown = |why: &str| StoreError::Unknown {
        path: journal.path().to_owned(),
        why: format!("checkpoint {}: {why}", line.seq),
    };
    let data = line.events.first().map(|event| event.data.clone()).unwrap_or_default();
    let data = match data.get("blob").and_then(Value::as_str) {
        None => data,
        Some(name) => serde_json::from_str(&blob::read(journal, name)?)
            .map_err(|_| unknown("its blob is not JSON"))?,
    };
    let docs = data.get("docs").and_then(Value::as_object).ok_or_else(|| unknown("no docs"))?;
    docs.iter()
        .map(|(key, hash)| {
            let hash = hash.as_str().and_then(Hash::parse).ok_or_else(|| unknown("no hash"))?;
            Ok((Key(key.clone()), Some(hash)))
        })
        .collect()
}
