//! A document's file: reading it, and making it last.

use crate::dir::Dir;
use crate::doc::{Doc, MAX_DOCUMENT};
use crate::error::{Context, PathError};
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
fn is_foreign(error: &PathError) -> bool {
    use std::io::ErrorKind::{FileTooLarge, InvalidInput, NotADirectory};
    matches!(error.source.kind(), FileTooLarge | InvalidInput | NotADirectory)
}

/// Makes the text of a document and the names that lead to it survive a power cut.
pub(crate) fn sync(spot: &Spot<'_>) -> Result<(), PathError> {
    let mut path = Some(spot.path.clone());
    while let Some(at) = path {
        if let Some(folder) = spot.base().folder_of(&at)? {
            if at == spot.path
                && let Some(file) = folder.open(at.file_name())?
            {
                file.sync_data().context("sync", folder.path_of(at.file_name()))?;
            }
            folder.sync()?;
        }
        path = at.parent();
    }
    Ok(())
}
