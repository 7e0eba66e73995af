//! A folder of small files that are not documents: caches, and the list of what a person trusts.
//!
//! They are replaced as a whole and do not appear in the journal. A writer holds the folder's own
//! lock.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FileType, Mode, OFlags};
use sprag_core::Time;

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};
use crate::seen::touched;
use crate::{lock, sys, temp};

/// A folder of files that are replaced as a whole.
#[derive(Debug)]
pub struct CacheDir {
    dir: Dir,
}

/// The right to write to a shelf; dropping it releases the lock.
#[derive(Debug)]
pub struct CacheLock<'a> {
    dir: &'a Dir,
    _lock: lock::Lock,
}

/// Appends to an existing file below `base` of at most `full` bytes, in few system calls: without a
/// sync and without the folder's lock. Returns whether it did. Links are refused.
pub fn append_to(base: &Path, path: &str, text: &str, full: u64) -> bool {
    let folder = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(base) = rustix::fs::open(base, folder, Mode::empty()) else { return false };
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NONBLOCK;
    let Ok(fd) = sys::open_below(&base, path, flags) else { return false };
    let has_room = rustix::fs::fstat(&fd).is_ok_and(|stat| {
        FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
            && u64::try_from(stat.st_size).is_ok_and(|size| size <= full)
    });
    has_room && File::from(fd).write_all(text.as_bytes()).is_ok()
}

/// How durable a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// Synced before it replaces the old file.
    Synced,
    /// May be lost in a power cut, which costs only time.
    Cached,
}

