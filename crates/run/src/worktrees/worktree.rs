//! The worktree of one agent.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sprag_core::WorktreeName;

use super::Worktrees;
use super::error::WorktreesError;
use super::git::Git;
use super::stage::is_state;

/// An agent's worktree: a folder and a branch of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    pub(super) name: WorktreeName,
    pub(super) key: String,
    pub(super) branch: String,
    pub(super) folder: PathBuf,
    pub(super) root: PathBuf,
}

impl Worktree {
    pub const fn name(&self) -> &WorktreeName {
        &self.name
    }

    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// Returns the top of the worktree.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the project folder in it, where the agent works.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// How many changed files are named.
const SHOWN: usize = 5;

impl Worktrees {
    /// Returns the first few files with uncommitted changes in a worktree.
    pub(super) fn changed(&self, folder: &Path) -> Result<Vec<String>, WorktreesError> {
        let below = self.below();
        let names = uncommitted(&self.git, folder)?;
        let ours = names.iter().filter(|name| !is_state(name, &below));
        Ok(ours.take(SHOWN).map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }
}

/// Returns every file that differs from the last commit, staged or not, tracked or not.
pub(super) fn uncommitted(git: &Git, folder: &Path) -> Result<Vec<Vec<u8>>, WorktreesError> {
    let words = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
    let entries = git.ask(folder, &words).names()?;
    // Each name follows two letters and a space.
    let name = |entry: Vec<u8>| entry.get(3..).map(<[u8]>::to_vec);
    let mut all: Vec<Vec<u8>> = entries.into_iter().filter_map(name).collect();
    // git would inspect a submodule under the settings found there.
    for name in submodules(git, folder)? {
        let inside = folder.join(OsStr::from_bytes(&name));
        if inside.join(".git").exists() && !uncommitted(git, &inside)?.is_empty() {
            all.push(name);
        }
    }
    Ok(all)
}

/// Returns the folders that are commits of other repositories.
fn submodules(git: &Git, folder: &Path) -> Result<Vec<Vec<u8>>, WorktreesError> {
    let entries = git.ask(folder, &["ls-files", "-z", "--stage"]).names()?;
    let named = |entry: Vec<u8>| {
        let link = entry.strip_prefix(LINK)?;
        link.iter().position(|&byte| byte == b'\t').map(|tab| link[tab + 1..].to_vec())
    };
    Ok(entries.into_iter().filter_map(named).collect())
}

/// The prefix of an index entry that is a commit of another repository.
const LINK: &[u8] = b"160000 ";
