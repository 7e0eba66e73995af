//! What the journal last knew of each document: since the last checkpoint, and in it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sprag_core::Hash;

use crate::blob;
use crate::dir::Dir;
use crate::doc::Version;
use crate::error::StoreError;
use crate::line::Line;
use crate::place::Key;
use crate::scan;
use crate::segment;
use crate::tail::Tail;

#[derive(Debug, Default)]
pub(crate) struct Known {
    tips: BTreeMap<Key, Option<Hash>>,
    /// The documents with an edit since the checkpoint.
    pub(crate) changed: BTreeSet<Key>,
    /// The lines since the checkpoint.
    pub(crate) lines: Vec<Line>,
}

impl Known {
    pub(crate) fn read(journal: &Dir, tail: &Tail) -> Result<Self, StoreError> {
        let Some(first) = tail.segment else { return Ok(Self::default()) };
        let path = journal.path_of(&segment::name(first));
        let unknown = |why: String| StoreError::Unknown { path: path.clone(), why };
        let (offset, seq) = tail.checkpoint;
        let part = segment::read(journal, first, offset)?
            .ok_or_else(|| unknown("it went away while it was read".to_owned()))?;
        let scan = scan::scan(&part.bytes, offset, Some(seq))
            .map_err(|broken| unknown(format!("at byte {}: {}", broken.offset, broken.why)))?;
        let mut lines = scan.lines.into_iter().map(|(_, line)| line);
        let mut known = Self::default();
        if let Some(checkpoint) = lines.next() {
            known.tips = checkpoint_docs(journal, &checkpoint)?;
        }
        known.lines = lines.collect();
        for edit in known.lines.iter().flat_map(|line| &line.edits) {
            known.tips.insert(edit.doc.clone(), edit.after);
            known.changed.insert(edit.doc.clone());
        }
        Ok(known)
    }

    /// Returns the version the journal left a document in, if it knows the document.
    pub(crate) fn tip(&self, key: &Key) -> Option<Version> {
        self.tips.get(key).map(|&hash| Version::from_hash(hash))
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
