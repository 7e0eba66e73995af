//! Lists the branches and worktrees that runs left in a repository, for `sprag doctor`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sprag_core::RunId;
use sprag_store::Place;

use super::base::{first, has_head, take_over};
use super::error::WorktreesError;
use super::git::{Ask, Git};
use super::worktree::uncommitted;
use super::{PREFIX, registry};

/// One of sprag's branches, with its worktree if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    pub branch: String,
    pub folder: Option<PathBuf>,
    /// The size of the worktree.
    pub bytes: u64,
    /// Whether all its commits are in another branch: its run's, or one that is not sprag's.
    pub is_merged: bool,
    /// Whether its worktree has no uncommitted changes.
    pub is_clean: bool,
    /// Whether the user's files contain all its changes, committed or not, or did so once.
    pub is_applied: bool,
    /// The arguments of `git diff` that show its work.
    pub range: Vec<String>,
    /// The command with which a user takes over its work.
    pub take_over: String,
}

/// How many files are counted for a size.
const MOST: usize = 1_000_000;
/// The longest diff that is compared with the user's files.
const LONGEST: u64 = 8 << 20;
/// The most files of a branch that are searched for in a history.
const FEW: usize = 500;

impl Leftover {
    /// Returns whether deleting it loses nothing.
    pub const fn is_safe(&self) -> bool {
        (self.is_merged || self.is_applied) && self.is_clean
    }

    /// Returns whether it is the branch of this run or of one of its agents.
    pub fn is_of(&self, run: &RunId) -> bool {
        let run = super::branch(run);
        self.branch == run || is_agent_of(&self.branch, &run)
    }
}

/// Returns whether `branch` belongs to an agent of the run whose branch is `run`.
fn is_agent_of(branch: &str, run: &str) -> bool {
    branch.strip_prefix(run).is_some_and(|rest| rest.starts_with('-'))
}

/// Lists every branch and worktree that runs left in the project's repository; empty if there is no
/// repository.
pub fn leftovers(
    place: &Place,
    environment: &[(OsString, OsString)],
) -> Result<Vec<Leftover>, WorktreesError> {
    let Some(found) = sprag_world::git::Git::around(&place.root)? else { return Ok(Vec::new()) };
    let (git, top) = (Git::new(environment), found.top());
    let list = ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/sprag/"];
    let names = git.ask(top, &list).must()?;
    let names = String::from_utf8_lossy(&names).into_owned();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let (known, has_head) = (registry::list(&git, top)?, has_head(&git, top)?);
    let one = |branch: &str| {
        let tree = known.iter().find(|one| one.branch.as_deref() == Some(branch));
        let folder = tree.map(|one| one.folder.clone()).filter(|folder| folder.is_dir());
        let is_clean = match &folder {
            Some(folder) => uncommitted(&git, folder)?.is_empty(),
            None => true,
        };
        let bytes = folder.as_deref().map(size).unwrap_or_default();
        let is_merged = is_merged(&git, top, branch)?;
        let base = first(&git, top, branch, has_head)?;
        let (range, take_over) =
            (range(base.as_deref(), branch), take_over(base.as_deref(), branch));
        let is_applied = !is_merged && is_applied(&git, top, &range, branch)?;
        let branch = branch.to_owned();
        Ok(Leftover { branch, folder, bytes, is_merged, is_clean, is_applied, range, take_over })
    };
    names.lines().map(one).collect()
}

/// Returns for each branch the command with which a user takes it over; `None` if the user's files
/// already contain all of it, or there is no repository.
pub fn take_overs(
    place: &Place,
    branches: &[&str],
    environment: &[(OsString, OsString)],
) -> Result<Vec<Option<String>>, WorktreesError> {
    let found = sprag_world::git::Git::around(&place.root)?.filter(|_| !branches.is_empty());
    let Some(found) = found else { return Ok(vec![None; branches.len()]) };
    let (git, top) = (Git::new(environment), found.top());
    let has_head = has_head(&git, top)?;
    let one = |branch: &&str| {
        let base = first(&git, top, branch, has_head)?;
        let is_applied = is_applied(&git, top, &range(base.as_deref(), branch), branch)?;
        Ok((!is_applied).then(|| take_over(base.as_deref(), branch)))
    };
    branches.iter().map(one).collect()
}

/// Returns whether another branch contains this one. An agent's branch may be contained in its
/// run's, but a run's in one of its agents' does not count.
fn is_merged(git: &Git, top: &Path, branch: &str) -> Result<bool, WorktreesError> {
    let name = format!("refs/heads/{branch}");
    let list = ["for-each-ref", "--format=%(refname:lstrip=2)", "--contains", &name];
    let holders = git.ask(top, &list).and("refs/heads/").and("refs/remotes/").must()?;
    let holders = String::from_utf8_lossy(&holders).into_owned();
    let is_in = |holder: &str| !holder.starts_with(PREFIX) || is_agent_of(branch, holder);
    Ok(holders.lines().any(is_in))
}

/// Returns the arguments of `git diff` that show a branch's work since its first commit.
fn range(base: Option<&str>, branch: &str) -> Vec<String> {
    match base {
        Some(base) => vec![base.to_owned(), branch.to_owned()],
        None => vec![format!("HEAD...{branch}")],
    }
}

/// Returns whether the user's files contain a branch's changes: the diff applies in reverse, or the
/// changes were committed and followed by more. Changes too large to compare count as missing.
fn is_applied(
    git: &Git,
    top: &Path,
    range: &[String],
    branch: &str,
) -> Result<bool, WorktreesError> {
    let diff = git.ask(top, &["diff", "--binary", "--no-ext-diff", "--no-textconv"]);
    let said = range.iter().fold(diff, Ask::and).at_most(LONGEST).said()?;
    // Without changed files, only its commits hold its work.
    if said.exit != Some(0) || said.out.is_empty() {
        return Ok(false);
    }
    let back = git.ask(top, &["apply", "--reverse", "--check"]).fed(said.out).said()?;
    Ok(back.exit == Some(0) || was_applied(git, top, range, branch)?)
}

/// Returns whether each file that the branch changed had the same content at some point in the
/// history of HEAD.
fn was_applied(
    git: &Git,
    top: &Path,
    range: &[String],
    branch: &str,
) -> Result<bool, WorktreesError> {
    let raw = ["--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff"];
    let diff = raw.iter().fold(git.ask(top, &["diff"]), Ask::and);
    let mut left = versions(&range.iter().fold(diff, Ask::and))?;
    if left.len() > FEW {
        return Ok(false);
    }
    let log = git.ask(top, &["--literal-pathspecs", "log", "--format="]);
    let since = format!("refs/heads/{branch}..HEAD");
    let log = raw.iter().fold(log, Ask::and).and(since).and("--");
    let log = left.iter().map(|(path, _)| OsStr::from_bytes(path)).fold(log, Ask::and);
    for version in versions(&log)? {
        left.remove(&version);
    }
    Ok(left.is_empty())
}

/// A file and the id of its content in git.
type Version = (Vec<u8>, Vec<u8>);

/// Returns the changed files with their new contents.
fn versions(ask: &Ask<'_>) -> Result<BTreeSet<Version>, WorktreesError> {
    let names = ask.names()?;
    let version = |pair: &[Vec<u8>]| {
        let became = pair[0].split(|&byte| byte == b' ').nth(3).unwrap_or_default();
        (pair[1].clone(), became.to_vec())
    };
    Ok(names.chunks_exact(2).map(version).collect())
}

/// Sums the sizes of the files in a folder; links are not followed.
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
