//! Reads the project's current files to resolve the definition of a command.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::Path;

use sprag_core::Hash;
use sprag_formats::definition::{FileContent, ProjectFiles};

use crate::process::is_on_path;
use crate::tree::Tree;

/// How many folders of the project the search path may contain.
const SEARCHED: usize = 20;

/// The size limit of a file that is parsed.
const LARGEST: u64 = 4 << 20;

/// The files below a root.
pub(super) struct FilesNow<'a> {
    pub(super) root: &'a Path,
    pub(super) tree: &'a Tree,
    pub(super) environment: &'a [(OsString, OsString)],
}

impl ProjectFiles for FilesNow<'_> {
    fn read(&self, path: &str) -> FileContent {
        match bytes(&self.root.join(path)) {
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

    fn is_folder(&self, path: &str) -> bool {
        self.root.join(path).is_dir()
    }

    fn changed_at(&self, path: &str) -> Option<i64> {
        super::signs::changed_at(self.root, path).map(sprag_core::Time::as_millis)
    }
}

enum Content {
    Bytes(Vec<u8>),
    /// The hash of its size and times; the file is not read.
    TooLarge(Hash),
}

/// Reads a file, following links; `None` for a pipe or a folder.
fn bytes(path: &Path) -> Option<Content> {
    let real = std::fs::canonicalize(path).ok()?;
    let found = real.metadata().ok().filter(std::fs::Metadata::is_file)?;
    if found.len() > LARGEST {
        let modified = format!("{:?}", found.modified().ok());
        return Some(Content::TooLarge(Hash::of(format!("{} bytes {modified}", found.len()))));
    }
    let mut bytes = Vec::new();
    sprag_store::peek(&real).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(Content::Bytes(bytes))
}

/// Returns the hash of a whole file in the definition of a command.
pub(super) fn defined_hash(root: &Path, path: &str) -> Option<Hash> {
    match bytes(&root.join(path))? {
        Content::Bytes(bytes) => Some(Hash::of(bytes)),
        Content::TooLarge(hash) => Some(hash),
    }
}

/// Returns the bytes of a file that defines a command. A link must stay inside the project, because
/// a file outside may be a secret.
pub(super) fn linked_text(root: &Path, path: &str) -> Option<Vec<u8>> {
    text(root, &target(root, path)?)
}

/// Returns the path in the project that a path leads to through links.
pub(super) fn target(root: &Path, path: &str) -> Option<String> {
    let real = std::fs::canonicalize(root.join(path)).ok()?;
    let inside = real.strip_prefix(std::fs::canonicalize(root).ok()?).ok()?;
    inside.to_str().map(str::to_owned)
}

/// Returns the bytes of a regular file of the project that is small enough to compare.
pub(super) fn text(root: &Path, path: &str) -> Option<Vec<u8>> {
    let whole = root.join(path);
    whole.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    match bytes(&whole)? {
        Content::Bytes(bytes) => Some(bytes),
        Content::TooLarge(_) => None,
    }
}
