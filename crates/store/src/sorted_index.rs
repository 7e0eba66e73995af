//! A list of documents as a text: one `["PATH","HASH"]` per line, sorted by path. One entry of very
//! many is found with a few small reads, and several lists are merged as they are read. A `null`
//! hash means that the document was removed. An older list is one object,
//! `{"docs":{"PATH":"HASH"}}`, which is read as a whole.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::iter::Peekable;
use std::os::unix::fs::FileExt;

use serde::Deserialize;
use serde_json::{Value, json};
use sprag_core::{Hash, Hashing};

use crate::blob;
use crate::dir::Dir;
use crate::doc::Version;
use crate::error::{Context, StoreError};
use crate::inventory::Versions;
use crate::line::MAX_LINE;
use crate::place::Key;

/// How a list of the older format starts.
const OLDER: &str = "{";
/// The longest list: some millions of documents.
const MAX_LIST: u64 = 1 << 29;
/// The bytes read per search step to find a document's name; most lines are far shorter.
const GLANCE: usize = 1 << 10;
/// A range of this size is searched line by line.
const PIECE: u64 = 4 << 10;

/// A list stored in a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The blob's name.
    pub(crate) name: String,
    /// Its length; older checkpoints do not record it.
    pub(crate) bytes: Option<u64>,
}

/// A document and its version, or the error that kept it from being read.
pub(crate) type Entry = Result<(Key, Option<Hash>), StoreError>;
/// The entries of a list, in the order of their keys.
pub(crate) type Entries<'a> = Box<dyn Iterator<Item = Entry> + 'a>;

impl List {
    /// Reads a reference to a list from a checkpoint.
    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        let (name, bytes) = match value.as_str() {
            Some(name) => (name, None),
            None => (value.get("blob")?.as_str()?, Some(value.get("bytes")?.as_u64()?)),
        };
        Some(Self { name: name.to_owned(), bytes })
    }

    /// The reference to this list in a checkpoint.
    pub(crate) fn to_value(&self) -> Value {
        match self.bytes {
            None => self.name.clone().into(),
            Some(bytes) => json!({ "blob": self.name, "bytes": bytes }),
        }
    }

    /// Opens the list. Fails if the list was cut short, because the missing documents would look as
    /// if they were never known.
    pub(crate) fn open(&self, journal: &Dir) -> Result<OpenIndex, StoreError> {
        let (file, length) = blob::open(journal, &self.name)?;
        let written = self.bytes.unwrap_or(length);
        if length != written || length > MAX_LIST {
            let why = format!("it has {length} bytes, and {} were written", written.min(MAX_LIST));
            return Err(blob::unknown(journal, &self.name, &why));
        }
        // A list with a recorded length never has the older format.
        let start = if self.bytes.is_none() { read_at(&file, 0, 1) } else { Ok(Vec::new()) };
        let start = start.context("read", blob::path(journal, &self.name))?;
        let is_older = start == OLDER.as_bytes();
        Ok(OpenIndex { name: self.name.clone(), file, length, is_older })
    }
}

#[derive(Debug)]
pub(crate) struct OpenIndex {
    name: String,
    file: File,
    /// In bytes.
    pub(crate) length: u64,
    is_older: bool,
}

