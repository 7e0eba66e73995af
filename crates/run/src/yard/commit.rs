//! Commits what an agent left in its worktree.

use std::fmt;

use super::error::YardError;
use super::git::Git;
use super::resolve::is_merging;
use super::stage::stage;
use super::{Worktree, Yard};

/// The name of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit(String);

/// What an agent has done that is not yet brought together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Nothing.
    Nothing,
    /// Everything up to this commit.
    UpTo(Commit),
}

impl Commit {
    /// Takes the name that git said.
    pub(super) fn of(said: &[u8]) -> Self {
        Self(String::from_utf8_lossy(said).trim().to_owned())
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Yard {
    /// Commits everything that an agent left, and says whether it has done anything: what it
    /// committed itself counts as well. The agent must have ended.
    pub fn commit(&self, tree: &Worktree, message: &str) -> Result<Work, YardError> {
        self.turn(&tree.key, |git| {
            self.mend(git, tree)?;
            return_to_branch(git, tree)?;
            stage(git, &tree.folder, None, &self.below())?;
            let is_same = ["diff-index", "--cached", "--quiet", "HEAD", "--"];
            if is_merging(git, &tree.folder)? || !git.ask(&tree.folder, &is_same).holds()? {
                let words = ["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--allow-empty"];
                let commit = git.ask(&tree.folder, &words).and("--allow-empty-message");
                let commit = commit.and("--cleanup=whitespace").and("-F").and("-");
                commit.fed(message.replace('\0', " ")).must()?;
            }
            let own = tip(git, tree)?;
            let brought = format!("refs/heads/{}", self.branch());
            let is_in = ["merge-base", "--is-ancestor", own.as_str(), &brought];
            let is_in = git.ask(&tree.folder, &is_in).holds()?;
            Ok(if is_in { Work::Nothing } else { Work::UpTo(own) })
        })
    }
}

/// Returns the last commit of a worktree's branch.
pub(super) fn tip(git: &Git, tree: &Worktree) -> Result<Commit, YardError> {
    let name = format!("refs/heads/{}", tree.branch);
    let said = git.ask(&tree.folder, &["rev-parse", "--verify", &name]).must()?;
    Ok(Commit::of(&said))
}

/// Takes an agent that went on from its branch on another one, or on none, back to its own; the
/// files stay as they are.
fn return_to_branch(git: &Git, tree: &Worktree) -> Result<(), YardError> {
    let own = format!("refs/heads/{}", tree.branch);
    let at = git.ask(&tree.folder, &["symbolic-ref", "--quiet", "HEAD"]).said()?;
    let at = String::from_utf8_lossy(&at.out).trim().to_owned();
    if at == own {
        return Ok(());
    }
    let head = git.ask(&tree.folder, &["rev-parse", "--verify", "HEAD"]).line()?;
    let goes_on = ["merge-base", "--is-ancestor", &own, "HEAD"];
    if !git.ask(&tree.folder, &goes_on).holds()? {
        let name = if at.is_empty() { head } else { at };
        let why = format!("it is at `{name}`, which does not go on from there");
        let (folder, branch) = (tree.folder.clone(), tree.branch.clone());
        return Err(YardError::Strayed { folder, branch, why });
    }
    git.ask(&tree.folder, &["update-ref", &own, &head]).must()?;
    git.ask(&tree.folder, &["symbolic-ref", "HEAD", &own]).must().map(drop)
}
