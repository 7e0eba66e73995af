//! One file or folder: its stamp, and the hash of its contents.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use sprag_core::Hash;

use super::{MOST_BYTES, TreeError};

/// The purpose of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// It is part of the tree.
    File,
    /// Its names decide what is part of the tree.
    Folder,
    /// Its bytes decide what is part of the tree: an ignore file, git's index.
    Watched,
}

/// The state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeEntry {
    /// Relative to the root; that of a watched entry may be absolute.
    pub(super) path: Vec<u8>,
    pub(super) kind: EntryKind,
    pub(super) stamp: Stamp,
    pub(super) content: Hash,
}

/// A file's metadata, known without reading the file; all zero if it does not exist.
///
/// The time of the last change of its data or permissions cannot be set back by `touch`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) mode: u32,
    pub(super) size: u64,
    pub(super) number: u64,
    pub(super) modified: i128,
    pub(super) changed: i128,
}

/// A moment in nanoseconds, comparable with stamps.
pub(super) type Moment = i128;

const SECOND: i128 = 1_000_000_000;
const FOLDER: u32 = 0o040_000;
const REGULAR: u32 = 0o100_000;
const LINK: u32 = 0o120_000;
const TYPE: u32 = 0o170_000;

/// Returns the time as file systems record it.
#[expect(clippy::disallowed_methods, reason = "compared with the stamps of real files only")]
pub(super) fn now() -> Moment {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(i128::MAX))
}

impl Stamp {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let found = match std::fs::symlink_metadata(path) {
            Ok(found) => found,
            Err(error) if is_absence(&error) => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        let nanos = |seconds: i64, rest: i64| i128::from(seconds) * SECOND + i128::from(rest);
        Ok(Self {
            mode: found.mode(),
            size: found.size(),
            number: found.ino(),
            modified: nanos(found.mtime(), found.mtime_nsec()),
            changed: nanos(found.ctime(), found.ctime_nsec()),
        })
    }

    pub(super) const fn is_folder(&self) -> bool {
        self.mode & TYPE == FOLDER
    }

    /// Returns whether the tree can contain it: a regular file or a link.
    pub(super) const fn is_file(&self) -> bool {
        matches!(self.mode & TYPE, REGULAR | LINK)
    }

    pub(super) const fn is_link(&self) -> bool {
        self.mode & TYPE == LINK
    }

    /// Returns the hash that identifies a file which is too large to be read.
    ///
    /// Every write to the file changes it, even one that leaves the bytes the same.
    fn identity(&self) -> Hash {
        let Self { mode: _, size, number: _, modified, changed } = self;
        Hash::of(format!("{size} bytes {modified} {changed}"))
    }

    /// Returns whether a change right after the bytes were read at `then` could have left the same
    /// stamp. The clocks of file systems tick every few milliseconds, those of old ones every two
    /// seconds.
    pub(super) fn is_racy(&self, then: Moment) -> bool {
        let whole = self.modified % SECOND == 0 && self.changed % SECOND == 0;
        let tick = if whole { 2 * SECOND } else { SECOND / 20 };
        self.mode != 0 && self.modified.max(self.changed) + tick >= then
    }
}

impl TreeEntry {
    /// Reads a path whose stamp is known.
    pub(super) fn read(
        whole: &Path,
        kind: EntryKind,
        path: &[u8],
        stamp: Stamp,
    ) -> Result<Self, TreeError> {
        let content = match stamp.mode & TYPE {
            FOLDER => names(whole).map(|names| Hash::of(names.concat())),
            REGULAR => bytes(whole, &stamp).map(|hash| kinded(&stamp, hash)),
            LINK => std::fs::read_link(whole)
                .map(|target| kinded(&stamp, Hash::of(target.as_os_str().as_bytes()))),
            _ => Ok(Hash::of("")),
        };
        match content {
            Ok(content) => Ok(Self { path: path.to_vec(), kind, stamp, content }),
            // It disappeared meanwhile.
            Err(error) if is_absence(&error) => {
                let (stamp, content) = (Stamp::default(), Hash::of(""));
                Ok(Self { path: path.to_vec(), kind, stamp, content })
            }
            Err(error) => Err(unreadable(whole, error)),
        }
    }
}

/// Combines the mode, as git knows it, with the hash of the bytes.
fn kinded(stamp: &Stamp, hash: Hash) -> Hash {
    let kind = match stamp.mode {
        mode if mode & TYPE == LINK => "link",
        mode if mode & 0o100 != 0 => "program",
        _ => "file",
    };
    Hash::of(format!("{kind} {hash}"))
}

/// Returns whether these bytes have this content hash, as a plain file or an executable.
pub(super) fn is_content(text: &[u8], content: Hash) -> bool {
    [false, true].into_iter().any(|is_program| content_of(text, is_program) == content)
}

/// Returns the content hash of a small file with these bytes.
pub(super) fn content_of(bytes: &[u8], is_program: bool) -> Hash {
    let [plain, program] = contents_of(Hash::of(bytes));
    if is_program { program } else { plain }
}

/// Returns the content hashes of a plain file and an executable whose text has this hash.
pub(super) fn contents_of(text: Hash) -> [Hash; 2] {
    ["file", "program"].map(|kind| Hash::of(format!("{kind} {text}")))
}

/// Returns the names in a folder, each with a prefix that marks folders and a trailing zero byte.
pub(super) fn names(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let mut name = vec![if entry.file_type()?.is_dir() { b'/' } else { b' ' }];
        name.extend_from_slice(entry.file_name().as_bytes());
        name.push(0);
        found.push(name);
    }
    found.sort();
    Ok(found)
}

/// Hashes a file in pieces, so that memory use does not grow with its size.
fn bytes(path: &Path, stamp: &Stamp) -> io::Result<Hash> {
    const PIECE: u64 = 1 << 20;
    if stamp.size > MOST_BYTES {
        return Ok(stamp.identity());
    }
    // Do not block on a pipe, and do not follow a link that replaced the file.
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).unwrap_or(0);
    let mut file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let mut pieces = Vec::new();
    let mut piece = Vec::new();
    while (pieces.len() as u64) <= MOST_BYTES / PIECE {
        piece.clear();
        (&mut file).take(PIECE).read_to_end(&mut piece)?;
        if (piece.len() as u64) < PIECE && pieces.is_empty() {
            return Ok(Hash::of(&piece));
        }
        pieces.push(Hash::of(&piece).to_string());
        if (piece.len() as u64) < PIECE {
            return Ok(Hash::of(pieces.concat()));
        }
    }
    // It grew while it was read.
    Ok(stamp.identity())
}

pub(super) fn join(root: &Path, path: &[u8]) -> PathBuf {
    if path.is_empty() { root.to_path_buf() } else { root.join(OsStr::from_bytes(path)) }
}

pub(super) fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

pub(super) fn unreadable(path: &Path, source: io::Error) -> TreeError {
    TreeError::Unreadable { path: path.to_path_buf(), source }
}
