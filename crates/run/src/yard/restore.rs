//! The branch of a run belongs to whoever drives it: one that somebody removed is put back.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::error::YardError;
use super::git::Git;
use super::{Commit, Yard};

impl Yard {
    /// Returns where the branch of the run was last; nothing before it was found or made.
    pub(super) fn tip(&self) -> Option<Commit> {
        self.tip.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes note of where the branch of the run is.
    pub(super) fn stands_at(&self, commit: &Commit) {
        *self.tip.lock().unwrap_or_else(PoisonError::into_inner) = Some(commit.clone());
    }

    /// Puts the branch of the run back to where it was if somebody removed it, and returns how often
    /// somebody did. Nobody is waited for: git itself makes it only where it is not there.
    pub fn restore(&self) -> Result<u32, YardError> {
        if let Some(tip) = self.tip().filter(|_| !self.has_branch(&self.git).unwrap_or(true)) {
            let name = format!("refs/heads/{}", self.branch());
            let made = self.git.ask(&self.top, &["update-ref", &name, tip.as_str(), ""]).said()?;
            self.removals.fetch_add(u32::from(made.exit == Some(0)), Ordering::SeqCst);
        }
        Ok(self.removals.load(Ordering::SeqCst))
    }

    /// Lets git write anew what links its worktrees to it, as far as that is gone.
    pub(crate) fn relink(&self) -> Result<(), YardError> {
        // It says no where another one cannot be mended.
        self.git.ask(&self.top, &["worktree", "repair"]).said().map(drop)
    }

    /// Returns whether the branch of the run is there.
    pub(super) fn has_branch(&self, git: &Git) -> Result<bool, YardError> {
        let name = format!("refs/heads/{}", self.branch());
        git.ask(&self.top, &["rev-parse", "--quiet", "--verify", &name]).holds()
    }

    /// Returns the commit that the branch of the run is made from: where it was when it was there
    /// last, or the person's files.
    pub(super) fn origin(&self, git: &Git) -> Result<Commit, YardError> {
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
