//! A list of documents as a text: one `["PATH","HASH"]` a line, sorted by path, so that one of
//! very many is found by a few small reads. No hash is a document that is gone. An older list is one
//! object, `{"docs":{"PATH":"HASH"}}`, and read whole.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use serde_json::Value;
use sprag_core::Hash;

use crate::blob;
use crate::dir::Dir;
use crate::doc::Version;
use crate::error::{Context, StoreError};
use crate::inventory::Versions;
use crate::place::Key;

/// How a list begins that is one object.
const OLDER: &str = "{";
/// So much is read to see which document stands somewhere; most lines are far shorter.
const GLANCE: usize = 1 << 10;
/// So much is gone through line by line.
const PIECE: u64 = 4 << 10;

/// Returns about how long their list is.
pub(crate) fn length(docs: &Versions) -> usize {
    // A hash, its quotes, and what stands around both.
    docs.keys().map(|key| key.0.len() + 72).sum()
}

/// Returns documents as a list.
pub(crate) fn write(docs: &Versions) -> String {
    let mut text = String::with_capacity(length(docs));
    for (key, hash) in docs {
        let key = Value::String(key.0.clone());
        // Writing to a string does not fail.
        let _ = match hash {
            Some(hash) => writeln!(text, "[{key},\"{hash}\"]"),
            None => writeln!(text, "[{key},null]"),
        };
    }
    text
}

/// Reads a whole list.
pub(crate) fn read(journal: &Dir, name: &str) -> Result<Versions, StoreError> {
    let text = blob::read_list(journal, name)?;
    let docs = if text.starts_with(OLDER) {
        let whole: Option<Value> = serde_json::from_str(&text).ok();
        whole.as_ref().and_then(|whole| from_object(whole.get("docs")?))
    } else {
        text.lines().map(|line| entry(line.as_bytes())).collect()
    };
    docs.ok_or_else(|| broken(journal, name))
}

/// Reads documents from an object of paths and hashes.
pub(crate) fn from_object(docs: &Value) -> Option<Versions> {
    let version = |(key, hash): (&String, &Value)| {
        let hash = if hash.is_null() { None } else { Some(Hash::parse(hash.as_str()?)?) };
        Some((Key(key.clone()), hash))
    };
    docs.as_object()?.iter().map(version).collect()
}

/// Finds one document in a list; nothing where it is not listed.
pub(crate) fn find(journal: &Dir, name: &str, key: &Key) -> Result<Option<Version>, StoreError> {
    let (file, length) = blob::open(journal, name)?;
    let start = read_at(&file, 0, 1).context("read", blob::path(journal, name))?;
    if start == OLDER.as_bytes() {
        return Ok(read(journal, name)?.get(key).copied().map(Version::from_hash));
    }
    let found = search(&file, length, key).context("read", blob::path(journal, name))?;
    found.map_err(|Broken| broken(journal, name))
}

/// Says that a line of a list is none.
#[derive(Debug, PartialEq, Eq)]
struct Broken;

type Found = Result<Option<Version>, Broken>;

fn search(file: &File, length: u64, key: &Key) -> io::Result<Found> {
    // Both are where lines begin, and the line that is looked for begins between them.
    let (mut from, mut to) = (0, length);
    while to - from > PIECE {
        let middle = from + (to - from) / 2;
        let glance = read_at(file, middle, GLANCE)?;
        let Some((start, line)) = first_whole(&glance) else { break };
        let start = middle + start as u64;
        let Some((there, hash)) = entry(line) else { return Ok(Err(Broken)) };
        match there.cmp(key) {
            Ordering::Equal => return Ok(Ok(Some(Version::from_hash(hash)))),
            Ordering::Less => from = start,
            Ordering::Greater if start < to => to = start,
            // Lines so long are gone through.
            Ordering::Greater => break,
        }
    }
    let piece = read_at(file, from, usize::try_from(to - from).unwrap_or(usize::MAX))?;
    for line in piece.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match entry(line) {
            Some((there, hash)) if there == *key => return Ok(Ok(Some(Version::from_hash(hash)))),
            Some(_) => {}
            None => return Ok(Err(Broken)),
        }
    }
    Ok(Ok(None))
}

/// Returns the first line that begins and ends in these bytes, and where it begins.
fn first_whole(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let start = memchr::memchr(b'\n', bytes)? + 1;
    let end = start + memchr::memchr(b'\n', &bytes[start..])?;
    Some((start, &bytes[start..end]))
}

fn entry(line: &[u8]) -> Option<(Key, Option<Hash>)> {
    let (key, hash): (String, Option<String>) = serde_json::from_slice(line).ok()?;
    match hash {
        None => Some((Key(key), None)),
        Some(hash) => Some((Key(key), Some(Hash::parse(&hash)?))),
    }
}

/// Reads so many bytes from a place on, or as many as there are.
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

    /// Returns documents whose names are short, long, and not of one byte a letter.
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
        let text = write(docs);
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

    #[test]
    fn a_list_says_the_same_when_it_is_read_whole() {
        let docs = many(100);
        let lines: Option<Versions> =
            write(&docs).lines().map(|line| entry(line.as_bytes())).collect();
        assert_eq!(lines, Some(docs));
    }
}