impl OpenIndex {
    /// Iterates over all entries. After the last one, the whole list is checked against its hash.
    pub(crate) fn entries(self, journal: &Dir) -> Result<Entries<'_>, StoreError> {
        if self.is_older {
            return Ok(Box::new(self.older(journal)?.into_iter().map(Ok)));
        }
        let (file, hashing) = (BufReader::new(self.file.take(self.length)), Hashing::default());
        let (name, hashing, line) = (self.name, Some(hashing), Vec::new());
        Ok(Box::new(IndexLines { journal, name, file, hashing, line }))
    }

    /// Finds a document, or returns `None` if it is not listed.
    pub(crate) fn find(&self, journal: &Dir, key: &Key) -> Result<Option<Version>, StoreError> {
        if self.is_older {
            return Ok(self.older(journal)?.get(key).copied().map(Version::from_hash));
        }
        let found = search(&self.file, self.length, key);
        let found = found.context("read", blob::path(journal, &self.name))?;
        found.map_err(|Broken| broken(journal, &self.name))
    }

    /// Lists the documents whose names begin with a prefix, without reading the others.
    pub(crate) fn below(&self, journal: &Dir, prefix: &str) -> Result<Vec<Key>, StoreError> {
        if self.is_older {
            let keys = self.older(journal)?.into_keys();
            return Ok(keys.filter(|key| key.0.starts_with(prefix)).collect());
        }
        let path = || blob::path(journal, &self.name);
        let range = range_of(&self.file, self.length, &Key(prefix.to_owned()));
        let Ok((from, _)) = range.context("read", path())? else {
            return Err(broken(journal, &self.name));
        };
        let mut file = &self.file;
        file.seek(SeekFrom::Start(from)).context("read", path())?;
        let (mut file, mut line) = (BufReader::new(file.take(self.length - from)), Vec::new());
        let mut found = Vec::new();
        loop {
            line.clear();
            let read = (&mut file).take(MAX_LINE as u64).read_until(b'\n', &mut line);
            if read.context("read", path())? == 0 {
                return Ok(found);
            }
            let (key, _) = entry(&line).ok_or_else(|| broken(journal, &self.name))?;
            match key.0.as_str() {
                name if name.starts_with(prefix) => found.push(key),
                name if name > prefix => return Ok(found),
                _ => {}
            }
        }
    }

    /// Reads the whole list and checks it against its hash.
    pub(crate) fn verify(&self, journal: &Dir) -> Result<(), StoreError> {
        let (mut at, mut hashing) = (0, Hashing::default());
        while at < self.length {
            let piece = read_at(&self.file, at, 1 << 16);
            let piece = piece.context("read", blob::path(journal, &self.name))?;
            if piece.is_empty() {
                break;
            }
            at += piece.len() as u64;
            hashing.update(piece);
        }
        blob::check(journal, &self.name, hashing.finish())
    }

    fn older(&self, journal: &Dir) -> Result<Versions, StoreError> {
        let text = blob::read(journal, &self.name)?;
        let whole: Option<Value> = serde_json::from_str(&text).ok();
        let docs = whole.as_ref().and_then(|whole| from_object(whole.get("docs")?));
        docs.ok_or_else(|| broken(journal, &self.name))
    }
}

/// The approximate length of a list of these documents.
pub(crate) fn length(docs: &Versions) -> u64 {
    // A hash, its quotes and the punctuation around both.
    docs.keys().map(|key| key.0.len() as u64 + 72).sum()
}

/// An entry as a line of a list.
pub(crate) fn line((key, hash): (Key, Option<Hash>)) -> String {
    let key = key.quoted();
    match hash {
        Some(hash) => format!("[{key},\"{hash}\"]\n"),
        None => format!("[{key},null]\n"),
    }
}

/// Merges several lists. If two contain the same document, the first list wins.
pub(crate) fn merged<'a>(lists: Vec<Entries<'a>>) -> impl Iterator<Item = Entry> + use<'a> {
    let mut lists: Vec<Peekable<Entries<'a>>> = lists.into_iter().map(Iterator::peekable).collect();
    std::iter::from_fn(move || {
        let mut least: Option<(usize, Key)> = None;
        for (at, list) in lists.iter_mut().enumerate() {
            match list.peek() {
                None => {}
                Some(Err(_)) => return list.next(),
                Some(Ok((key, _))) if least.as_ref().is_some_and(|(_, than)| key >= than) => {}
                Some(Ok((key, _))) => least = Some((at, key.clone())),
            }
        }
        let (first, key) = least?;
        let entry = lists.get_mut(first)?.next();
        for older in lists.iter_mut().skip(first + 1) {
            older.next_if(|entry| entry.as_ref().is_ok_and(|(there, _)| *there == key));
        }
        entry
    })
}

/// Reads documents from an object of paths and hashes.
pub(crate) fn from_object(docs: &Value) -> Option<Versions> {
    let version = |(key, hash): (&String, &Value)| {
        let hash = if hash.is_null() { None } else { Some(Hash::parse(hash.as_str()?)?) };
        Some((Key(key.clone()), hash))
    };
    docs.as_object()?.iter().map(version).collect()
}

/// Reads the lines of a list one by one.
struct IndexLines<'a> {
    journal: &'a Dir,
    name: String,
    file: BufReader<io::Take<File>>,
    /// The hash of the bytes read so far; `None` after the end.
    hashing: Option<Hashing>,
    line: Vec<u8>,
}

impl IndexLines<'_> {
    fn read(&mut self) -> Result<Option<(Key, Option<Hash>)>, StoreError> {
        let Some(hashing) = &mut self.hashing else { return Ok(None) };
        self.line.clear();
        let read = (&mut self.file).take(MAX_LINE as u64).read_until(b'\n', &mut self.line);
        read.context("read", blob::path(self.journal, &self.name))?;
        hashing.update(&self.line);
        if self.line.is_empty() {
            let hash = self.hashing.take().unwrap_or_default().finish();
            return blob::check(self.journal, &self.name, hash).map(|()| None);
        }
        let line = self.line.strip_suffix(b"\n").and_then(entry);
        line.map(Some).ok_or_else(|| broken(self.journal, &self.name))
    }
}

