//! Finds out which files count, and what that depends on.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::entry::{self, EntryKind, Stamp, is_absence, join, unreadable};
use super::{MOST_FILES, TreeError, git_files, is_apart};
use crate::git::{Git, QuietGit};

/// The files that count, and the folders and files that decide it; all sorted.
#[derive(Debug, Default)]
pub(super) struct Listing {
    files: BTreeSet<Vec<u8>>,
    folders: BTreeSet<Vec<u8>>,
    watched: BTreeSet<Vec<u8>>,
}

impl Listing {
    /// Returns all entries; files first, by path.
    pub(super) fn all(&self) -> impl Iterator<Item = (EntryKind, &[u8])> {
        let files = self.files.iter().map(|path| (EntryKind::File, path.as_slice()));
        let folders = self.folders.iter().map(|path| (EntryKind::Folder, path.as_slice()));
        let watched = self.watched.iter().map(|path| (EntryKind::Watched, path.as_slice()));
        files.chain(folders).chain(watched)
    }
}

/// Lists the files of the project at `root`.
pub(super) fn list(
    root: &Path,
    environment: &[(OsString, OsString)],
) -> Result<Listing, TreeError> {
    let mut work =
        Lister { root, git: QuietGit::reading(environment), listing: Listing::default() };
    let around = Git::around(root).map_err(|error| TreeError::Git { why: error.to_string() })?;
    let is_done = match &around {
        Some(git) => work.repository(git, b"", 0)?,
        None => false,
    };
    if !is_done {
        work.everything(b"")?;
    }
    Ok(work.listing)
}

/// How deep nested repositories may be.
const DEEPEST: usize = 16;

struct Lister<'a> {
    root: &'a Path,
    git: QuietGit,
    listing: Listing,
}

