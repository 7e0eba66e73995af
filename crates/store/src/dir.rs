//! Open folders, and files reached from them one name at a time.
//!
//! Nothing here follows a symbolic link. If another process swaps one in meanwhile, the operation
//! fails and writes nothing behind the link.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, Stat, Uid};
use sprag_core::DocPath;

use crate::error::{Context, PathError};
use crate::{store, sys};

/// An open folder, with the path that it was opened by, for messages.
#[derive(Clone, Debug)]
pub(crate) struct Dir {
    fd: Arc<OwnedFd>,
    path: PathBuf,
    /// The owner of files that root creates in here.
    owner: Option<(Uid, Gid)>,
}

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);
/// Opening a pipe with these flags does not block.
const READ: OFlags = FILE.union(OFlags::RDONLY).union(OFlags::NONBLOCK);

impl Dir {
    /// Opens the folder from which everything else is reached. Only this path may go through links.
    /// Files that root creates in it get the owner of its `.sprag`, or else of the folder itself.
    pub(crate) fn base(path: &Path) -> Result<Self, PathError> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty()).context("open", path)?;
        let mut base = Self { fd: Arc::new(fd), path: path.to_owned(), owner: None };
        if sys::is_root() {
            let state = base.stat(store::FOLDER)?;
            let stat =
                state.map_or_else(|| rustix::fs::fstat(&base.fd).context("read", path), Ok)?;
            let owner = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
            base.owner = Some(owner).filter(|(uid, _)| !uid.is_root());
        }
        Ok(base)
    }

    /// The path of a name in this folder, for messages.
    pub(crate) fn path_of<'a>(&'a self, name: &'a str) -> Within<'a> {
        Within(&self.path, name)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether `parent` still has this same folder under that name.
    pub(crate) fn is_at(&self, parent: &Self, name: &str) -> Result<bool, PathError> {
        let own = rustix::fs::fstat(&*self.fd).context("read", &self.path)?;
        let named = parent.stat(name)?;
        Ok(named.is_some_and(|named| (named.st_dev, named.st_ino) == (own.st_dev, own.st_ino)))
    }

    /// Opens a subfolder, or returns `None` if it does not exist.
    pub(crate) fn enter(&self, name: &str) -> Result<Option<Self>, PathError> {
        match rustix::fs::openat(&self.fd, name, FOLDER, Mode::empty()) {
            Ok(fd) => {
                Ok(Some(Self { fd: Arc::new(fd), path: self.path.join(name), owner: self.owner }))
            }
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(self.explain("open", name, error)),
        }
    }

    /// Opens a subfolder and creates it if it does not exist.
    pub(crate) fn enter_or_make(&self, name: &str) -> Result<Self, PathError> {
        self.enter_or_make_with(name, 0o777)
    }

    /// Opens a subfolder and creates it with the given permissions if it does not exist.
    pub(crate) fn enter_or_make_with(&self, name: &str, mode: u32) -> Result<Self, PathError> {
        if let Some(found) = self.enter(name)? {
            return Ok(found);
        }
        match rustix::fs::mkdirat(&self.fd, name, sys::mode(mode)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(self.explain("make the folder", name, error)),
        }
        let folder = self
            .enter(name)?
            .ok_or(rustix::io::Errno::NOENT)
            .context("open", self.path_of(name))?;
        sys::give_to(&folder.fd, self.owner).context("give away", &folder.path)?;
        Ok(folder)
    }

    /// Opens the folder of a document, or returns `None` if it does not exist.
    pub(crate) fn folder_of(&self, doc: &DocPath) -> Result<Option<Self>, PathError> {
        self.walk(doc.parent().as_ref(), Self::enter)
    }

    pub(crate) fn folder(&self, path: &DocPath) -> Result<Option<Self>, PathError> {
        self.walk(Some(path), Self::enter)
    }

    /// Opens the folder of a document and creates missing folders on the way.
    pub(crate) fn make_folder_of(&self, doc: &DocPath) -> Result<Self, PathError> {
        let made =
            self.walk(doc.parent().as_ref(), |dir, name| dir.enter_or_make(name).map(Some))?;
        made.ok_or(rustix::io::Errno::NOENT).context("open", self.path_of(doc.as_str()))
    }

    fn walk(
        &self,
        path: Option<&DocPath>,
        step: impl Fn(&Self, &str) -> Result<Option<Self>, PathError>,
    ) -> Result<Option<Self>, PathError> {
        // Usually every folder exists. If not, the steps below show which one is missing.
        if let Some(path) = path
            && let Ok(fd) = sys::open_below(&self.fd, path.as_str(), FOLDER)
        {
            let path = self.path.join(path.as_str());
            return Ok(Some(Self { fd: Arc::new(fd), path, owner: self.owner }));
        }
        let mut at = self.clone();
        for name in path.iter().flat_map(|path| path.names()) {
            match step(&at, name)? {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// Opens an existing regular file for reading. Never blocks on a pipe.
    pub(crate) fn open(&self, name: &str) -> Result<Option<File>, PathError> {
        Ok(self.open_with_stat(name)?.map(|(file, _)| file))
    }

    pub(crate) fn open_with_stat(&self, name: &str) -> Result<Option<(File, Stat)>, PathError> {
        self.regular(name, rustix::fs::openat(&self.fd, name, READ, Mode::empty()))
    }

    /// Opens a regular file for reading and writing, and creates it if it does not exist.
    pub(crate) fn open_or_make(&self, name: &str) -> Result<(File, Stat), PathError> {
        let flags = FILE | OFlags::RDWR | OFlags::NONBLOCK;
        let found = rustix::fs::openat(&self.fd, name, flags, Mode::empty());
        if let Some(found) = self.regular(name, found)? {
            return Ok(found);
        }
        let flags = flags | OFlags::CREATE;
        let made = rustix::fs::openat(&self.fd, name, flags, Mode::from_raw_mode(0o666));
        let file = self.regular(name, made)?.ok_or(rustix::io::Errno::NOENT);
        let (file, stat) = file.context("make", self.path_of(name))?;
        sys::give_to(&file, self.owner).context("give away", self.path_of(name))?;
        Ok((file, stat))
    }

    /// Creates a file that must not exist yet, with the given permissions.
    pub(crate) fn make(&self, name: &str, mode: u32) -> Result<File, PathError> {
        let flags = FILE | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let fd = rustix::fs::openat(&self.fd, name, flags, sys::mode(mode))
            .context("write", self.path_of(name))?;
        sys::give_to(&fd, self.owner).context("give away", self.path_of(name))?;
        Ok(File::from(fd))
    }

    /// Creates a file without a name, which vanishes with its last holder. Returns `None` if the
    /// file system does not support such files.
    pub(crate) fn make_nameless(&self) -> Option<File> {
        let file = sys::nameless(&self.fd)?;
        sys::give_to(&file, self.owner).ok()?;
        Some(File::from(file))
    }

    /// Gives a nameless file of this folder a name that must be free.
    pub(crate) fn give_name(&self, file: &File, name: &str) -> Result<(), PathError> {
        sys::give_name(file, &self.fd, name).context("write", self.path_of(name))
    }

    fn regular(
        &self,
        name: &str,
        opened: rustix::io::Result<OwnedFd>,
    ) -> Result<Option<(File, Stat)>, PathError> {
        let fd = match opened {
            Ok(fd) => fd,
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(error) => return Err(self.explain("open", name, error)),
        };
        let stat = rustix::fs::fstat(&fd).context("read", self.path_of(name))?;
        if is_file(&stat) {
            Ok(Some((File::from(fd), stat)))
        } else {
            Err(not_a_file()).context("open", self.path_of(name))
        }
    }

    /// Reports a symbolic link as such, where the system only reports a generic error.
    fn explain(&self, action: &'static str, name: &str, error: rustix::io::Errno) -> PathError {
        let link = self.stat(name).ok().flatten().is_some_and(|stat| is_link(&stat));
        let source = if link { refused_link() } else { error.into() };
        PathError { action, path: self.path_of(name).into(), source }
    }

    /// Reads a whole file, or returns `None` if it does not exist. A file of more than `cap` bytes
    /// is an error of kind [`io::ErrorKind::FileTooLarge`].
    pub(crate) fn read(&self, name: &str, cap: u64) -> Result<Option<Vec<u8>>, PathError> {
        let Some((file, stat)) = self.open_with_stat(name)? else { return Ok(None) };
        let size = usize::try_from(stat.st_size).unwrap_or(0);
        read_capped(file, size, cap).context("read", self.path_of(name)).map(Some)
    }

    /// Reads a document below this folder, or returns `None` if it does not exist.
    pub(crate) fn read_below(&self, doc: &DocPath, cap: u64) -> Result<Option<Vec<u8>>, PathError> {
        match sys::open_below(&self.fd, doc.as_str(), READ) {
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Ok(fd) => {
                let stat = rustix::fs::fstat(&fd).context("read", self.path_of(doc.as_str()))?;
                if is_file(&stat) {
                    let size = usize::try_from(stat.st_size).unwrap_or(0);
                    let read = read_capped(File::from(fd), size, cap);
                    return read.context("read", self.path_of(doc.as_str())).map(Some);
                }
            }
            // Going folder by folder shows what is wrong, and where.
            Err(_) => {}
        }
        match self.folder_of(doc)? {
            Some(folder) => folder.read(doc.file_name(), cap),
            None => Ok(None),
        }
    }

    /// Returns whether `name` exists and this process may not write it.
    pub(crate) fn refuses(&self, name: &str) -> bool {
        use rustix::fs::{Access, AtFlags, accessat};
        use rustix::io::Errno;
        let asked = accessat(&self.fd, name, Access::WRITE_OK, AtFlags::empty());
        matches!(asked, Err(Errno::ACCESS | Errno::PERM | Errno::ROFS))
    }

    pub(crate) fn stat(&self, name: &str) -> Result<Option<Stat>, PathError> {
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error).context("read", self.path_of(name)),
        }
    }

    /// The names in this folder, sorted.
    pub(crate) fn names(&self) -> Result<Vec<String>, PathError> {
        let mut names = Vec::new();
        for entry in self.entries()? {
            let entry = entry.context("list", &self.path)?;
            let name = entry.file_name().to_string_lossy();
            if name != "." && name != ".." {
                names.push(name.into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The names of the subfolders, sorted. A link does not count as a folder.
    pub(crate) fn folders(&self) -> Result<Vec<String>, PathError> {
        let mut names = Vec::new();
        for entry in self.entries()? {
            let entry = entry.context("list", &self.path)?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            let kind = entry.file_type();
            // Some file systems do not report the type.
            let is_one = kind == FileType::Directory
                || kind == FileType::Unknown && self.stat(name)?.is_some_and(|s| is_folder(&s));
            if is_one && name != "." && name != ".." {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The entries of this folder, in no particular order.
    pub(crate) fn entries(&self) -> Result<rustix::fs::Dir, PathError> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let again = rustix::fs::openat(&self.fd, ".", flags, Mode::empty());
        rustix::fs::Dir::new(again.context("list", &self.path)?).context("list", &self.path)
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), PathError> {
        rustix::fs::renameat(&self.fd, from, &self.fd, to).context("replace", self.path_of(to))
    }

    /// Moves an entry to another folder and keeps its name.
    pub(crate) fn move_to(&self, folder: &Self, name: &str) -> Result<(), PathError> {
        rustix::fs::renameat(&self.fd, name, &folder.fd, name).context("move", self.path_of(name))
    }

    /// Exchanges two names in one step, or in three where the system cannot do it in one.
    pub(crate) fn exchange(&self, one: &str, other: &str) -> Result<(), PathError> {
        if sys::exchange(&self.fd, one, other).context("replace", self.path_of(other))? {
            return Ok(());
        }
        let between = crate::temp::name();
        self.rename(other, &between)?;
        self.rename(one, other)?;
        self.rename(&between, one)
    }

    /// Creates a hard link to a file in another folder, where the name must be free. A link is
    /// never followed.
    pub(crate) fn link(&self, name: &str, to: &Self, new: &str) -> Result<(), PathError> {
        rustix::fs::linkat(&self.fd, name, &to.fd, new, AtFlags::empty())
            .context("link", to.path_of(new))
    }

    /// Removes a file. A missing file is not an error.
    pub(crate) fn remove(&self, name: &str) -> Result<(), PathError> {
        match rustix::fs::unlinkat(&self.fd, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
            Err(error) => Err(error).context("remove", self.path_of(name)),
        }
    }

    pub(crate) fn remove_folder(&self, name: &str) -> Result<(), PathError> {
        rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR)
            .context("remove", self.path_of(name))
    }

    /// Syncs this folder, so that its names survive a power cut.
    pub(crate) fn sync(&self) -> Result<(), PathError> {
        sys::sync_folder(&self.fd).context("sync", &self.path)
    }

    /// Sets the times of a document below this folder to now. Does nothing if the document is
    /// missing.
    pub(crate) fn touch_below(&self, doc: &DocPath) -> Result<(), PathError> {
        let now = rustix::fs::Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_NOW };
        let times = rustix::fs::Timestamps { last_access: now, last_modification: now };
        if let Ok(file) = sys::open_below(&self.fd, doc.as_str(), READ) {
            return rustix::fs::futimens(&file, &times)
                .context("touch", self.path_of(doc.as_str()));
        }
        let Some(folder) = self.folder_of(doc)? else { return Ok(()) };
        rustix::fs::utimensat(&folder.fd, doc.file_name(), &times, AtFlags::SYMLINK_NOFOLLOW)
            .context("touch", folder.path_of(doc.file_name()))
    }
}

/// A path that is joined only when it is needed, which is for errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within<'a>(&'a Path, &'a str);

impl From<Within<'_>> for PathBuf {
    fn from(Within(folder, name): Within<'_>) -> Self {
        folder.join(name)
    }
}

/// Reads a file of probably `size` bytes, and fails if it has more than `cap`.
pub(crate) fn read_capped(mut file: impl Read, size: usize, cap: u64) -> io::Result<Vec<u8>> {
    // The buffer has one byte more than expected, so a read that returns exactly `size` bytes has
    // reached the end and no second read is needed.
    let mut bytes = vec![0; size.min(1 << 20) + 1];
    let got = match file.read(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
        read => read?,
    };
    bytes.truncate(got);
    if got != size || got == 0 {
        file.take((cap + 1).saturating_sub(got as u64)).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > cap {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {cap} bytes"),
        ));
    }
    Ok(bytes)
}

pub(crate) fn is_link(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Symlink
}

pub(crate) fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

pub(crate) fn is_folder(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

fn refused_link() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link, and those are not followed")
}

fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}
