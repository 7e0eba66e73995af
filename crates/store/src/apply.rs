//! Reads a document's file for reading, replacing or syncing.

use std::fs::File;

use sprag_core::DocPath;

use crate::dir::Dir;
use crate::doc::{Doc, MAX_DOCUMENT};
use crate::error::PathError;
use crate::place::DocumentLocation;

/// Reads a document from its file, without the journal.
pub(crate) fn read(spot: &DocumentLocation<'_>) -> Doc {
    Doc::from_read(spot.base().read_below(&spot.path, MAX_DOCUMENT as u64))
}

/// Reads a document that is about to be replaced. An I/O error is returned as an error, not as an
/// unknown text: the file may still hold the expected text.
pub(crate) fn read_to_replace(spot: &DocumentLocation<'_>) -> Result<Doc, PathError> {
    match spot.base().folder_of(&spot.path) {
        Ok(None) => Ok(Doc::Absent),
        Ok(Some(folder)) => read_in_to_replace(&folder, spot.path.file_name()),
        Err(error) if is_foreign(&error) => Ok(Doc::Unknown((&error).into())),
        Err(error) => Err(error),
    }
}

pub(crate) fn read_in_to_replace(folder: &Dir, name: &str) -> Result<Doc, PathError> {
    match folder.read(name, MAX_DOCUMENT as u64) {
        Err(error) if !is_foreign(&error) => Err(error),
        read => Ok(Doc::from_read(read)),
    }
}

/// Returns whether the entry cannot be a document: a link, a pipe, a folder or a file that is too
/// large.
pub(crate) fn is_foreign(error: &PathError) -> bool {
    use std::io::ErrorKind::{FileTooLarge, InvalidInput, NotADirectory};
    matches!(error.source.kind(), FileTooLarge | InvalidInput | NotADirectory)
}

/// Opens the folder of a document. Returns `None` if it is missing or is not a real folder.
pub(crate) fn folder_to_replace(base: &Dir, doc: &DocPath) -> Result<Option<Dir>, PathError> {
    match base.folder_of(doc) {
        Err(error) if is_foreign(&error) => Ok(None),
        found => found,
    }
}

/// Opens a document to sync it. Returns `None` if it is missing or no longer a regular file (a
/// link, a pipe), because that is not ours to sync. I/O errors are returned.
pub(crate) fn open_to_sync(spot: &DocumentLocation<'_>) -> Result<Option<File>, PathError> {
    let Some(folder) = folder_to_replace(spot.base(), &spot.path)? else { return Ok(None) };
    match folder.open(spot.path.file_name()) {
        Err(error) if is_foreign(&error) => Ok(None),
        opened => opened,
    }
}
