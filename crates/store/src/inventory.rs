//! The inventory of a checkpoint: every document that the journal knows, and the version it left.
//!
//! A few documents fit in the checkpoint's line itself. More are stored in lists beside it, and
//! newer entries win: first the line, then each list in turn. A new list absorbs the previous one
//! unless that is much longer. So there are few lists, a document is copied a few times rather than
//! at every checkpoint, and a commit does not get slower as documents accumulate.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sprag_core::{Hash, Seq};

use crate::blob;
use crate::dir::Dir;
use crate::error::StoreError;
use crate::line::Line;
use crate::place::Key;
use crate::sorted_index::{self, Entries, Entry, List};

/// A list more than this many times as long as the new entries is not merged with them.
const MUCH_LONGER: u64 = 4;

/// Documents and their versions; `None` means "no document".
pub(crate) type Versions = BTreeMap<Key, Option<Hash>>;

/// The documents that a checkpoint knows.
#[derive(Debug, Default)]
pub(crate) struct Inventory {
    /// The documents in the line itself.
    docs: Versions,
    /// The blobs with the other documents, newest first.
    lists: Vec<List>,
}

impl Inventory {
    /// Reads the inventory from a checkpoint's line.
    pub(crate) fn read(journal: &Dir, line: &Line) -> Result<Self, StoreError> {
        let data = line.events.first().map(|event| &event.data).unwrap_or_default();
        let read = lists(data).and_then(|lists| {
            let docs = match data.get("docs") {
                None if lists.is_empty() => None,
                None => Some(Versions::new()),
                Some(docs) => sorted_index::from_object(docs),
            };
            Some(Self { docs: docs?, lists })
        });
        read.ok_or_else(|| StoreError::Unknown {
            path: journal.path().to_owned(),
            why: format!("checkpoint {}: it does not list documents", line.seq),
        })
    }

    /// The event data of a checkpoint with this inventory.
    pub(crate) fn to_data(&self) -> Value {
        let text = |hash: &Option<Hash>| hash.map_or(Value::Null, |hash| hash.to_string().into());
        let docs = self.docs.iter().map(|(key, hash)| (key.0.clone(), text(hash)));
        let docs = Value::Object(docs.collect());
        if self.lists.is_empty() {
            json!({ "docs": docs })
        } else {
            let lists: Vec<Value> = self.lists.iter().map(List::to_value).collect();
            json!({ "docs": docs, "lists": lists })
        }
    }

    /// Adds the changes since the last checkpoint.
    pub(crate) fn update(&mut self, changed: Versions) {
        self.docs.extend(changed);
        if self.lists.is_empty() {
            // Without lists, no older entry remains that a removed document would have to hide.
            self.docs.retain(|_, hash| hash.is_some());
        }
    }

    /// Returns all existing documents.
    pub(crate) fn all(&self, journal: &Dir) -> Result<Versions, StoreError> {
        let docs = self.docs.iter().map(|(key, hash)| Ok((key.clone(), *hash)));
        let mut all: Versions =
            together(journal, Box::new(docs), &self.lists)?.collect::<Result<_, _>>()?;
        all.retain(|_, hash| hash.is_some());
        Ok(all)
    }

    /// Moves the documents of the line to a new list, merged with the lists that are not much
    /// longer. Returns false if the line has no documents.
    pub(crate) fn put_aside(&mut self, journal: &Dir, segment: Seq) -> Result<bool, StoreError> {
        if self.docs.is_empty() {
            return Ok(false);
        }
        let docs = std::mem::take(&mut self.docs);
        let (mut length, mut older) = (sorted_index::length(&docs), 0);
        for list in &self.lists {
            let bytes = list.open(journal)?.length;
            if bytes > MUCH_LONGER * length {
                break;
            }
            length += bytes;
            older += 1;
        }
        let is_last = older == self.lists.len();
        let taken_in: Vec<List> = self.lists.drain(..older).collect();
        let docs = together(journal, Box::new(docs.into_iter().map(Ok)), &taken_in)?;
        // In the oldest list, a removed document no longer hides an older entry.
        let kept = docs.filter(|entry| !is_last || !matches!(entry, Ok((_, None))));
        let lines = kept.map(|entry| entry.map(sorted_index::line));
        let (name, bytes) = blob::write_pieces(journal, segment, lines)?;
        self.lists.insert(0, List { name, bytes: Some(bytes) });
        Ok(true)
    }
}

