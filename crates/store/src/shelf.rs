//! A folder of small files that are no documents: caches, and what a person trusts.
//!
//! They are replaced whole and stand in no journal. Whoever writes holds the folder's own lock.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FileType, Mode, OFlags};

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};
use crate::{lock, temp};

/// A folder of files that are replaced whole.
#[derive(Debug)]
pub struct Shelf {
    dir: Dir,
}

/// The right to write to a shelf; dropping it lets the next one in.
#[derive(Debug)]
pub struct Turn<'a> {
    dir: &'a Dir,
    _lock: lock::Lock,
}

/// Appends to a file that is there and has at most `full` bytes, in four calls of the system:
/// unsynced, and without the folder's lock. Returns whether it did; links are refused.
pub fn append_to(path: &Path, text: &str, full: u64) -> bool {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let Ok(fd) = rustix::fs::open(path, flags | OFlags::CLOEXEC, Mode::empty()) else {
        return false;
    };
    let has_room = rustix::fs::fstat(&fd).is_ok_and(|stat| {
        FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
            && u64::try_from(stat.st_size).is_ok_and(|size| size <= full)
    });
    has_room && File::from(fd).write_all(text.as_bytes()).is_ok()
}

/// What becomes of a file in a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// The disk has it before the old one goes.
    Synced,
    /// It may be lost, which costs only time.
    Cached,
}

impl Shelf {
    /// Opens a folder, or returns nothing where there is none.
    pub fn open(folder: &Path) -> Result<Option<Self>, PathError> {
        match Dir::base(folder) {
            Ok(dir) => Ok(Some(Self { dir })),
            Err(error) if error.source.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the folder `name` in `parent`, which is there, and makes it first where it is not.
    pub fn make(parent: &Path, name: &str) -> Result<Self, PathError> {
        Ok(Self { dir: Dir::base(parent)?.enter_or_make(name)? })
    }

    /// Reads a file of at most `cap` bytes; nothing where there is none. Links are refused.
    pub fn read(&self, name: &str, cap: u64) -> Result<Option<Vec<u8>>, PathError> {
        self.dir.read(name, cap)
    }

    /// Returns who may read and write a file: its permission bits.
    pub fn mode(&self, name: &str) -> Result<Option<u32>, PathError> {
        Ok(self.dir.stat(name)?.map(|stat| stat.st_mode & 0o777))
    }

    /// Appends to a file, unsynced and without the folder's lock: a few bytes in one write are whole
    /// or not there. A file of more than `full` bytes becomes `old` first.
    pub fn append(&self, name: &str, old: &str, text: &str, full: u64) -> Result<(), PathError> {
        let (mut file, stat) = self.dir.open_or_make(name)?;
        if u64::try_from(stat.st_size).is_ok_and(|size| size > full) {
            self.dir.rename(name, old)?;
            (file, _) = self.dir.open_or_make(name)?;
        }
        rustix::fs::fcntl_setfl(&file, OFlags::APPEND).context("write", self.dir.path_of(name))?;
        file.write_all(text.as_bytes()).context("write", self.dir.path_of(name))
    }

    /// Waits for the right to write.
    pub fn turn(&self, wait: Duration) -> Result<Turn<'_>, StoreError> {
        self.turn_unless(wait, &|| false)
    }

    /// Takes the turn like [`Self::turn`], and gives up as soon as `gives_up` says so.
    pub fn turn_unless(
        &self,
        wait: Duration,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Turn<'_>, StoreError> {
        Ok(Turn { dir: &self.dir, _lock: lock::take_unless(&self.dir, wait, gives_up)? })
    }
}

impl Turn<'_> {
    /// Replaces a file or makes it; readers see the old bytes or the new ones, nothing between.
    pub fn write(
        &self,
        name: &str,
        bytes: &[u8],
        mode: u32,
        lasting: Lasting,
    ) -> Result<(), PathError> {
        temp::sweep(self.dir)?;
        let between = temp::name();
        let mut file = self.dir.make(&between, mode)?;
        let written = file.write_all(bytes).and_then(|()| match lasting {
            Lasting::Synced => file.sync_data(),
            Lasting::Cached => Ok(()),
        });
        let placed = written
            .context("write", self.dir.path_of(name))
            .and_then(|()| self.dir.rename(&between, name));
        match (&placed, lasting) {
            (Ok(()), Lasting::Synced) => self.dir.sync()?,
            (Ok(()), Lasting::Cached) => {}
            (Err(_), _) => {
                let _ = self.dir.remove(&between);
            }
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn only_a_file_that_is_there_and_has_room_is_appended_to() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        assert!(!append_to(&path("none"), "1\n", 2), "it is not made");
        assert!(!path("none").exists());
        Shelf::open(scratch.path()).unwrap().unwrap().append("a", "old", "1\n", 2).unwrap();
        assert!(append_to(&path("a"), "2\n", 2));
        assert!(!append_to(&path("a"), "3\n", 2), "full");
        assert_eq!(std::fs::read(path("a")).unwrap(), b"1\n2\n");
        symlink("a", path("link")).unwrap();
        assert!(!append_to(&path("link"), "3\n", 100));
        assert!(!append_to(scratch.path(), "3\n", 100), "a folder");
    }

    #[test]
    fn a_file_is_replaced_whole_with_its_mode_and_links_are_refused() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(Shelf::open(&scratch.path().join("none")).unwrap().is_none());
        let shelf = Shelf::make(scratch.path(), "shelf").unwrap();
        assert_eq!(shelf.read("a", 10).unwrap(), None);
        let turn = shelf.turn(Duration::ZERO).unwrap();
        assert!(matches!(shelf.turn(Duration::ZERO), Err(StoreError::Busy { .. })));
        for text in ["one", "two"] {
            turn.write("a", text.as_bytes(), 0o600, Lasting::Synced).unwrap();
            assert_eq!(shelf.read("a", 10).unwrap().unwrap(), text.as_bytes());
        }
        let path = scratch.path().join("shelf/a");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(shelf.mode("a").unwrap(), Some(0o600));
        assert!(shelf.read("a", 2).is_err(), "too large");
        symlink("a", scratch.path().join("shelf/link")).unwrap();
        assert!(shelf.read("link", 10).is_err());
        drop(turn);
        assert!(shelf.turn(Duration::from_secs(5)).is_ok());
        assert_eq!(std::fs::read_dir(scratch.path().join("shelf")).unwrap().count(), 3);
    }
}