impl Lister<'_> {
    /// Lists the repository whose files begin at `below`. Returns false if git is not installed, or
    /// the repository ignores these files.
    fn repository(&mut self, git: &Git, below: &[u8], depth: usize) -> Result<bool, TreeError> {
        let folder = join(self.root, below);
        let Some(names) = git_files::list(&self.git, &folder)? else { return Ok(false) };
        if names.is_empty() && self.is_ignored(git, &folder)? {
            return Ok(false);
        }
        self.watch_repository(git, &folder);
        let mut folders = BTreeSet::from([below.to_vec()]);
        let mut others = BTreeSet::new();
        for name in names {
            let bare = name.strip_suffix(b"/").unwrap_or(&name);
            if bare.is_empty() || bare.split(|&byte| byte == b'/').any(|part| part == b"..") {
                let why = format!("it names `{}`", String::from_utf8_lossy(&name));
                return Err(TreeError::Git { why });
            }
            let path = child(below, bare);
            if is_apart(&path) {
                continue;
            }
            let whole = join(self.root, &path);
            let stamp = Stamp::of(&whole).map_err(|error| unreadable(&whole, error))?;
            if stamp.is_folder() {
                others.insert(path);
            } else if stamp.is_file() {
                folders.extend(ancestors(&path, below));
                self.listing.files.insert(path);
            }
        }
        for path in &others {
            folders.extend(ancestors(path, below));
            self.other(path, depth)?;
        }
        self.folders(below, &folders, &others)?;
        Ok(true)
    }

    /// Returns whether a repository further up ignores the whole project, as a home directory under
    /// git does. Such a repository does not decide which files count.
    fn is_ignored(&self, git: &Git, folder: &Path) -> Result<bool, TreeError> {
        match folder.strip_prefix(git.top()) {
            Ok(way) if !way.as_os_str().is_empty() => {
                let way = way.as_os_str().as_bytes().to_vec();
                Ok(!git_files::ignored(&self.git, git.top(), &[way])?.is_empty())
            }
            Ok(_) | Err(_) => Ok(false),
        }
    }

    /// Adds a nested repository: a submodule or a clone. A linked worktree is a separate working
    /// folder, perhaps with its own agent, and does not count here.
    fn other(&mut self, path: &[u8], depth: usize) -> Result<(), TreeError> {
        let folder = join(self.root, path);
        let here =
            Git::around(&folder).map_err(|error| TreeError::Git { why: error.to_string() })?;
        match here.filter(|git| git.top() == folder) {
            Some(git) if git.worktree().is_none() => {
                if depth >= DEEPEST {
                    let why = "repositories are nested too deep".to_owned();
                    return Err(TreeError::Git { why });
                }
                self.repository(&git, path, depth + 1)?;
            }
            Some(_) => {}
            // It claims to belong to a repository that does not list it.
            None if folder.join(".git").symlink_metadata().is_ok() => self.everything(path)?,
            // A submodule that is not checked out: an empty folder so far.
            None => {
                self.listing.folders.insert(path.to_vec());
            }
        }
        Ok(())
    }

    /// Records every folder that could get a file that counts, including empty ones.
    fn folders(
        &mut self,
        below: &[u8],
        known: &BTreeSet<Vec<u8>>,
        others: &BTreeSet<Vec<u8>>,
    ) -> Result<(), TreeError> {
        let mut todo: Vec<Vec<u8>> = known.iter().cloned().collect();
        while !todo.is_empty() {
            let mut candidates = Vec::new();
            for folder in &todo {
                for inner in self.enter(folder)? {
                    if !known.contains(&inner) && !others.contains(&inner) && !is_apart(&inner) {
                        candidates.push(inner);
                    }
                }
            }
            todo = self.not_ignored(below, candidates)?;
        }
        Ok(())
    }

    /// Records a folder and its ignore file, and returns its subfolders.
    fn enter(&mut self, folder: &[u8]) -> Result<Vec<Vec<u8>>, TreeError> {
        let whole = join(self.root, folder);
        self.listing.folders.insert(folder.to_vec());
        let names = match entry::names(&whole) {
            Ok(names) => names,
            Err(error) if is_absence(&error) => return Ok(Vec::new()),
            Err(error) => return Err(unreadable(&whole, error)),
        };
        let mut inner = Vec::new();
        for name in names {
            match name.split_first() {
                Some((b'/', name)) if *name != *b".git\0" => {
                    inner.push(child(folder, &name[..name.len() - 1]));
                }
                Some((b' ', b".gitignore\0")) => {
                    self.listing.watched.insert(child(folder, b".gitignore"));
                }
                Some(_) | None => {}
            }
        }
        Ok(inner)
    }

    fn not_ignored(
        &self,
        below: &[u8],
        candidates: Vec<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>, TreeError> {
        if candidates.is_empty() {
            return Ok(candidates);
        }
        let cut = if below.is_empty() { 0 } else { below.len() + 1 };
        let asked: Vec<Vec<u8>> = candidates.iter().map(|path| path[cut..].to_vec()).collect();
        let ignored = git_files::ignored(&self.git, &join(self.root, below), &asked)?;
        let ignored: BTreeSet<Vec<u8>> = ignored.into_iter().collect();
        Ok(candidates.into_iter().filter(|path| !ignored.contains(&path[cut..])).collect())
    }

    /// Watches files that change git's answer without a change to a folder.
    fn watch_repository(&mut self, git: &Git, folder: &Path) {
        let mut watch = |path: &Path| {
            self.listing.watched.insert(path.as_os_str().as_bytes().to_vec());
        };
        watch(&git.index());
        watch(&git.common().join("config"));
        watch(&git.common().join("info/exclude"));
        for above in folder.ancestors().skip(1).take_while(|above| above.starts_with(git.top())) {
            watch(&above.join(".gitignore"));
        }
    }

    /// Lists every file below a folder, if no git decides which ones count.
    fn everything(&mut self, below: &[u8]) -> Result<(), TreeError> {
        let mut todo = vec![below.to_vec()];
        while let Some(folder) = todo.pop() {
            let whole = join(self.root, &folder);
            self.listing.folders.insert(folder.clone());
            let names = match entry::names(&whole) {
                Ok(names) => names,
                Err(error) if is_absence(&error) => continue,
                Err(error) => return Err(unreadable(&whole, error)),
            };
            for name in names {
                let path = child(&folder, &name[1..name.len() - 1]);
                if is_apart(&path) || &name[1..] == b".git\0" {
                    continue;
                }
                if name[0] == b'/' {
                    todo.push(path);
                } else {
                    self.listing.files.insert(path);
                }
                if self.listing.files.len() + todo.len() > MOST_FILES {
                    return Err(TreeError::TooMany);
                }
            }
        }
        Ok(())
    }
}

fn child(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() }
}

/// Returns the parent folders of a path, starting at `below`.
fn ancestors(path: &[u8], below: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    slashes.filter(move |at| *at > below.len()).map(|at| path[..at].to_vec())
}