impl CacheDir {
    /// Opens a folder, or returns `None` if it does not exist.
    pub fn open(folder: &Path) -> Result<Option<Self>, PathError> {
        match Dir::base(folder) {
            Ok(dir) => Ok(Some(Self { dir })),
            Err(error) if error.source.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the folder `name` in `parent`, or returns `None` if it does not exist. A link is
    /// refused.
    pub fn open_in(parent: &Path, name: &str) -> Result<Option<Self>, PathError> {
        let Some(parent) = Self::open(parent)? else { return Ok(None) };
        Ok(parent.dir.enter(name)?.map(|dir| Self { dir }))
    }

    /// Opens the folder `name` in the existing folder `parent`, and creates it if it does not
    /// exist.
    pub fn make(parent: &Path, name: &str) -> Result<Self, PathError> {
        Ok(Self { dir: Dir::base(parent)?.enter_or_make(name)? })
    }

    /// Opens the folder `name` in `parent` like [`Self::make`], but creates it readable only by its
    /// owner.
    pub fn make_private(parent: &Path, name: &str) -> Result<Self, PathError> {
        Ok(Self { dir: Dir::base(parent)?.enter_or_make_with(name, 0o700)? })
    }

    /// Opens a folder below `base`, such as one of our state, or returns `None` if it does not
    /// exist. Refuses a link anywhere below `base`.
    pub fn open_below(base: &Path, folder: &str) -> Result<Option<Self>, PathError> {
        let mut at = Dir::base(base)?;
        for name in folder.split('/') {
            match at.enter(name)? {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(Some(Self { dir: at }))
    }

    /// Opens a folder below `base` like [`Self::open_below`] and creates missing folders, except
    /// the first, which must exist.
    pub fn make_below(base: &Path, folder: &str) -> Result<Self, PathError> {
        let mut names = folder.split('/');
        let first = names.next().unwrap_or_default();
        let base = Dir::base(base)?;
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let mut at = base.enter(first)?.ok_or_else(missing).context("open", base.path_of(first))?;
        for name in names {
            at = at.enter_or_make(name)?;
        }
        Ok(Self { dir: at })
    }

    /// Reads a file of at most `cap` bytes, or returns `None` if it does not exist. Links are
    /// refused.
    pub fn read(&self, name: &str, cap: u64) -> Result<Option<Vec<u8>>, PathError> {
        self.dir.read(name, cap)
    }

    /// Returns whether only this user can have written a file: the user owns it, and neither group
    /// nor others may write it. For root, the owner does not matter. A missing file counts as ours.
    pub fn is_written_by_us_alone(&self, name: &str) -> Result<bool, PathError> {
        let user = rustix::process::geteuid();
        let is_ours = |stat: &rustix::fs::Stat| {
            (user.is_root() || stat.st_uid == user.as_raw()) && stat.st_mode & 0o022 == 0
        };
        Ok(self.dir.stat(name)?.is_none_or(|stat| is_ours(&stat)))
    }

    /// Returns when a file was last written, or `None` if it does not exist.
    pub fn seen_at(&self, name: &str) -> Result<Option<Time>, PathError> {
        Ok(self.dir.stat(name)?.as_ref().map(touched))
    }

    /// The names in the folder, sorted.
    pub fn names(&self) -> Result<Vec<String>, PathError> {
        self.dir.names()
    }

    /// Appends to a file without a sync and without the folder's lock: a short single write is
    /// either complete or absent. A file of more than `full` bytes is renamed to `old` first.
    pub fn append(&self, name: &str, old: &str, text: &str, full: u64) -> Result<(), PathError> {
        let (mut file, stat) = self.dir.open_or_make(name)?;
        if u64::try_from(stat.st_size).is_ok_and(|size| size > full) {
            self.dir.rename(name, old)?;
            (file, _) = self.dir.open_or_make(name)?;
        }
        rustix::fs::fcntl_setfl(&file, OFlags::APPEND).context("write", self.dir.path_of(name))?;
        file.write_all(text.as_bytes()).context("write", self.dir.path_of(name))
    }

    /// Gives a file the same name in another folder as well, so that it outlives this one. A file
    /// that has the name there stays.
    pub fn link(&self, name: &str, to: &Self) -> Result<(), PathError> {
        match self.dir.link(name, &to.dir, name) {
            Err(error) if error.source.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        }
    }

    /// Waits for the folder's lock.
    pub fn turn(&self, wait: Duration) -> Result<CacheLock<'_>, StoreError> {
        self.turn_unless(wait, &|| false)
    }

    /// Takes the lock like [`Self::turn`], and gives up as soon as `gives_up` returns true.
    pub fn turn_unless(
        &self,
        wait: Duration,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<CacheLock<'_>, StoreError> {
        Ok(CacheLock { dir: &self.dir, _lock: lock::take_unless(&self.dir, wait, gives_up)? })
    }
}

impl CacheLock<'_> {
    /// Removes a file; a missing file is not an error.
    pub fn remove(&self, name: &str) -> Result<(), PathError> {
        match self.dir.remove(name) {
            Err(error) if error.source.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed.and_then(|()| self.dir.sync()),
        }
    }

    /// Creates or replaces a file atomically: readers see the old bytes or the new ones.
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
            Lasting::Synced => sys::sync_data(&file),
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
        let append_to = |name, text, full| append_to(scratch.path(), name, text, full);
        assert!(!append_to("none", "1\n", 2), "it is not made");
        assert!(!path("none").exists());
        CacheDir::open(scratch.path()).unwrap().unwrap().append("a", "old", "1\n", 2).unwrap();
        assert!(append_to("a", "2\n", 2));
        assert!(!append_to("a", "3\n", 2), "full");
        assert_eq!(std::fs::read(path("a")).unwrap(), b"1\n2\n");
        symlink("a", path("link")).unwrap();
        assert!(!append_to("link", "3\n", 100));
        symlink(".", path("here")).unwrap();
        assert!(!append_to("here/a", "3\n", 100), "a link on the way");
        assert!(!append_to(".", "3\n", 100), "a folder");
    }

    #[test]
    fn a_folder_below_is_reached_through_no_link() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        assert!(CacheDir::make_below(scratch.path(), "a/b").is_err(), "its first name is not made");
        std::fs::create_dir(path("a")).unwrap();
        assert!(CacheDir::open_below(scratch.path(), "a/b/c").unwrap().is_none());
        assert!(CacheDir::make_below(scratch.path(), "a/b/c").is_ok() && path("a/b/c").is_dir());
        assert!(CacheDir::open_below(scratch.path(), "a/b/c").unwrap().is_some());
        symlink("a", path("first")).unwrap();
        symlink("b", path("a/second")).unwrap();
        for folder in ["first", "first/b/c", "a/second", "a/second/c"] {
            let said = CacheDir::open_below(scratch.path(), folder).unwrap_err().to_string();
            assert!(said.contains("symbolic link"), "{folder}: {said}");
            assert!(CacheDir::make_below(scratch.path(), folder).is_err(), "{folder}");
        }
    }

    #[test]
    fn a_file_is_replaced_whole_with_its_mode_and_links_are_refused() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(CacheDir::open(&scratch.path().join("none")).unwrap().is_none());
        let shelf = CacheDir::make(scratch.path(), "shelf").unwrap();
        assert_eq!(shelf.read("a", 10).unwrap(), None);
        let turn = shelf.turn(Duration::ZERO).unwrap();
        assert!(matches!(shelf.turn(Duration::ZERO), Err(StoreError::Busy { .. })));
        for text in ["one", "two"] {
            turn.write("a", text.as_bytes(), 0o600, Lasting::Synced).unwrap();
            assert_eq!(shelf.read("a", 10).unwrap().unwrap(), text.as_bytes());
        }
        let path = scratch.path().join("shelf/a");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(shelf.is_written_by_us_alone("a").unwrap());
        assert!(shelf.read("a", 2).is_err(), "too large");
        symlink("a", scratch.path().join("shelf/link")).unwrap();
        assert!(shelf.read("link", 10).is_err());
        drop(turn);
        assert!(shelf.turn(Duration::from_secs(5)).is_ok());
        assert_eq!(std::fs::read_dir(scratch.path().join("shelf")).unwrap().count(), 3);
    }
}
