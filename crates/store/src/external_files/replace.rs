//! Replaces a file of a person or another program: as a whole, only if it is unchanged, and without
//! a lock in that folder. The caller makes sure that only one process writes at a time.

use std::io::{Error, ErrorKind, Write as _};

use sprag_core::DocPath;

use super::{ExternalFiles, Reached};
use crate::dir::Dir;
use crate::error::{Context, PathError};
use crate::{staged, sys, temp};

/// Settings files are never larger.
const CAP: u64 = 4 << 20;

impl ExternalFiles {
    /// Replaces the file at `below`, creates it (`before` is `None`) or removes it (`after` is
    /// `None`).
    ///
    /// Returns the folders that were created for it, outermost first. The file is left alone if it
    /// no longer matches `before`, or if a link leads it out of the folder.
    pub fn replace(
        &self,
        below: &DocPath,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> Result<Vec<DocPath>, PathError> {
        let refused = |kind, why: &str| PathError {
            action: "change",
            path: self.real.join(below.as_str()),
            source: Error::new(kind, why.to_owned()),
        };
        let (found, target) = match self.read(below, CAP)? {
            Reached::Absent => (None, self.absent(below).unwrap_or_else(|| below.clone())),
            Reached::File { bytes, real: None } => (Some(bytes), below.clone()),
            Reached::File { bytes, real: Some(real) } => {
                let real = real.to_str().and_then(|text| DocPath::parse(text).ok());
                let odd = || refused(ErrorKind::InvalidInput, "its link has an odd name");
                (Some(bytes), real.ok_or_else(odd)?)
            }
            Reached::Elsewhere => {
                return Err(refused(ErrorKind::InvalidInput, "a link leads out of the folder"));
            }
        };
        if found.as_deref() != before {
            return Err(refused(ErrorKind::Other, "another process changed it meanwhile"));
        }
        // The cached folder may soon be a different one.
        *self.last.borrow_mut() = None;
        match after {
            None if self.is_link(below) => Err(refused(ErrorKind::InvalidInput, "it is a link")),
            None => self.remove(&target).map(|()| Vec::new()),
            Some(bytes) => {
                let made = self.missing(&target)?;
                let folder = self.dir.make_folder_of(&target)?;
                put(&folder, target.file_name(), bytes)?;
                Ok(made)
            }
        }
    }

    /// Removes a subfolder if it is empty.
    pub fn remove_empty(&self, below: &DocPath) {
        *self.last.borrow_mut() = None;
        if let Ok(Some(parent)) = self.dir.folder_of(below) {
            // A folder that is not empty stays, as intended.
            let _ = parent.remove_folder(below.file_name());
        }
    }

    /// Returns whether the path itself is a link, not just a folder on the way to it.
    fn is_link(&self, below: &DocPath) -> bool {
        let found = std::fs::symlink_metadata(self.real.join(below.as_str()));
        found.is_ok_and(|found| found.is_symlink())
    }

    fn remove(&self, below: &DocPath) -> Result<(), PathError> {
        match self.dir.folder_of(below)? {
            Some(folder) => {
                folder.remove(below.file_name())?;
                folder.sync()
            }
            None => Ok(()),
        }
    }

    /// Returns the missing folders on the way to a file.
    fn missing(&self, file: &DocPath) -> Result<Vec<DocPath>, PathError> {
        let mut missing = Vec::new();
        let mut at = file.parent();
        while let Some(folder) = at {
            if self.dir.folder(&folder)?.is_some() {
                break;
            }
            at = folder.parent();
            missing.insert(0, folder);
        }
        Ok(missing)
    }
}

/// Writes and syncs a file under a temporary name, then renames it into place.
fn put(folder: &Dir, name: &str, bytes: &[u8]) -> Result<(), PathError> {
    temp::sweep(folder)?;
    let between = temp::name();
    let mut file = folder.make(&between, 0o666)?;
    let mut write = || -> Result<(), PathError> {
        if let Some(old) = folder.stat(name)? {
            staged::keep(&file, &old).context("write", folder.path_of(name))?;
        }
        file.write_all(bytes)
            .and_then(|()| sys::sync_data(&file))
            .context("write", folder.path_of(name))?;
        folder.rename(&between, name)
    };
    let written = write();
    match &written {
        Ok(()) => folder.sync()?,
        Err(_) => {
            let _ = folder.remove(&between);
        }
    }
    written
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn doc(text: &str) -> DocPath {
        DocPath::parse(text).unwrap()
    }

    #[test]
    fn a_file_is_made_replaced_and_removed_with_its_folders() {
        let scratch = tempfile::tempdir().unwrap();
        let outside = ExternalFiles::open(scratch.path()).unwrap().unwrap();
        let file = doc("a/b/file");
        let made = outside.replace(&file, None, Some(b"one")).unwrap();
        assert_eq!(made, [doc("a"), doc("a/b")]);
        let path = scratch.path().join("a/b/file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(outside.replace(&file, Some(b"one"), Some(b"two")).unwrap(), []);
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        let stale = outside.replace(&file, Some(b"one"), Some(b"three")).unwrap_err();
        assert!(stale.to_string().contains("another process changed it"), "{stale}");
        assert!(outside.replace(&file, None, Some(b"three")).is_err());
        outside.remove_empty(&doc("a/b"));
        outside.replace(&file, Some(b"two"), None).unwrap();
        for folder in made.iter().rev() {
            outside.remove_empty(folder);
        }
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_is_made_and_removed_in_a_folder_that_a_link_inside_leads_to() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("dotfiles/codex");
        std::fs::create_dir_all(&folder).unwrap();
        symlink("dotfiles/codex", scratch.path().join(".codex")).unwrap();
        let outside = ExternalFiles::open(scratch.path()).unwrap().unwrap();
        let file = doc(".codex/new/file");
        let made = outside.replace(&file, None, Some(b"one")).unwrap();
        assert_eq!(made, [doc("dotfiles/codex/new")]);
        assert_eq!(std::fs::read(folder.join("new/file")).unwrap(), b"one");
        outside.replace(&file, Some(b"one"), None).unwrap();
        outside.remove_empty(&made[0]);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        assert!(scratch.path().join(".codex").is_symlink());
    }

    #[test]
    fn a_link_inside_is_written_through_and_one_outside_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let home = scratch.path().join("home");
        std::fs::create_dir_all(home.join("dotfiles")).unwrap();
        std::fs::write(home.join("dotfiles/real"), "old").unwrap();
        std::fs::write(scratch.path().join("secret"), "old").unwrap();
        symlink("dotfiles/real", home.join("in")).unwrap();
        symlink("../secret", home.join("out")).unwrap();
        symlink(scratch.path(), home.join("away")).unwrap();
        let outside = ExternalFiles::open(&home).unwrap().unwrap();
        outside.replace(&doc("in"), Some(b"old"), Some(b"new")).unwrap();
        assert_eq!(std::fs::read(home.join("dotfiles/real")).unwrap(), b"new");
        assert!(home.join("in").is_symlink());
        assert!(outside.replace(&doc("in"), Some(b"new"), None).is_err());
        for out in ["out", "away/secret"] {
            assert!(outside.replace(&doc(out), Some(b"old"), Some(b"new")).is_err(), "{out}");
        }
        assert!(outside.replace(&doc("away/made"), None, Some(b"new")).is_err());
        assert_eq!(std::fs::read(scratch.path().join("secret")).unwrap(), b"old");
        assert!(!scratch.path().join("made").exists());
    }
}
