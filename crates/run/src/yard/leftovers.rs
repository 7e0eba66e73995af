//! What runs have left in a repository: their branches and worktrees, for `sprag doctor`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_core::Id;
use sprag_store::Place;

use super::error::YardError;
use super::git::Git;
use super::worktree::uncommitted;
use super::{PREFIX, registry};

/// A branch of ours, and its worktree where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The branch.
    pub branch: String,
    /// Its worktree.
    pub folder: Option<PathBuf>,
    /// How large the worktree is.
    pub bytes: u64,
    /// Whether all of its commits are in another branch: that of its run, or one that is not ours.
    pub is_merged: bool,
    /// Whether nothing in its worktree waits to be committed.
    pub is_clean: bool,
}

/// How many files are looked at for a size.
const MOST: usize = 1_000_000;

impl Leftover {
    /// Returns whether nothing is lost with it.
    pub const fn is_safe(&self) -> bool {
        self.is_merged && self.is_clean
    }

    /// Returns whether it is the branch of a run, or that of one of its agents.
    pub fn is_of(&self, run: &Id) -> bool {
        let run = super::branch(run);
        self.branch == run || is_agent_of(&self.branch, &run)
    }
}

/// Returns whether a branch of ours is that of an agent of the run whose branch the other one is.
fn is_agent_of(branch: &str, run: &str) -> bool {
    branch.strip_prefix(run).is_some_and(|rest| rest.starts_with('-'))
}

/// Lists every branch and worktree that runs have left in the repository of a project; nothing
/// where there is no repository.
pub fn leftovers(
    place: &Place,
    environment: &[(OsString, OsString)],
) -> Result<Vec<Leftover>, YardError> {
    let Some(found) = sprag_engine::git::Git::around(&place.root)? else { return Ok(Vec::new()) };
    let (git, top) = (Git::new(environment), found.top());
    let list = ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/sprag/"];
    let names = git.ask(top, &list).must()?;
    let names = String::from_utf8_lossy(&names).into_owned();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let known = registry::list(&git, top)?;
    let one = |branch: &str| {
        let tree = known.iter().find(|one| one.branch.as_deref() == Some(branch));
        let folder = tree.map(|one| one.folder.clone()).filter(|folder| folder.is_dir());
        let is_clean = match &folder {
            Some(folder) => uncommitted(&git, folder)?.is_empty(),
            None => true,
        };
        let bytes = folder.as_deref().map(size).unwrap_or_default();
        let is_merged = is_merged(&git, top, branch)?;
        Ok(Leftover { branch: branch.to_owned(), folder, bytes, is_merged, is_clean })
    };
    names.lines().map(one).collect()
}

/// Returns whether a branch of ours is in another one: an agent's in that of its run too, but never
/// a run's in that of one of its agents.
fn is_merged(git: &Git, top: &Path, branch: &str) -> Result<bool, YardError> {
    let name = format!("refs/heads/{branch}");
    let list = ["for-each-ref", "--format=%(refname:lstrip=2)", "--contains", &name];
    let holders = git.ask(top, &list).and("refs/heads/").and("refs/remotes/").must()?;
    let holders = String::from_utf8_lossy(&holders).into_owned();
    let is_in = |holder: &str| !holder.starts_with(PREFIX) || is_agent_of(branch, holder);
    Ok(holders.lines().any(is_in))
}

/// Returns how many bytes the files of a folder have; links are not followed.
fn size(folder: &Path) -> u64 {
    let (mut bytes, mut seen, mut open) = (0_u64, 0, vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MOST {
                return bytes;
            }
            match entry.metadata() {
                Ok(found) if found.is_dir() => open.push(entry.path()),
                Ok(found) => bytes = bytes.saturating_add(found.len()),
                Err(_) => {}
            }
        }
    }
    bytes
}
