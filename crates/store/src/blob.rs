//! Texts that are too large for a journal line, each in its own file beside the segments.
//!
//! A blob's name contains the segment that refers to it, and the blob is removed with that segment.
//! A list of documents stays until the last checkpoint no longer names it.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use sprag_core::{Hash, Hashing, Seq};

use crate::dir::{Dir, Within};
use crate::error::{Context, PathError, StoreError};
use crate::{doc, sys, temp};

pub(crate) const FOLDER: &str = "blobs";
/// Covers the largest document text, and any checkpoint from before there were lists.
const MAX_TEXT: u64 = 16 * doc::MAX_DOCUMENT as u64;

/// Writes and syncs a blob for a line of `segment` and returns its name.
pub(crate) fn write(journal: &Dir, segment: Seq, text: &str) -> Result<String, StoreError> {
    Ok(write_pieces(journal, segment, std::iter::once(Ok(text)))?.0)
}

/// Writes a blob piece by piece, without holding all of it in memory. Returns its name and length.
pub(crate) fn write_pieces(
    journal: &Dir,
    segment: Seq,
    pieces: impl Iterator<Item = Result<impl AsRef<str>, StoreError>>,
) -> Result<(String, u64), StoreError> {
    let folder = journal.enter_or_make(FOLDER)?;
    temp::sweep(&folder)?;
    let (file, temp) = temp::claim(|temp| folder.make(temp, 0o666))?;
    let placed = fill(&file, &folder.path_of(&temp), pieces).and_then(|(hash, length)| {
        let name = format!("{:020}-{hash}", segment.0);
        // Replace an existing blob: it may be incomplete, from a commit that failed.
        folder.rename(&temp, &name)?;
        Ok((name, length))
    });
    if placed.is_err() {
        let _ = folder.remove(&temp);
    }
    let placed = placed?;
    folder.sync()?;
    journal.sync()?;
    Ok(placed)
}

fn fill(
    file: &File,
    path: &Within<'_>,
    pieces: impl Iterator<Item = Result<impl AsRef<str>, StoreError>>,
) -> Result<(Hash, u64), StoreError> {
    let (mut hashing, mut length) = (Hashing::default(), 0);
    let mut out = BufWriter::new(file);
    for piece in pieces {
        let piece = piece?;
        let bytes = piece.as_ref().as_bytes();
        hashing.update(bytes);
        length += bytes.len() as u64;
        out.write_all(bytes).context("write", *path)?;
    }
    out.flush().and_then(|()| sys::sync_data(file)).context("write", *path)?;
    Ok((hashing.finish(), length))
}

/// Reads a blob and checks it against the hash in its name.
pub(crate) fn read(journal: &Dir, name: &str) -> Result<String, StoreError> {
    let folder = folder_of(journal, name)?;
    let bytes = folder.read(name, MAX_TEXT)?;
    let bytes = bytes.ok_or_else(|| unknown(journal, name, "it is missing"))?;
    let text = String::from_utf8(bytes).map_err(|_| unknown(journal, name, "it is not UTF-8"))?;
    check(journal, name, Hash::of(&text))?;
    Ok(text)
}

/// Checks the hash of the bytes read against the hash in the blob's name.
pub(crate) fn check(journal: &Dir, name: &str, read: Hash) -> Result<(), StoreError> {
    if parse(name).is_some_and(|(_, hash)| hash == read) {
        Ok(())
    } else {
        Err(unknown(journal, name, "it does not fit its name"))
    }
}

/// Opens a blob to read parts of it, and returns its length too.
pub(crate) fn open(journal: &Dir, name: &str) -> Result<(File, u64), StoreError> {
    let folder = folder_of(journal, name)?;
    let opened = folder.open_with_stat(name)?;
    let (file, stat) = opened.ok_or_else(|| unknown(journal, name, "it is missing"))?;
    Ok((file, u64::try_from(stat.st_size).unwrap_or(0)))
}

/// The path of a blob, for messages.
pub(crate) fn path(journal: &Dir, name: &str) -> PathBuf {
    journal.path().join(FOLDER).join(name)
}

fn folder_of(journal: &Dir, name: &str) -> Result<Dir, StoreError> {
    // Never treat the name as a path: it comes from a file that any process may have written.
    parse(name).ok_or_else(|| unknown(journal, "", "that is no name of a blob"))?;
    let folder = journal.enter(FOLDER)?;
    folder.ok_or_else(|| unknown(journal, name, "the folder is missing"))
}

/// The error for a blob that is missing or damaged.
pub(crate) fn unknown(journal: &Dir, name: &str, why: &str) -> StoreError {
    StoreError::Unknown { path: path(journal, name), why: why.to_owned() }
}

/// Removes the blobs of segments older than `oldest`, except those in `named`.
pub(crate) fn forget(journal: &Dir, oldest: Seq, named: &[String]) -> Result<(), PathError> {
    let Some(folder) = journal.enter(FOLDER)? else { return Ok(()) };
    for name in folder.names()? {
        let is_old = parse(&name).is_some_and(|(segment, _)| segment < oldest);
        if is_old && !named.contains(&name) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}

/// Returns whether a file name has the form of a blob's name.
pub(crate) fn is_one(name: &str) -> bool {
    parse(name).is_some()
}

fn parse(name: &str) -> Option<(Seq, Hash)> {
    let (segment, hash) = name.split_once('-')?;
    Some((Seq(segment.parse().ok()?), Hash::parse(hash)?))
}
