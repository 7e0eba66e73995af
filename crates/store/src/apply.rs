//! Puts a new text in a document's place, and only in the place of the text it was made from.

use std::fs::File;
use std::io::Write;

use rustix::fs::{Gid, Mode, Stat, Uid};

use crate::dir::Dir;
use crate::doc::{Doc, MAX_DOCUMENT, Version};
use crate::error::{Context, PathError};
use crate::place::Spot;
use crate::{failpoint, sys, temp};

/// A new text on the disk under a temporary name, or a removal; dropped, it leaves nothing.
#[derive(Debug)]
pub(crate) struct Staged {
    folder: Dir,
    name: String,
    before: Version,
    temp: Option<String>,
}

/// What became of a staged text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Published {
    Written,
    /// Somebody else's text stands there, and stays.
    Overtaken,
}

/// Reads a document as it stands in its file.
pub(crate) fn read(spot: &Spot<'_>) -> Doc {
    match spot.base().folder_of(&spot.path) {
        Ok(None) => Doc::Absent,
        Ok(Some(folder)) => read_in(&folder, spot.path.file_name()),
        Err(error) => Doc::Unknown((&error).into()),
    }
}

fn read_in(folder: &Dir, name: &str) -> Doc {
    Doc::from_read(folder.read(name, MAX_DOCUMENT as u64))
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

fn read_in_to_replace(folder: &Dir, name: &str) -> Result<Doc, PathError> {
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

impl Staged {
    /// Writes `after` beside the document and waits until the disk has it.
    pub(crate) fn new(
        spot: &Spot<'_>,
        before: Version,
        after: Option<&str>,
    ) -> Result<Self, PathError> {
        let folder = spot.base().make_folder_of(&spot.path)?;
        let name = spot.path.file_name().to_owned();
        let mut staged = Self { folder, name, before, temp: None };
        if let Some(text) = after {
            staged.write(text)?;
        }
        Ok(staged)
    }

    fn write(&mut self, text: &str) -> Result<(), PathError> {
        let old = self.folder.stat(&self.name)?;
        let temp = temp::name();
        let path = self.folder.path_of(&self.name);
        // A document that others may not read must not be readable while it is new, either.
        let mut file = self.folder.make(&temp, if old.is_some() { 0o600 } else { 0o666 })?;
        self.temp = Some(temp);
        if let Some(old) = old {
            keep(&file, &old).context("keep the mode of", path)?;
        }
        file.write_all(text.as_bytes()).context("write", path)?;
        file.sync_data().context("sync", path)
    }

    /// Renames the new text over the document if that still holds the text it was made from.
    pub(crate) fn publish(mut self) -> Result<Published, PathError> {
        if read_in_to_replace(&self.folder, &self.name)?.version() != self.before {
            return Ok(Published::Overtaken);
        }
        failpoint::reach("store.publish").context("replace", self.folder.path_of(&self.name))?;
        match &self.temp {
            Some(temp) => self.folder.rename(temp, &self.name)?,
            None => self.folder.remove(&self.name)?,
        }
        self.temp = None;
        Ok(Published::Written)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(temp) = &self.temp {
            // What cannot be removed now is swept by a later commit.
            let _ = self.folder.remove(temp);
        }
    }
}

/// Gives a new file the mode of the old one and, where we may, its owner.
pub(crate) fn keep(file: &File, old: &Stat) -> std::io::Result<()> {
    rustix::fs::fchmod(file, Mode::from_raw_mode(old.st_mode))?;
    let owner = (Uid::from_raw(old.st_uid), Gid::from_raw(old.st_gid));
    sys::give_to(file, Some(owner).filter(|(uid, _)| !uid.is_root() && sys::is_root()))
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
