//! Restores the run's branch if it was removed: it belongs to the run's driver.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::error::WorktreesError;
use super::git::Git;
use super::{Commit, Worktrees};

impl Worktrees {
    /// Returns the last known commit of the run's branch; `None` before it was found or created.
    pub(super) fn tip(&self) -> Option<Commit> {
        self.tip.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records the current commit of the run's branch.
    pub(super) fn stands_at(&self, commit: &Commit) {
        *self.tip.lock().unwrap_or_else(PoisonError::into_inner) = Some(commit.clone());
    }

    /// Restores the run's branch if it was removed, and returns the number of removals so far. It
    /// takes no lock: git creates the branch only if it is missing.
    pub fn restore(&self) -> Result<u32, WorktreesError> {
        if let Some(tip) = self.tip().filter(|_| !self.has_branch(&self.git).unwrap_or(true)) {
            let name = format!("refs/heads/{}", self.branch());
            let made = self.git.ask(&self.top, &["update-ref", &name, tip.as_str(), ""]).said()?;
            self.removals.fetch_add(u32::from(made.exit == Some(0)), Ordering::SeqCst);
        }
        Ok(self.removals.load(Ordering::SeqCst))
    }

    /// Makes git rewrite missing links between the repository and its worktrees.
    pub(crate) fn relink(&self) -> Result<(), WorktreesError> {
        // It also fails if some other worktree cannot be repaired.
        self.git.ask(&self.top, &["worktree", "repair"]).said().map(drop)
    }

    /// Returns whether the run's branch exists.
    pub(super) fn has_branch(&self, git: &Git) -> Result<bool, WorktreesError> {
        let name = format!("refs/heads/{}", self.branch());
        git.ask(&self.top, &["rev-parse", "--quiet", "--verify", &name]).holds()
    }

    /// Returns the commit to create the run's branch from: the recorded one, or else one of the
    /// user's files.
    pub(super) fn origin(&self, git: &Git) -> Result<Commit, WorktreesError> {
        if let Some(noted) = &self.noted {
            let words = ["rev-parse", "--quiet", "--verify"];
            let is_there = git.ask(&self.top, &words).and(format!("{noted}^{{commit}}")).said()?;
            if is_there.exit == Some(0) {
                return Ok(noted.clone());
            }
        }
        self.base(git)
    }
}