impl Iterator for IndexLines<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let read = self.read();
        if read.is_err() {
            self.hashing = None;
        }
        read.transpose()
    }
}

/// A line of a list that is not an entry.
#[derive(Debug, PartialEq, Eq)]
struct Broken;

type Found = Result<Option<Version>, Broken>;

/// Narrows a list down to the part in which the line of this key starts, if there is one. The part
/// begins with a line, and everything before it has lesser keys.
fn range_of(file: &File, length: u64, key: &Key) -> io::Result<Result<(u64, u64), Broken>> {
    let (mut from, mut to) = (0, length);
    while to - from > PIECE {
        let middle = from + (to - from) / 2;
        let glance = read_at(file, middle, GLANCE)?;
        let Some((start, line)) = first_whole(&glance) else { break };
        let start = middle + start as u64;
        let Some((there, _)) = entry(line) else { return Ok(Err(Broken)) };
        match there.cmp(key) {
            Ordering::Equal => return Ok(Ok((start, start + line.len() as u64))),
            Ordering::Less => from = start,
            Ordering::Greater if start < to => to = start,
            // A line this long: search the rest line by line.
            Ordering::Greater => break,
        }
    }
    Ok(Ok((from, to)))
}

fn search(file: &File, length: u64, key: &Key) -> io::Result<Found> {
    let Ok((from, to)) = range_of(file, length, key)? else { return Ok(Err(Broken)) };
    let piece = read_at(file, from, usize::try_from(to - from).unwrap_or(usize::MAX))?;
    let start = format!("[{},", key.quoted());
    for line in piece.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        if line.starts_with(start.as_bytes()) {
            let found = entry(line).map(|(_, hash)| Some(Version::from_hash(hash)));
            return Ok(found.ok_or(Broken));
        }
        if !line.starts_with(b"[\"") {
            return Ok(Err(Broken));
        }
    }
    Ok(Ok(None))
}

/// Returns the first complete line in these bytes, and its offset.
fn first_whole(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let start = memchr::memchr(b'\n', bytes)? + 1;
    let end = start + memchr::memchr(b'\n', &bytes[start..])?;
    Some((start, &bytes[start..end]))
}

fn entry(line: &[u8]) -> Option<(Key, Option<Hash>)> {
    let StoredEntry(key, hash) = serde_json::from_slice(line).ok()?;
    let hash = hash.map(|hash| Hash::parse(hash).ok_or(())).transpose().ok()?;
    Some((Key(key.into_owned()), hash))
}

/// An entry as it is written in a line.
#[derive(Deserialize)]
struct StoredEntry<'a>(#[serde(borrow)] Cow<'a, str>, Option<&'a str>);

