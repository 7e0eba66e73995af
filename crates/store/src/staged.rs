//! A new text that is on disk but not yet in its document's place.
//!
//! Before the commit it has no name, so a process that ends then leaves nothing behind. A new
//! document then gets its own name. A replacement gets a temporary name just before it is renamed
//! over the old text. A process killed between the two leaves an unfinished commit, and the process
//! that finishes it also sweeps the temporary file. Where the system has no nameless files, the
//! text has a temporary name from the start.

use std::fs::File;
use std::io::{ErrorKind, Write};

use rustix::fs::{Gid, Mode, Stat, Uid};

use crate::apply;
use crate::dir::Dir;
use crate::doc::Version;
use crate::error::{Context, PathError};
use crate::place::DocumentLocation;
use crate::{failpoint, sys, temp};

/// A staged text or removal. Dropping it before publication leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Staged {
    folder: Dir,
    name: String,
    before: Version,
    after: After,
}

/// The new content of the document.
#[derive(Debug)]
enum After {
    Nothing,
    /// A file without a name, with its text in case the file system cannot name it.
    Nameless(File, String),
    /// A file under this temporary name.
    Named(File, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Published {
    Written,
    /// Another program's text is in the document, and stays.
    Overtaken,
}

impl Staged {
    /// Writes `after` in the document's folder. Call [`Self::sync`] before [`Self::publish`].
    pub(crate) fn new(
        spot: &DocumentLocation<'_>,
        before: Version,
        after: Option<String>,
    ) -> Result<Self, PathError> {
        let folder = spot.base().make_folder_of(&spot.path)?;
        let name = spot.path.file_name().to_owned();
        let mut staged = Self { folder, name, before, after: After::Nothing };
        if let Some(text) = after {
            staged.write(text)?;
        }
        Ok(staged)
    }

    fn write(&mut self, text: String) -> Result<(), PathError> {
        let old = match self.before {
            Version::Absent => None,
            Version::Text(_) | Version::Unknown => self.folder.stat(&self.name)?,
        };
        let nameless = failpoint::reach("store.nameless").ok();
        match nameless.and_then(|()| self.folder.make_nameless()) {
            Some(file) => {
                self.fill(&file, &text, old.as_ref())?;
                self.after = After::Nameless(file, text);
                Ok(())
            }
            None => self.write_named(&text, old.as_ref()),
        }
    }

    fn write_named(&mut self, text: &str, old: Option<&Stat>) -> Result<(), PathError> {
        // The new file must not be readable by users who may not read the old one.
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let (file, temp) = temp::claim(|temp| self.folder.make(temp, mode))?;
        let filled = self.fill(&file, text, old);
        self.after = After::Named(file, temp);
        filled
    }

    fn fill(&self, mut file: &File, text: &str, old: Option<&Stat>) -> Result<(), PathError> {
        let path = self.folder.path_of(&self.name);
        if let Some(old) = old {
            keep(file, old).context("keep the mode of", path)?;
        }
        file.write_all(text.as_bytes()).context("write", path)
    }

    pub(crate) fn sync(&self) -> Result<(), PathError> {
        let synced = match &self.after {
            After::Nothing => Ok(()),
            After::Nameless(file, _) | After::Named(file, _) => sys::sync_data(file),
        };
        synced.context("sync", self.folder.path_of(&self.name))
    }

    /// Returns the folder if a kill before the commit could have left a file in it.
    pub(crate) fn littered(&self) -> Option<&Dir> {
        match self.after {
            After::Named(..) => Some(&self.folder),
            After::Nothing | After::Nameless(..) => None,
        }
    }

    /// Puts the new text in place if the document still holds the text that it was made from.
    pub(crate) fn publish(mut self) -> Result<Published, PathError> {
        if let Some(published) = self.publish_new()? {
            return Ok(published);
        }
        if apply::read_in_to_replace(&self.folder, &self.name)?.version() != self.before {
            return Ok(Published::Overtaken);
        }
        failpoint::reach("store.publish").context("replace", self.folder.path_of(&self.name))?;
        self.give_name()?;
        match &self.after {
            After::Named(_, temp) => self.folder.rename(temp, &self.name)?,
            After::Nothing | After::Nameless(..) => self.folder.remove(&self.name)?,
        }
        self.after = After::Nothing;
        Ok(Published::Written)
    }

    /// Publishes a new document by giving the nameless file the document's name. The system itself
    /// ensures that the name is still free. Returns `None` if this way is not possible.
    fn publish_new(&mut self) -> Result<Option<Published>, PathError> {
        let After::Nameless(file, _) = &self.after else { return Ok(None) };
        if self.before != Version::Absent {
            return Ok(None);
        }
        failpoint::reach("store.publish").context("replace", self.folder.path_of(&self.name))?;
        match self.folder.give_name(file, &self.name) {
            Ok(()) => {
                self.after = After::Nothing;
                Ok(Some(Published::Written))
            }
            Err(error) if error.source.kind() == ErrorKind::AlreadyExists => {
                Ok(Some(Published::Overtaken))
            }
            // Not every file system supports this.
            Err(_) => Ok(None),
        }
    }

    /// Gives a nameless file a temporary name, because only a named file can be renamed.
    fn give_name(&mut self) -> Result<(), PathError> {
        let (file, text) = match std::mem::replace(&mut self.after, After::Nothing) {
            After::Nameless(file, text) => (file, text),
            other @ (After::Nothing | After::Named(..)) => {
                self.after = other;
                return Ok(());
            }
        };
        if let Ok(((), temp)) = temp::claim(|temp| self.folder.give_name(&file, temp)) {
            self.after = After::Named(file, temp);
            return Ok(());
        }
        // Nameless files exist here but cannot be named: write the text again.
        let old = self.folder.stat(&self.name)?;
        self.write_named(&text, old.as_ref())?;
        self.sync()
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let After::Named(_, temp) = &self.after {
            // A later commit sweeps a file that cannot be removed now.
            let _ = self.folder.remove(temp);
        }
    }
}

/// Gives a new file the mode of the old one and, if we may, its owner.
pub(crate) fn keep(file: &File, old: &Stat) -> std::io::Result<()> {
    rustix::fs::fchmod(file, Mode::from_raw_mode(old.st_mode))?;
    let owner = (Uid::from_raw(old.st_uid), Gid::from_raw(old.st_gid));
    sys::give_to(file, Some(owner).filter(|(uid, _)| !uid.is_root() && sys::is_root()))
}
