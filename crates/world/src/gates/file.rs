//! Opens a file of the project without leaving the project: one name at a time, following no link.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use sprag_core::DocPath;

/// The kind of entry at a path.
#[derive(Debug)]
pub(super) enum FileKind {
    File(File),
    Missing,
    /// A symbolic link, at the end or on the way.
    Link,
    /// A folder, a pipe, a device.
    Other,
}

impl FileKind {
    /// Describes the problem, to follow the file's name.
    pub(super) const fn says(&self) -> &'static str {
        match self {
            Self::File(_) => "is there",
            Self::Missing => "is not there",
            Self::Link => "is behind a symbolic link, and those are not followed",
            Self::Other => "is not a file",
        }
    }
}

/// Opens a file below `root`.
pub(super) fn find(root: &Path, path: &DocPath) -> io::Result<FileKind> {
    let way = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let base = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut folder = rustix::fs::open(root, base, Mode::empty())?;
    for name in path.parent().iter().flat_map(DocPath::names) {
        match rustix::fs::openat(&folder, name, way, Mode::empty()) {
            Ok(next) => folder = next,
            Err(Errno::NOENT) => return Ok(FileKind::Missing),
            Err(Errno::LOOP) => return Ok(FileKind::Link),
            Err(Errno::NOTDIR) => return Ok(odd(&folder, name)),
            Err(error) => return Err(error.into()),
        }
    }
    // A pipe without a writer must not block us.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match rustix::fs::openat(&folder, path.file_name(), flags, Mode::empty()) {
        Ok(file) => {
            let found = rustix::fs::fstat(&file)?;
            let is_file = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
            Ok(if is_file { FileKind::File(File::from(file)) } else { FileKind::Other })
        }
        Err(Errno::NOENT) => Ok(FileKind::Missing),
        Err(Errno::LOOP) => Ok(FileKind::Link),
        Err(Errno::NXIO) => Ok(FileKind::Other),
        Err(error) => Err(error.into()),
    }
}

/// Tells a link on the way, which fails to open as "not a folder", from a file on the way.
fn odd(folder: &impl std::os::fd::AsFd, name: &str) -> FileKind {
    let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
    match rustix::fs::statat(folder, name, flags) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => FileKind::Link,
        Ok(_) | Err(_) => FileKind::Missing,
    }
}

/// The size limit of a searched file.
const MAX: u64 = 16 << 20;

/// Returns whether a file contains a text.
pub(super) fn contains(file: &mut File, has: &str) -> io::Result<bool> {
    let mut bytes = Vec::new();
    file.take(MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX {
        let why = format!("it has more than {MAX} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    // Bytes that are not UTF-8 cannot be part of the text.
    Ok(String::from_utf8_lossy(&bytes).contains(has))
}
