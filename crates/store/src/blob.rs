//! Texts that are too large for a journal line, each in a file beside the segments.
//!
//! A blob is named after the segment that refers to it and goes when that goes; a list of documents
//! stays as long as the last checkpoint names it.

use std::fs::File;
use std::path::PathBuf;

use sprag_core::{Hash, Seq};

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};
use crate::{doc, temp};

const FOLDER: &str = "blobs";
/// A document's text is not longer, and neither was a checkpoint before there were lists.
const MAX_TEXT: u64 = 16 * doc::MAX_DOCUMENT as u64;
/// A list of some millions of documents.
const MAX_LIST: u64 = 1 << 29;

/// Writes a blob for a line of `segment` and returns its name. It is on the disk then.
pub(crate) fn write(journal: &Dir, segment: Seq, text: &str) -> Result<String, PathError> {
    let folder = journal.enter_or_make(FOLDER)?;
    let name = format!("{:020}-{}", segment.0, Hash::of(text));
    // One that is there may be of a commit that failed: it counts only if it is whole.
    if !matches!(read(journal, &name), Ok(there) if there == text) {
        temp::place(&folder, &name, text)?;
    } else if let Some(file) = folder.open(&name)? {
        file.sync_data().context("sync", folder.path_of(&name))?;
    }
    folder.sync()?;
    journal.sync()?;
    Ok(name)
}

/// Reads a blob and holds it against the hash in its name.
pub(crate) fn read(journal: &Dir, name: &str) -> Result<String, StoreError> {
    read_capped(journal, name, MAX_TEXT)
}

/// Reads a list of documents in the same way.
pub(crate) fn read_list(journal: &Dir, name: &str) -> Result<String, StoreError> {
    read_capped(journal, name, MAX_LIST)
}

fn read_capped(journal: &Dir, name: &str, cap: u64) -> Result<String, StoreError> {
    let (folder, hash) = folder_of(journal, name)?;
    let bytes = folder.read(name, cap)?.ok_or_else(|| unknown(journal, name, "it is missing"))?;
    let text = String::from_utf8(bytes).map_err(|_| unknown(journal, name, "it is not UTF-8"))?;
    if Hash::of(&text) == hash {
        Ok(text)
    } else {
        Err(unknown(journal, name, "it does not fit its name"))
    }
}

/// Opens a blob to look at parts of it, and says how long it is.
pub(crate) fn open(journal: &Dir, name: &str) -> Result<(File, u64), StoreError> {
    let (folder, _) = folder_of(journal, name)?;
    let opened = folder.open_with_stat(name)?;
    let (file, stat) = opened.ok_or_else(|| unknown(journal, name, "it is missing"))?;
    Ok((file, u64::try_from(stat.st_size).unwrap_or(0)))
}

/// Returns where a blob is, for a message.
pub(crate) fn path(journal: &Dir, name: &str) -> PathBuf {
    journal.path().join(FOLDER).join(name)
}

fn folder_of(journal: &Dir, name: &str) -> Result<(Dir, Hash), StoreError> {
    // Never a path: the name comes from a file that anybody may have written.
    let parsed = parse(name).ok_or_else(|| unknown(journal, "", "that is no name of a blob"))?;
    let folder = journal.enter(FOLDER)?;
    Ok((folder.ok_or_else(|| unknown(journal, name, "the folder is missing"))?, parsed.1))
}

fn unknown(journal: &Dir, name: &str, why: &str) -> StoreError {
    StoreError::Unknown { path: path(journal, name), why: why.to_owned() }
}

/// Removes the blobs of segments older than `oldest`, but for those that are still `named`.
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

fn parse(name: &str) -> Option<(Seq, Hash)> {
    let (segment, hash) = name.split_once('-')?;
    Some((Seq(segment.parse().ok()?), Hash::parse(hash)?))
}