/// Merges the documents with older lists; newer entries win.
fn together<'a>(
    journal: &'a Dir,
    docs: Entries<'a>,
    lists: &'a [List],
) -> Result<impl Iterator<Item = Entry> + use<'a>, StoreError> {
    let mut all = vec![docs];
    for list in lists {
        all.push(list.open(journal)?.entries(journal)?);
    }
    Ok(sorted_index::merged(all))
}

/// Returns the lists that a checkpoint names, newest first. Older checkpoints have a single blob
/// with all documents.
pub(crate) fn lists(data: &Value) -> Option<Vec<List>> {
    let several = data.get("lists").and_then(Value::as_array).into_iter().flatten();
    several.chain(data.get("blob")).map(List::from_value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Event;
    use sprag_core::{Kind, Time};

    fn key(n: usize) -> Key {
        Key(format!("docs/{n:06}.md"))
    }

    fn line(data: Value) -> Line {
        let mut line = Line::new(Seq(7), Time::from_millis(0), "test");
        line.events.push(Event { run: None, kind: Kind::Checkpoint, data });
        line
    }

    /// Looks a document up as a commit does, in the newest list first.
    fn found(journal: &Dir, inventory: &Inventory, key: &Key) -> Option<Hash> {
        let lists = inventory.lists.iter();
        let mut versions =
            lists.filter_map(|list| list.open(journal).unwrap().find(journal, key).unwrap());
        versions.next().and_then(|version| version.hash())
    }

    #[test]
    fn many_checkpoints_leave_few_lists_and_each_knows_all_documents() {
        let temp = tempfile::tempdir().unwrap();
        let journal = Dir::base(temp.path()).unwrap();
        let (mut inventory, mut all, mut written) = (Inventory::default(), Versions::new(), 0);
        for round in 0..60_usize {
            // Every round adds documents, changes one of the round before and removes another.
            let hash = |n: usize| Some(Hash::of(format!("{round} {n}")));
            let mut changed: Versions =
                (round * 100..round * 100 + 100).map(|n| (key(n), hash(n))).collect();
            changed.insert(key(round * 99), hash(0));
            changed.insert(key(round * 98 + 1), None);
            all.extend(changed.clone());
            inventory.update(changed);
            assert!(inventory.put_aside(&journal, Seq(1)).unwrap());
            written += inventory.lists[0].open(&journal).unwrap().length;
            assert!(inventory.lists.len() <= 6, "{} lists", inventory.lists.len());
            inventory = Inventory::read(&journal, &line(inventory.to_data())).unwrap();
        }
        for (key, hash) in &all {
            assert_eq!(found(&journal, &inventory, key), *hash, "{key}");
        }
        all.retain(|_, hash| hash.is_some());
        assert_eq!(inventory.all(&journal).unwrap(), all);
        let whole = sorted_index::length(&all);
        assert!(written < 8 * whole, "{written} bytes were written for {whole}");
    }

    #[test]
    fn a_checkpoint_from_before_there_were_lists_is_read() {
        let temp = tempfile::tempdir().unwrap();
        let journal = Dir::base(temp.path()).unwrap();
        let hash = Hash::of("text");
        let text = json!({ "docs": { "docs/000001.md": hash.to_string() } }).to_string();
        let blob = blob::write(&journal, Seq(1), &text).unwrap();
        let mut old = Inventory::read(&journal, &line(json!({ "blob": blob }))).unwrap();
        assert_eq!(found(&journal, &old, &key(1)), Some(hash));
        assert_eq!(found(&journal, &old, &key(2)), None);
        old.update(Versions::from([(key(2), Some(hash))]));
        assert!(old.put_aside(&journal, Seq(2)).unwrap());
        assert_eq!(old.lists.len(), 1, "it was taken in");
        let both = Versions::from([(key(1), Some(hash)), (key(2), Some(hash))]);
        assert_eq!(old.all(&journal).unwrap(), both);
    }

    #[test]
    fn a_checkpoint_that_lists_nothing_is_unknown() {
        let temp = tempfile::tempdir().unwrap();
        let journal = Dir::base(temp.path()).unwrap();
        let named = |list: Value| json!({ "docs": {}, "lists": [list] });
        for data in [
            json!({}),
            json!({ "docs": 7 }),
            json!({ "docs": { "a.md": "no hash" } }),
            named(json!(7)),
            named(json!({ "blob": "name" })),
        ] {
            let read = Inventory::read(&journal, &line(data.clone()));
            assert!(matches!(read, Err(StoreError::Unknown { .. })), "{data}");
        }
    }
}
