//! Reads the project's current files to resolve the definition of a command.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sprag_core::{Hash, Hashing};
use sprag_formats::definition::{FileContent, ProjectFiles};
use sprag_world::process::is_on_path;
use sprag_world::tree::Tree;

/// How many folders of the project the search path may contain.
const SEARCHED: usize = 20;

/// The size limit of a file that is parsed.
const LARGEST: u64 = 4 << 20;

/// The size limit of a file of the project that is compared by content.
const LARGEST_HASHED: u64 = 256 << 20;

/// How many bytes are read at once.
const PIECE: usize = 256 << 10;

/// How many names of a folder are listed.
const NAMES: usize = 5_000;

/// The files below a root.
pub(crate) struct FilesNow<'a> {
    pub(crate) root: &'a Path,
    pub(crate) tree: &'a Tree,
    pub(crate) environment: &'a [(OsString, OsString)],
}

/// Files that record which of them are read: those that may change what a command does.
pub(crate) struct ReadFiles<'f> {
    files: &'f FilesNow<'f>,
    read: RefCell<BTreeSet<String>>,
}

impl<'f> ReadFiles<'f> {
    pub(crate) fn of(files: &'f FilesNow<'f>) -> Self {
        Self { files, read: RefCell::default() }
    }

    /// Returns the paths that were asked for, also those of files that do not exist.
    pub(crate) fn paths_read(self) -> BTreeSet<String> {
        self.read.into_inner()
    }
}

impl ProjectFiles for ReadFiles<'_> {
    fn read(&self, path: &str) -> FileContent {
        self.read.borrow_mut().insert(path.to_owned());
        self.files.read(path)
    }

    fn paths(&self) -> Vec<String> {
        self.files.paths()
    }

    fn is_elsewhere(&self, program: &str) -> bool {
        self.files.is_elsewhere(program)
    }

    fn search_folders(&self) -> Vec<String> {
        self.files.search_folders()
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        self.files.names_in(folder)
    }

    fn is_folder(&self, path: &str) -> bool {
        self.files.is_folder(path)
    }

    fn changed_at(&self, path: &str) -> Option<i64> {
        self.files.changed_at(path)
    }
}

impl ProjectFiles for FilesNow<'_> {
    fn read(&self, path: &str) -> FileContent {
        match bytes(self.root, path) {
            Some(Content::Bytes(bytes)) => FileContent::Bytes(bytes),
            Some(Content::TooLarge(hash)) => FileContent::TooLarge(hash),
            None => FileContent::Absent,
        }
    }

    fn paths(&self) -> Vec<String> {
        let files = self.tree.files().iter();
        files.filter_map(|file| String::from_utf8(file.path.clone()).ok()).collect()
    }

    fn is_elsewhere(&self, program: &str) -> bool {
        is_on_path(program, self.environment, self.root)
    }

    fn search_folders(&self) -> Vec<String> {
        let path = self.environment.iter().find(|(name, _)| name == "PATH");
        let entries = path.into_iter().flat_map(|(_, value)| std::env::split_paths(value));
        let below = |entry: std::path::PathBuf| {
            let whole = self.root.join(entry);
            let inner = whole.strip_prefix(self.root).ok()?.to_str()?;
            (!inner.split('/').any(|name| name == "..")).then(|| inner.to_owned())
        };
        entries.filter_map(below).take(SEARCHED).collect()
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.take(NAMES).filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn is_folder(&self, path: &str) -> bool {
        self.root.join(path).is_dir()
    }

    fn changed_at(&self, path: &str) -> Option<i64> {
        super::signs::changed_at(self.root, path).map(sprag_core::Time::as_millis)
    }
}

enum Content {
    Bytes(Vec<u8>),
    /// The hash of a file that is too large to keep in memory.
    TooLarge(Hash),
}

/// Reads a file, following links; `None` for a pipe or a folder.
fn bytes(root: &Path, path: &str) -> Option<Content> {
    let real = std::fs::canonicalize(root.join(path)).ok()?;
    let found = real.metadata().ok().filter(std::fs::Metadata::is_file)?;
    if found.len() > LARGEST {
        return Some(Content::TooLarge(large(root, &real, &found)));
    }
    let mut bytes = Vec::new();
    sprag_store::peek(&real).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(Content::Bytes(bytes))
}

/// Returns the hash of a large file: of its content if it is in the project, where an agent may
/// write, and else of its size, its place and its times. The time of its last change of state
/// cannot be set back.
fn large(root: &Path, real: &Path, found: &std::fs::Metadata) -> Hash {
    let is_inside = std::fs::canonicalize(root).is_ok_and(|root| real.starts_with(root));
    let hashed = Some(()).filter(|()| is_inside && found.len() <= LARGEST_HASHED);
    hashed.and_then(|()| streamed(real)).unwrap_or_else(|| {
        let (modified, changed) =
            ((found.mtime(), found.mtime_nsec()), (found.ctime(), found.ctime_nsec()));
        let (size, place) = (found.len(), (found.dev(), found.ino()));
        Hash::of(format!("{size} bytes {modified:?} {changed:?} {place:?}"))
    })
}

fn streamed(path: &Path) -> Option<Hash> {
    let mut file = sprag_store::peek(path).ok()?.take(LARGEST_HASHED);
    let (mut hashing, mut piece) = (Hashing::default(), vec![0; PIECE]);
    loop {
        match file.read(&mut piece).ok()? {
            0 => return Some(hashing.finish()),
            length => hashing.update(&piece[..length]),
        }
    }
}

/// Returns the hash of a whole file in the definition of a command.
pub(crate) fn defined_hash(root: &Path, path: &str) -> Option<Hash> {
    match bytes(root, path)? {
        Content::Bytes(bytes) => Some(Hash::of(bytes)),
        Content::TooLarge(hash) => Some(hash),
    }
}

/// Returns the bytes of a file that defines a command. A link must stay inside the project, because
/// a file outside may be a secret.
pub(crate) fn linked_text(root: &Path, path: &str) -> Option<Vec<u8>> {
    text(root, &target(root, path)?)
}

/// Returns the path in the project that a path leads to through links.
pub(crate) fn target(root: &Path, path: &str) -> Option<String> {
    let real = std::fs::canonicalize(root.join(path)).ok()?;
    let inside = real.strip_prefix(std::fs::canonicalize(root).ok()?).ok()?;
    inside.to_str().map(str::to_owned)
}

/// Returns the bytes of a regular file of the project that is small enough to compare.
pub(crate) fn text(root: &Path, path: &str) -> Option<Vec<u8>> {
    root.join(path).symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    match bytes(root, path)? {
        Content::Bytes(bytes) => Some(bytes),
        Content::TooLarge(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "plays a program of a project")]
    fn a_large_program_is_compared_by_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        let write = |byte: u8, time| {
            let mut file = std::fs::File::create(&path).unwrap();
            file.write_all(&vec![byte; usize::try_from(LARGEST).unwrap() + 1]).unwrap();
            file.set_modified(time).unwrap();
            defined_hash(folder.path(), "tool")
        };
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
        let first = write(b'a', time);
        assert_ne!(first, write(b'b', time));
        assert_eq!(first, write(b'a', time + std::time::Duration::from_secs(9)));
    }
}
