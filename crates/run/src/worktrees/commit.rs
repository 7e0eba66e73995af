//! Commits the changes an agent left in its worktree.

use std::fmt;

use sprag_core::typed;
use sprag_world::process::ToolOutput;

use super::error::WorktreesError;
use super::git::Git;
use super::resolve::is_merging;
use super::stage::stage;
use super::{Worktree, Worktrees};

/// A commit id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit(String);

/// An agent's work that is not yet merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnmergedWork {
    Nothing,
    /// Everything up to this commit.
    UpTo(Commit),
}

impl Commit {
    /// Parses the id that git printed.
    pub(super) fn of(said: &[u8]) -> Self {
        Self(String::from_utf8_lossy(said).trim().to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Worktrees {
    /// Commits all changes that the agent left, and returns its unmerged work, including its own
    /// commits. The agent must have ended.
    pub fn commit(&self, tree: &Worktree, message: &str) -> Result<UnmergedWork, WorktreesError> {
        self.turn(&tree.key, |git| {
            self.mend(git, tree)?;
            self.return_to_branch(git, tree)?;
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
            Ok(if is_in { UnmergedWork::Nothing } else { UnmergedWork::UpTo(own) })
        })
    }

    /// Switches a worktree back to its own branch. The agent must have ended.
    pub fn go_back(&self, tree: &Worktree) -> Result<(), WorktreesError> {
        self.turn(&tree.key, |git| {
            self.mend(git, tree)?;
            self.return_to_branch(git, tree)
        })
    }

    /// Returns a worktree to its own branch after the agent continued on another one, or on none.
    /// The files stay as they are. A removed branch is recreated at the current commit, if that
    /// descends from merged work.
    fn return_to_branch(&self, git: &Git, tree: &Worktree) -> Result<(), WorktreesError> {
        let own = format!("refs/heads/{}", tree.branch);
        let ask = |words: &[&str]| git.ask(&tree.folder, words).said();
        let line = |said: ToolOutput| String::from_utf8_lossy(&said.out).trim().to_owned();
        let at = line(ask(&["symbolic-ref", "--quiet", "HEAD"])?);
        let head = line(ask(&["rev-parse", "--quiet", "--verify", "HEAD"])?);
        if at == own && !head.is_empty() {
            return Ok(());
        }
        let is_there =
            git.ask(&tree.folder, &["rev-parse", "--quiet", "--verify", &own]).holds()?;
        let brought = format!("refs/heads/{}", self.branch());
        let goes_on: &[&str] = if is_there {
            &["merge-base", "--is-ancestor", &own, "HEAD"]
        } else {
            &["merge-base", &brought, "HEAD"]
        };
        if head.is_empty() || !git.ask(&tree.folder, goes_on).holds()? {
            let name = if at.is_empty() { head } else { at };
            return Err(self.strayed(tree, &name, is_there));
        }
        git.ask(&tree.folder, &["update-ref", &own, &head]).must()?;
        git.ask(&tree.folder, &["symbolic-ref", "HEAD", &own]).must().map(drop)
    }

    /// Returns the error for a worktree off its branch, with the command that switches it back.
    fn strayed(&self, tree: &Worktree, at: &str, is_there: bool) -> WorktreesError {
        let (folder, branch) = (tree.folder.clone(), tree.branch.clone());
        let path = folder.display().to_string();
        let mut words = vec!["git".to_owned(), "-C".to_owned(), path, "switch".to_owned()];
        words.extend((!is_there).then(|| "-c".to_owned()));
        words.push(branch.clone());
        words.extend((!is_there).then(|| self.branch()));
        let why = format!("it is at `{at}`, which does not descend from there");
        WorktreesError::Strayed { folder, branch, why, back: typed(&words) }
    }
}

pub(super) fn tip(git: &Git, tree: &Worktree) -> Result<Commit, WorktreesError> {
    let name = format!("refs/heads/{}", tree.branch);
    let said = git.ask(&tree.folder, &["rev-parse", "--verify", &name]).must()?;
    Ok(Commit::of(&said))
}