/// Reads up to `length` bytes from an offset; fewer at the end of the file.
fn read_at(file: &File, at: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let mut got = 0;
    while got < length {
        match file.read_at(&mut bytes[got..], at + got as u64) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(got);
    Ok(bytes)
}

fn broken(journal: &Dir, name: &str) -> StoreError {
    let why = "a line of it is no document and its version".to_owned();
    StoreError::Unknown { path: blob::path(journal, name), why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sprag_core::Seq;

    /// Makes documents with short names, long names, and names with multi-byte letters.
    fn many(count: usize) -> Versions {
        let name = |n: usize| match n % 7 {
            0 => format!("docs/{n:05}/{}.md", "long".repeat(n % 200)),
            1 => format!("docs/{n:05}/\"é\".md"),
            _ => format!("docs/{n:05}.md"),
        };
        let hash = |n: usize| (!n.is_multiple_of(5)).then(|| Hash::of(n.to_string()));
        (0..count).map(|n| (Key(name(n)), hash(n))).collect()
    }

    fn search_all(docs: &Versions) -> File {
        let text: String = docs.clone().into_iter().map(line).collect();
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(text.as_bytes(), 0).unwrap();
        for (key, hash) in docs {
            assert_eq!(
                search(&file, text.len() as u64, key).unwrap(),
                Ok(Some(Version::from_hash(*hash))),
                "{key}"
            );
            let beside = Key(format!("{key}~"));
            assert_eq!(search(&file, text.len() as u64, &beside).unwrap(), Ok(None), "{key}");
        }
        file
    }

    #[test]
    fn every_document_is_found_and_no_other() {
        for count in [0, 1, 2, 40, 1000] {
            search_all(&many(count));
        }
    }

    #[test]
    fn names_longer_than_a_glance_are_found_too() {
        let name = |n: usize| Key(format!("{n:03}{}", "/a-very-long-name".repeat(90)));
        search_all(&(0..50).map(|n| (name(n), Some(Hash::of(n.to_string())))).collect());
    }

    #[test]
    fn a_line_that_is_none_is_not_taken_for_nothing() {
        let docs = many(1000);
        let file = search_all(&docs);
        let length = file.metadata().unwrap().len();
        file.write_all_at("x\n".repeat(1 << 10).as_bytes(), length / 2).unwrap();
        let (key, _) = docs.iter().nth(docs.len() / 2).unwrap();
        assert_eq!(search(&file, length, key).unwrap(), Err(Broken));
    }

    /// Writes a list and returns it with its folder.
    fn list(docs: &Versions) -> (tempfile::TempDir, Dir, List) {
        let temp = tempfile::tempdir().unwrap();
        let journal = Dir::base(temp.path()).unwrap();
        let lines = docs.clone().into_iter().map(|entry| Ok(line(entry)));
        let (name, bytes) = blob::write_pieces(&journal, Seq(1), lines).unwrap();
        (temp, journal, List { name, bytes: Some(bytes) })
    }

    fn whole(list: &List, journal: &Dir) -> Result<Versions, StoreError> {
        list.open(journal)?.entries(journal)?.collect()
    }

    #[test]
    fn a_list_says_the_same_when_it_is_read_whole() {
        let docs = many(100);
        let (_temp, journal, list) = list(&docs);
        assert_eq!(whole(&list, &journal).unwrap(), docs);
        assert_eq!(List::from_value(&list.to_value()), Some(list));
    }

    #[test]
    fn the_names_below_a_prefix_are_found_without_the_others() {
        for count in [0, 1, 40, 1000] {
            let docs = many(count);
            let (_temp, journal, list) = list(&docs);
            let open = list.open(&journal).unwrap();
            for prefix in ["", "docs/", "docs/0000", "docs/00019/", "docs/00999.md", "a", "z"] {
                let below = docs.keys().filter(|key| key.0.starts_with(prefix));
                let below: Vec<Key> = below.cloned().collect();
                assert_eq!(open.below(&journal, prefix).unwrap(), below, "{prefix} of {count}");
            }
        }
    }

    #[test]
    fn a_list_that_was_cut_or_changed_is_unknown() {
        let docs = many(100);
        let (_temp, journal, list) = list(&docs);
        let path = blob::path(&journal, &list.name);
        let text = std::fs::read(&path).unwrap();
        let blob_file = File::options().write(true).open(&path).unwrap();
        for left in [text.len() - 1, text.len() / 2, 0] {
            blob_file.set_len(left as u64).unwrap();
            let said = list.open(&journal);
            let Err(StoreError::Unknown { why, .. }) = said else { panic!("{left}: {said:?}") };
            assert_eq!(why, format!("it has {left} bytes, and {} were written", text.len()));
        }
        // Change one digit of one hash, which only the hash of the whole list reveals.
        let mut other = text.clone();
        let digit = text.iter().position(|&byte| byte == b',').unwrap() + 2;
        other[digit] = if other[digit] == b'0' { b'1' } else { b'0' };
        blob_file.write_all_at(&other, 0).unwrap();
        let verified = list.open(&journal).unwrap().verify(&journal);
        for said in [whole(&list, &journal).map(drop), verified] {
            assert!(matches!(said, Err(StoreError::Unknown { .. })), "{said:?}");
        }
    }

    #[test]
    fn of_several_lists_the_first_that_has_a_document_is_right() {
        let of = |text: &str, names: &[usize]| -> Versions {
            names.iter().map(|n| (Key(n.to_string()), Some(Hash::of(text)))).collect()
        };
        let lists = [of("a", &[2, 5]), of("b", &[]), of("c", &[1, 2, 3, 9]), of("d", &[2, 3, 5])];
        let sources =
            lists.iter().map(|list| Box::new(list.clone().into_iter().map(Ok)) as Entries<'_>);
        let merged: Vec<_> = merged(sources.collect()).map(Result::unwrap).collect();
        let mut right = Versions::new();
        for list in lists.iter().rev() {
            right.extend(list.clone());
        }
        assert_eq!(merged, right.into_iter().collect::<Vec<_>>());
    }
}
