//! Texts that are too large for a journal line, each in a file beside the segments.
//!
//! A blob is named after the segment that refers to it and goes when that goes.

use sprag_core::{Hash, Seq};

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};
use crate::{doc, temp};

const FOLDER: &str = "blobs";

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
    let path = journal.path().join(FOLDER).join(name);
    let unknown = |why: &str| StoreError::Unknown { path: path.clone(), why: why.to_owned() };
    let folder = journal.enter(FOLDER)?.ok_or_else(|| unknown("the folder is missing"))?;
    // Never a path: the name comes from a file that anybody may have written.
    let hash = parse(name).ok_or_else(|| unknown("that is not the name of a blob"))?.1;
    // A checkpoint of very many documents may be larger than a document.
    let cap = 16 * doc::MAX_DOCUMENT as u64;
    let bytes = folder.read(name, cap)?.ok_or_else(|| unknown("it is missing"))?;
    let text = String::from_utf8(bytes).map_err(|_| unknown("it is not UTF-8"))?;
    if Hash::of(&text) == hash { Ok(text) } else { Err(unknown("it does not fit its name")) }
}

/// Removes the blobs of segments older than `oldest`.
pub(crate) fn forget(journal: &Dir, oldest: Seq) -> Result<(), PathError> {
    let Some(folder) = journal.enter(FOLDER)? else { return Ok(()) };
    for name in folder.names()? {
        if parse(&name).is_some_and(|(segment, _)| segment < oldest) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}

fn parse(name: &str) -> Option<(Seq, Hash)> {
    let (segment, hash) = name.split_once('-')?;
    Some((Seq(segment.parse().ok()?), Hash::parse(hash)?))
}
