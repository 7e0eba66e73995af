//! Hashes the project's files: a receipt is valid for one such hash.
//!
//! Tracked and untracked files count; ignored ones do not, and neither do the files that we or a
//! host write. Only the contents on disk count, so staging and committing change nothing.
//!
//! Git only lists the names (`ls-files`), which runs none of the repository's commands and writes
//! nothing. The contents are hashed here. A cached table of stamps holds both, so that git is
//! started only if a name may have come or gone, and only changed files are read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_core::{Hash, systems};
use sprag_store::{CacheDir, Lasting, Place};

use crate::process::StopHandle;

mod entry;
mod git_files;
mod listing;
mod table;
#[cfg(test)]
mod tests;

use entry::{EntryKind, Stamp, TreeEntry};
use table::Table;

/// Paths that are never part of the tree, besides the records of the systems: ours, and those in
/// which hosts keep their own state.
const APART: [&str; 3] = [".sprag/", ".claude/settings.local.json", ".opencode/"];

/// The most files in a project without git.
pub const MOST_FILES: usize = 50_000;

/// How many bytes of a file are hashed. A larger file is identified by its size and times.
pub const MOST_BYTES: u64 = 256 << 20;

/// How long to wait for the lock of the table; not writing it does no harm.
const PATIENCE: Duration = Duration::from_millis(20);

/// The files of a project at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    hash: Hash,
    files: Vec<File>,
}

/// One file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path below the root, with `/` between names; not always UTF-8.
    pub path: Vec<u8>,
    /// The hash of its kind and bytes.
    pub content: Hash,
    /// Whether it is a link, so that its bytes are the name of its target.
    pub is_link: bool,
}

/// Returns a file's content hash as in a tree, or `None` if there is no file.
pub fn content(root: &Path, path: &str) -> Option<Hash> {
    let whole = root.join(path);
    let stamp = Stamp::of(&whole).ok().filter(Stamp::is_file)?;
    Some(TreeEntry::read(&whole, EntryKind::File, path.as_bytes(), stamp).ok()?.content)
}

/// Returns the two content hashes that a file with this text can have: as a plain file and as an
/// executable.
pub fn contents_of(text: Hash) -> [Hash; 2] {
    entry::contents_of(text)
}

/// Returns whether these bytes have this content hash.
pub fn is_content(text: &[u8], content: Hash) -> bool {
    entry::is_content(text, content)
}

/// Returns the content hash of a file with these bytes.
pub fn content_of(bytes: &[u8], is_program: bool) -> Hash {
    entry::content_of(bytes, is_program)
}

/// Why the tree could not be scanned.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// Without git, there are too many files to hash.
    #[error("there are more than {MOST_FILES} files here and no git that says which ones count")]
    TooMany,
    #[error("git cannot list the files: {why}")]
    Git {
        /// The output of git.
        why: String,
    },
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// The scan was interrupted on request.
    #[error("the look at the files was interrupted")]
    Interrupted,
}

impl Tree {
    /// Scans a project. `environment` is passed to git.
    pub fn take(place: &Place, environment: &[(OsString, OsString)]) -> Result<Self, TreeError> {
        Self::take_unless(place, environment, None)
    }

    /// Scans a project; stops early if `stop` is requested.
    pub fn take_unless(
        place: &Place,
        environment: &[(OsString, OsString)],
        stop: Option<&StopHandle>,
    ) -> Result<Self, TreeError> {
        Self::take_with(shelf(place).as_ref(), place, environment, stop)
    }

    /// Scans a project whose table is not trusted, and writes none.
    pub fn take_afresh(
        place: &Place,
        environment: &[(OsString, OsString)],
        stop: Option<&StopHandle>,
    ) -> Result<Self, TreeError> {
        Self::take_with(None, place, environment, stop)
    }

