//! A document's file: reading it, and making it last.

use std::fs::File;

use sprag_core::DocPath;

use crate::dir::Dir;
use crate::doc::{Doc, MAX_DOCUMENT};
use crate::error::PathError;
use crate::place::Spot;

/// Reads a document as it stands in its file.
pub(crate) fn read(spot: &Spot<'_>) -> Doc {
    Doc::from_read(spot.base().read_below(&spot.path, MAX_DOCUMENT as u64))
}

/// Reads a document that is about to be replaced. What cannot be read now may hold the text we
/// wait for, so an error of the system is not taken for somebody else's text.
pub(crate) fn read_to_replace(spot: &Spot<'_>) -> Result<Doc, PathError> {
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

/// Returns whether something that is not ours stands there: a link, a pipe, a folder, a giant.
pub(crate) fn is_foreign(error: &PathError) -> bool {
    use std::io::ErrorKind::{FileTooLarge, InvalidInput, NotADirectory};
    matches!(error.source.kind(), FileTooLarge | InvalidInput | NotADirectory)
}

/// Opens the folder of a document, under the same terms; nothing where it is missing or no folder.
pub(crate) fn folder_to_replace(base: &Dir, doc: &DocPath) -> Result<Option<Dir>, PathError> {
    match base.folder_of(doc) {
        Err(error) if is_foreign(&error) => Ok(None),
        found => found,
    }
}

/// Opens a document so that its text can be made to survive a power cut. What is no document any
/// more (a link, a pipe) is not ours to sync; an error is one.
pub(crate) fn open_to_sync(spot: &Spot<'_>) -> Result<Option<File>, PathError> {
    let Some(folder) = folder_to_replace(spot.base(), &spot.path)? else { return Ok(None) };
    match folder.open(spot.path.file_name()) {
        Err(error) if is_foreign(&error) => Ok(None),
        opened => opened,
    }
}
