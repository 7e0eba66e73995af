//! Reads the few things we need of a git repository from its files, and what git says of its
//! worktrees.
//!
//! A host hook has no time to start `git`, and status must work where git is not installed.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

mod config;
mod head;
#[cfg(test)]
mod tests;
mod worktrees;

pub use head::Head;
pub use worktrees::Registered;

/// A working tree and the folders git keeps for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    top: PathBuf,
    own: PathBuf,
    common: Option<PathBuf>,
}

/// Says which link of a git repository leads nowhere.
#[derive(Debug, thiserror::Error)]
#[error("cannot follow the git worktree at `{}`: {why}", path.display())]
pub struct GitError {
    /// The file that could not be read or followed.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// More than any link or configuration of git has; a larger file is not one.
const LIMIT: u64 = 1 << 20;

/// A repository that another one in the same place is not equal to.
#[derive(Debug)]
pub struct Repository {
    folder: PathBuf,
    /// The device and the inode of the folder.
    id: (u64, u64),
    /// An inode that somebody holds open is given to no other folder.
    _held: File,
}

impl Repository {
    pub(crate) fn at(folder: &Path) -> Option<Self> {
        let held = File::open(folder).ok()?;
        let found = held.metadata().ok()?;
        let id = (found.dev(), found.ino());
        Some(Self { folder: folder.to_path_buf(), id, _held: held })
    }
}

impl PartialEq for Repository {
    fn eq(&self, other: &Self) -> bool {
        (&self.folder, self.id) == (&other.folder, other.id)
    }
}

impl Git {
    /// Returns the repository whose working tree holds `folder`, or nothing.
    pub fn around(folder: &Path) -> Result<Option<Self>, GitError> {
        for top in folder.ancestors() {
            let dot = top.join(".git");
            let Ok(found) = std::fs::metadata(&dot) else { continue };
            let own = if found.is_dir() { dot } else { follow(&dot, "gitdir: ")? };
            let link = own.join("commondir");
            let common = if link.is_file() { Some(follow(&link, "")?) } else { None };
            return Ok(Some(Self { top: top.to_path_buf(), own, common }));
        }
        Ok(None)
    }

    /// Returns the top of this working tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns the git folder that all worktrees of this repository share.
    pub fn common(&self) -> &Path {
        self.common.as_deref().unwrap_or(&self.own)
    }

    /// Returns the index of this working tree.
    pub fn index(&self) -> PathBuf {
        self.own.join("index")
    }

    /// Returns the name git has for this worktree if it is a linked one.
    pub fn worktree(&self) -> Option<&str> {
        self.common.as_ref().and_then(|_| self.own.file_name()?.to_str())
    }

    /// Returns the main working tree if this is a linked one.
    ///
    /// Nothing for the main one itself, for a submodule, and where there is no main one: a bare
    /// repository, or a git folder kept apart that does not say whose it is.
    pub fn main_worktree(&self) -> Result<Option<PathBuf>, GitError> {
        let Some(common) = &self.common else { return Ok(None) };
        let core = config::core(common)?;
        if core.bare {
            return Ok(None);
        }
        if let Some(worktree) = core.worktree {
            return resolve(&common.join("config"), &common.join(worktree)).map(Some);
        }
        Ok(common.parent().filter(|_| common.ends_with(".git")).map(Path::to_path_buf))
    }

    /// Returns the branch and commit that are checked out here.
    pub fn head(&self) -> Head {
        head::checked_out(&self.own, self.common())
    }
}

/// Reads the path that `link` names and finds the folder it leads to.
fn follow(link: &Path, prefix: &str) -> Result<PathBuf, GitError> {
    let text = read(link)?;
    let target = text.strip_prefix(prefix).map(|rest| rest.trim_end_matches(['\n', '\r']));
    match (target, link.parent()) {
        (Some(target), Some(folder)) if !target.is_empty() => resolve(link, &folder.join(target)),
        _ => Err(GitError { path: link.to_path_buf(), why: "it names no folder".to_owned() }),
    }
}

fn resolve(link: &Path, target: &Path) -> Result<PathBuf, GitError> {
    std::fs::canonicalize(target).map_err(|error| GitError {
        path: link.to_path_buf(),
        why: format!("`{}`: {error}", target.display()),
    })
}

fn read(path: &Path) -> Result<String, GitError> {
    use std::io::Read as _;
    let fault = |why: String| GitError { path: path.to_path_buf(), why };
    let mut text = String::new();
    let file = sprag_store::peek(path).map_err(|error| fault(error.to_string()))?;
    file.take(LIMIT + 1).read_to_string(&mut text).map_err(|error| fault(error.to_string()))?;
    if text.len() as u64 > LIMIT { Err(fault("it is too large".to_owned())) } else { Ok(text) }
}