    fn take_with(
        shelf: Option<&CacheDir>,
        place: &Place,
        environment: &[(OsString, OsString)],
        stop: Option<&StopHandle>,
    ) -> Result<Self, TreeError> {
        let name = table_name(place);
        let known = shelf.and_then(|shelf| Table::read(shelf, &name));
        let now = entry::now();
        let fresh = match known.as_ref().map(|table| table.refresh(&place.root, now, stop)) {
            Some(Ok(Some(fresh))) => fresh,
            Some(Ok(None)) | None => {
                let listing = listing::list(&place.root, environment)?;
                Table::of(&place.root, &listing, known.as_ref(), now, stop)?
            }
            Some(Err(error)) => return Err(error),
        };
        if let (Some(shelf), true) = (shelf, known.as_ref() != Some(&fresh)) {
            // If the table is not written, the next scan takes longer.
            if let Ok(turn) = shelf.turn(PATIENCE) {
                let _ = turn.write(&name, &fresh.bytes(), 0o666, Lasting::Cached);
            }
        }
        Ok(Self::of(fresh.entries))
    }

    fn of(entries: Vec<TreeEntry>) -> Self {
        let counts = |entry: &TreeEntry| match entry.kind {
            EntryKind::File => true,
            EntryKind::Folder | EntryKind::Watched => false,
        };
        let file = |entry: TreeEntry| {
            let is_link = entry.stamp.is_link();
            File { path: entry.path, content: entry.content, is_link }
        };
        let files: Vec<File> = entries.into_iter().filter(counts).map(file).collect();
        let mut whole = Vec::with_capacity(files.len() * 100);
        for file in &files {
            whole.extend_from_slice(&file.path);
            whole.push(0);
            whole.extend_from_slice(file.content.to_string().as_bytes());
        }
        Self { hash: Hash::of(whole), files }
    }

    /// The hash of all files.
    pub const fn hash(&self) -> Hash {
        self.hash
    }

    /// The files, sorted by path.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// Returns the hash of all files outside of a folder.
    pub fn hash_without(&self, folder: &str) -> Hash {
        let mut text = Vec::new();
        for file in self.files.iter().filter(|file| !file.path.starts_with(folder.as_bytes())) {
            text.extend_from_slice(&file.path);
            text.push(0);
            text.extend_from_slice(file.content.to_string().as_bytes());
            text.push(0);
        }
        Hash::of(text)
    }

    /// Returns the paths that were added, changed or removed since `before`, for messages.
    pub fn changed_since(&self, before: &Self) -> Vec<String> {
        let (mut old, mut new) = (before.files.iter().peekable(), self.files.iter().peekable());
        let mut changed = Vec::new();
        let mut say = |file: &File| changed.push(String::from_utf8_lossy(&file.path).into_owned());
        loop {
            match (old.peek(), new.peek()) {
                (None, None) => return changed,
                (Some(one), Some(other)) if one.path == other.path => {
                    if one.content != other.content {
                        say(other);
                    }
                    old.next();
                    new.next();
                }
                (Some(one), Some(other)) if one.path < other.path => {
                    say(one);
                    old.next();
                }
                (Some(one), None) => {
                    say(one);
                    old.next();
                }
                (_, Some(other)) => {
                    say(other);
                    new.next();
                }
            }
        }
    }
}

/// Returns whether a path below the root is not part of the tree.
fn is_apart(path: &[u8]) -> bool {
    apart(path).is_some()
}

/// Returns the excluded prefix that covers `path`, if any.
pub fn apart(path: &[u8]) -> Option<&'static str> {
    let all = APART.into_iter().chain(systems::records());
    let names = all.map(|apart| (apart.trim_end_matches('/'), apart.ends_with('/')));
    let mut all = names.filter(|(name, is_folder)| {
        let rest = path.strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || (*is_folder && rest.starts_with(b"/")))
    });
    all.next().map(|(name, _)| name)
}

/// Returns the folder of the table, or `None` if there is no `.sprag` yet.
fn shelf(place: &Place) -> Option<CacheDir> {
    CacheDir::make_below(&place.state, ".sprag/cache").ok()
}

/// Each worktree has its own table.
fn table_name(place: &Place) -> String {
    match &place.worktree {
        Some(worktree) => format!("tree-{}", Hash::of(&worktree.0).short(16)),
        None => "tree".to_owned(),
    }
}
