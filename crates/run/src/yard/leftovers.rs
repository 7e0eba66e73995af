//! What runs have left in a repository: their branches and worktrees, for `sprag doctor`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sprag_core::RunId;
use sprag_store::Place;

use super::base::{first, has_head, take_over};
use super::error::YardError;
use super::git::{Ask, Git};
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
    /// Whether the person's files have all that was done in it, committed or not, or had it.
    pub is_applied: bool,
    /// What shows its work, as `git diff` is told.
    pub range: Vec<String>,
    /// The command by which a person takes its work over.
    pub take_over: String,
}

/// How many files are looked at for a size.
const MOST: usize = 1_000_000;
/// How long the changes of a branch may be that are compared with a person's files.
const LONGEST: u64 = 8 << 20;
/// How many files of a branch are looked for in a history.
const FEW: usize = 500;

impl Leftover {
    /// Returns whether nothing is lost with it.
    pub const fn is_safe(&self) -> bool {
        (self.is_merged || self.is_applied) && self.is_clean
    }

    /// Returns whether it is the branch of a run, or that of one of its agents.
    pub fn is_of(&self, run: &RunId) -> bool {
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

/// Returns for each of the branches of ours the command by which a person takes its work over;
/// nothing where their files have all of it already, or there is no repository.
pub fn take_overs(
    place: &Place,
    branches: &[&str],
    environment: &[(OsString, OsString)],
) -> Result<Vec<Option<String>>, YardError> {
    let found = sprag_engine::git::Git::around(&place.root)?.filter(|_| !branches.is_empty());
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

/// Returns what shows the work of a branch since its first commit, as `git diff` is told.
fn range(base: Option<&str>, branch: &str) -> Vec<String> {
    match base {
        Some(base) => vec![base.to_owned(), branch.to_owned()],
        None => vec![format!("HEAD...{branch}")],
    }
}

/// Returns whether the person's files have what was done in a branch: all of it could be taken back, or
/// it was committed and they went on. Of more than can be compared nobody says so.
fn is_applied(git: &Git, top: &Path, range: &[String], branch: &str) -> Result<bool, YardError> {
    let diff = git.ask(top, &["diff", "--binary", "--no-ext-diff", "--no-textconv"]);
    let said = range.iter().fold(diff, Ask::and).at_most(LONGEST).said()?;
    // Where it changed no file, its commits are all there is of it.
    if said.exit != Some(0) || said.out.is_empty() {
        return Ok(false);
    }
    let back = git.ask(top, &["apply", "--reverse", "--check"]).fed(said.out).said()?;
    Ok(back.exit == Some(0) || was_applied(git, top, range, branch)?)
}

/// Returns whether every file that a branch changed was once, in the history of what is checked out,
/// just as the branch has it.
fn was_applied(git: &Git, top: &Path, range: &[String], branch: &str) -> Result<bool, YardError> {
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

/// A file, and the name that git has for what is in it.
type Version = (Vec<u8>, Vec<u8>);

/// Returns the files that git says have changed, as what they became.
fn versions(ask: &Ask<'_>) -> Result<BTreeSet<Version>, YardError> {
    let names = ask.names()?;
    let version = |pair: &[Vec<u8>]| {
        let became = pair[0].split(|&byte| byte == b' ').nth(3).unwrap_or_default();
        (pair[1].clone(), became.to_vec())
    };
    Ok(names.chunks_exact(2).map(version).collect())
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
