//! A folder with files of a person or another program, in the project or in the home folder.
//!
//! Links inside the folder are followed if they stay inside. The last step never goes through a
//! link, so a link that is swapped in meanwhile causes an error. Files are only read here;
//! `replace.rs` changes one, for settings that a person agreed to.

use std::cell::RefCell;
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::path::{Path, PathBuf};

use sprag_core::DocPath;

use crate::dir::{Dir, is_folder};
use crate::error::{Context, PathError};

mod list;
mod replace;

pub use list::ListedKind;

/// A folder whose files belong to a person or another program.
#[derive(Debug)]
pub struct ExternalFiles {
    dir: Dir,
    real: PathBuf,
    /// The subfolder that was read last; files in one folder are usually read together.
    last: RefCell<Option<(DocPath, Dir)>>,
}

/// The target of a path below the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    Absent,
    File {
        bytes: Vec<u8>,
        /// Its actual path below the folder, if a link led there.
        real: Option<PathBuf>,
    },
    /// The path leads out of the folder.
    Elsewhere,
}

impl ExternalFiles {
    /// Opens a folder, following links, or returns `None` if it does not exist.
    pub fn open(folder: &Path) -> Result<Option<Self>, PathError> {
        let real = match std::fs::canonicalize(folder) {
            Err(error) if error.kind() == NotFound => return Ok(None),
            found => found.context("open", folder)?,
        };
        Ok(Some(Self { dir: Dir::base(&real)?, real, last: RefCell::default() }))
    }

    /// The path with all links resolved.
    pub fn path(&self) -> &Path {
        &self.real
    }

    /// The names of its subfolders, sorted, without links.
    pub fn folders(&self) -> Result<Vec<String>, PathError> {
        self.dir.folders()
    }

    /// Returns whether it has a subfolder of this name that is not a link.
    pub fn has_folder(&self, name: &str) -> bool {
        let plain = DocPath::parse(name).is_ok_and(|path| path.parent().is_none());
        plain && self.dir.stat(name).is_ok_and(|stat| stat.is_some_and(|stat| is_folder(&stat)))
    }

    /// Reads a file of at most `cap` bytes.
    pub fn read(&self, below: &DocPath, cap: u64) -> Result<Reached, PathError> {
        let refused = match self.plain(below, cap) {
            Ok(None) => return Ok(Reached::Absent),
            Ok(Some(bytes)) => return Ok(Reached::File { bytes, real: None }),
            Err(refused) => refused,
        };
        // The path may contain a link.
        let real = match std::fs::canonicalize(self.real.join(below.as_str())) {
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => {
                let elsewhere = self.absent(below).is_none();
                return Ok(if elsewhere { Reached::Elsewhere } else { Reached::Absent });
            }
            Err(_) => return Err(refused),
            Ok(real) => real,
        };
        let Ok(inside) = real.strip_prefix(&self.real) else { return Ok(Reached::Elsewhere) };
        let moved = inside.to_str().and_then(|inside| DocPath::parse(inside).ok());
        match moved.filter(|moved| moved != below) {
            None => Err(refused),
            Some(moved) => Ok(self.plain(&moved, cap)?.map_or(Reached::Absent, |bytes| {
                Reached::File { bytes, real: Some(moved.as_str().into()) }
            })),
        }
    }

    /// Returns the path that a missing file would have. Folders on the way may be links that stay
    /// inside; returns `None` if they lead out.
    fn absent(&self, below: &DocPath) -> Option<DocPath> {
        let mut folder = below.parent();
        while let Some(at) = folder {
            if let Ok(real) = std::fs::canonicalize(self.real.join(at.as_str())) {
                let inside = real.strip_prefix(&self.real).ok()?;
                let rest = Path::new(below.as_str()).strip_prefix(at.as_str()).ok()?;
                return DocPath::parse(inside.join(rest).to_str()?).ok();
            }
            folder = at.parent();
        }
        Some(below.clone())
    }

    /// Reads a file without following links.
    fn plain(&self, below: &DocPath, cap: u64) -> Result<Option<Vec<u8>>, PathError> {
        let Some(folder) = below.parent() else { return self.dir.read(below.file_name(), cap) };
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(path, _)| *path != folder) {
            *last = self.dir.folder(&folder)?.map(|dir| (folder, dir));
        }
        last.as_ref().map_or(Ok(None), |(_, dir)| dir.read(below.file_name(), cap))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test builds its own folders")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_inside_and_not_out() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().join("top");
        for folder in ["top/a", "top/b", "secret"] {
            std::fs::create_dir_all(scratch.path().join(folder)).unwrap();
        }
        std::fs::write(top.join("a/file"), "text").unwrap();
        std::fs::write(scratch.path().join("secret/file"), "secret").unwrap();
        symlink("../a/file", top.join("b/in")).unwrap();
        symlink(top.join("a"), top.join("whole")).unwrap();
        symlink("../../secret/file", top.join("b/out")).unwrap();
        symlink("../secret", top.join("away")).unwrap();
        symlink("nowhere", top.join("b/dangling")).unwrap();
        symlink("round", top.join("b/round")).unwrap();
        symlink(&top, scratch.path().join("linked")).unwrap();

        let outside = ExternalFiles::open(&scratch.path().join("linked")).unwrap().unwrap();
        assert_eq!(outside.path(), std::fs::canonicalize(&top).unwrap());
        let read = |below: &str| outside.read(&DocPath::parse(below).unwrap(), 10);
        let file = |real: Option<&str>| Reached::File {
            bytes: b"text".to_vec(),
            real: real.map(PathBuf::from),
        };
        assert_eq!(read("a/file").unwrap(), file(None));
        assert_eq!(read("b/in").unwrap(), file(Some("a/file")));
        assert_eq!(read("whole/file").unwrap(), file(Some("a/file")));
        for out in ["b/out", "away/file", "away/no", "away/no/file"] {
            assert_eq!(read(out).unwrap(), Reached::Elsewhere, "{out}");
        }
        for absent in ["b/dangling", "no", "no/file", "a/no", "whole/no", "a/file/below"] {
            assert_eq!(read(absent).unwrap(), Reached::Absent, "{absent}");
        }
        assert!(read("a").is_err() && read("b/round").is_err());
        assert_eq!(outside.folders().unwrap(), ["a", "b"]);
        assert!(outside.has_folder("a") && !outside.has_folder("whole"));
        assert!(!outside.has_folder("../secret") && !outside.has_folder("a/.."));
    }

    #[test]
    fn a_large_file_is_refused_and_a_missing_folder_is_none() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(ExternalFiles::open(&scratch.path().join("none")).unwrap().is_none());
        std::fs::write(scratch.path().join("large"), "12345678901").unwrap();
        assert!(ExternalFiles::open(&scratch.path().join("large")).is_err());
        let outside = ExternalFiles::open(scratch.path()).unwrap().unwrap();
        assert!(outside.read(&DocPath::parse("large").unwrap(), 10).is_err());
    }
}
