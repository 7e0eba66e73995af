//! The project's files as one hash: what a receipt is true of.
//!
//! Tracked and untracked files count, ignored ones do not, and neither does what we or a host
//! write ourselves. Only what is on the disk counts, so staging and committing change nothing.
//!
//! git is asked for the names alone (`ls-files`): it runs nothing of the repository, and writes
//! nothing. The bytes are hashed here. A table of stamps remembers both,
//! so that git is started only when a name may have come or gone, and only changed files are read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_core::Hash;
use sprag_store::{Lasting, Place, Shelf};

use crate::process::Stop;

mod entry;
mod git_files;
mod listing;
mod table;
#[cfg(test)]
mod tests;

use entry::{Entry, Kind, Stamp};
use table::Table;

/// What is never part of the tree: ours, and what other programs keep about their own work.
const APART: [&str; 6] = [
    ".sprag/",
    ".gsd/STATE.md",
    ".chipset/state/",
    ".thoughts/",
    ".claude/settings.local.json",
    ".opencode/",
];

/// How many files a project without git may have.
pub const MOST_FILES: usize = 50_000;

/// How many bytes of a file are read; a larger one is told by its size and its times.
pub const MOST_BYTES: u64 = 256 << 20;

/// How long is waited to write the table, which need not be written.
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
    /// Its path below the root, `/` between names; not always text.
    pub path: Vec<u8>,
    /// The hash of its kind and its bytes.
    pub content: Hash,
}

/// Returns what is in one file, as a tree says it; nothing where there is none.
pub(crate) fn content(root: &Path, path: &str) -> Option<Hash> {
    let whole = root.join(path);
    let stamp = Stamp::of(&whole).ok().filter(Stamp::is_file)?;
    Some(Entry::read(&whole, Kind::File, path.as_bytes(), stamp).ok()?.content)
}

/// Returns what a file with a text of this hash is known by in a tree: that of a file, and that of a
/// program.
pub(crate) fn contents_of(text: Hash) -> [Hash; 2] {
    entry::contents_of(text)
}

/// Returns whether these bytes have this hash in a tree.
pub(crate) fn is_content(text: &[u8], content: Hash) -> bool {
    entry::is_content(text, content)
}

/// Returns the content of a file with these bytes, as a tree says it.
pub(crate) fn content_of(bytes: &[u8], is_program: bool) -> Hash {
    entry::content_of(bytes, is_program)
}

/// Why the tree cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// Without git, there are too many files to hash.
    #[error("there are more than {MOST_FILES} files here and no git that says which ones count")]
    TooMany,
    /// git was asked and did not answer.
    #[error("git cannot list the files: {why}")]
    Git {
        /// What it said.
        why: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Somebody asked for its end.
    #[error("the look at the files was interrupted")]
    Interrupted,
}

impl Tree {
    /// Takes the tree of a project; `environment` is what git sees of ours.
    pub fn take(place: &Place, environment: &[(OsString, OsString)]) -> Result<Self, TreeError> {
        Self::take_unless(place, environment, None)
    }

    /// Takes the tree of a project, unless `stop` is asked while there are files to read.
    pub fn take_unless(
        place: &Place,
        environment: &[(OsString, OsString)],
        stop: Option<&Stop>,
    ) -> Result<Self, TreeError> {
        Self::take_with(shelf(place).as_ref(), place, environment, stop)
    }

    /// Takes the tree of a project whose table nobody trusts, and leaves none.
    pub fn take_afresh(
        place: &Place,
        environment: &[(OsString, OsString)],
        stop: Option<&Stop>,
    ) -> Result<Self, TreeError> {
        Self::take_with(None, place, environment, stop)
    }

    fn take_with(
        shelf: Option<&Shelf>,
        place: &Place,
        environment: &[(OsString, OsString)],
        stop: Option<&Stop>,
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
            // A table that is not written costs time at the next call and nothing else.
            if let Ok(turn) = shelf.turn(PATIENCE) {
                let _ = turn.write(&name, &fresh.bytes(), 0o666, Lasting::Cached);
            }
        }
        Ok(Self::of(fresh.entries))
    }

    fn of(entries: Vec<Entry>) -> Self {
        let counts = |entry: &Entry| match entry.kind {
            Kind::File => true,
            Kind::Folder | Kind::Watched => false,
        };
        let file = |entry: Entry| File { path: entry.path, content: entry.content };
        let files: Vec<File> = entries.into_iter().filter(counts).map(file).collect();
        let mut whole = Vec::with_capacity(files.len() * 100);
        for file in &files {
            whole.extend_from_slice(&file.path);
            whole.push(0);
            whole.extend_from_slice(file.content.to_string().as_bytes());
        }
        Self { hash: Hash::of(whole), files }
    }

    /// Returns the hash of all of it.
    pub const fn hash(&self) -> Hash {
        self.hash
    }

    /// Returns the files, sorted by path.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// Returns what stands for its files that are not below a folder.
    pub(crate) fn hash_without(&self, folder: &str) -> Hash {
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

/// Returns what it is, or lies in, that is not part of the tree; nothing where it is part of it.
pub(crate) fn apart(path: &[u8]) -> Option<&'static str> {
    let names = APART.iter().map(|apart| (apart.trim_end_matches('/'), apart.ends_with('/')));
    let mut all = names.filter(|(name, is_folder)| {
        let rest = path.strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || (*is_folder && rest.starts_with(b"/")))
    });
    all.next().map(|(name, _)| name)
}

/// Returns where the table is kept; nothing where there is no `.sprag` yet.
fn shelf(place: &Place) -> Option<Shelf> {
    Shelf::make_below(&place.state, ".sprag/cache").ok()
}

/// Each worktree has a table of its own.
fn table_name(place: &Place) -> String {
    match &place.worktree {
        Some(worktree) => format!("tree-{}", Hash::of(&worktree.0).short(16)),
        None => "tree".to_owned(),
    }
}
