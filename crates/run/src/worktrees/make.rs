//! Creates worktrees, or finds existing ones.
//!
//! A worktree counts as ready once git's administrative folder for it contains a mark, which is
//! written last. Without the mark no agent has worked there, so the remains of an interrupted
//! set-up are removed and created anew.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sprag_core::WorktreeName;
use sprag_store::{CacheDir, Lasting};
use sprag_world::git::Registered;

use super::error::WorktreesError;
use super::git::Git;
use super::registry;
use super::{Commit, Worktree, Worktrees};

/// The mark of a worktree that is ready for work.
pub(super) const READY: &str = "sprag-ready";
/// The mark of a worktree that is being removed; its contents are not needed.
pub(super) const LEAVING: &str = "sprag-leaving";
/// The mark of a worktree in which git began a merge, with nothing uncommitted before it.
pub(super) const RESOLVING: &str = "sprag-resolving";
const WAIT: Duration = Duration::from_secs(5);

impl Worktrees {
    /// Creates an agent's worktree from the run's branch, ready for work, or finds the existing one
    /// with all its work.
    pub fn take(&self, name: &WorktreeName) -> Result<Worktree, WorktreesError> {
        self.take_from(name, &format!("refs/heads/{}", self.branch()))
    }

    /// Like [`Worktrees::take`], from another commit or branch.
    pub(crate) fn take_from(
        &self,
        name: &WorktreeName,
        from: &str,
    ) -> Result<Worktree, WorktreesError> {
        let worktree = self.worktree(name)?;
        self.turn(&worktree.key, |git| self.make(git, &worktree.folder, &worktree.branch, from))?;
        Ok(worktree)
    }

    /// Returns the names and paths of an agent's worktree, without creating it.
    pub(crate) fn worktree(&self, name: &WorktreeName) -> Result<Worktree, WorktreesError> {
        let key = format!("{}-{name}", self.run);
        let folder = self.beside(&key)?;
        let root = folder.join(&self.place.below);
        Ok(Worktree {
            name: name.clone(),
            branch: format!("{}{key}", super::PREFIX),
            key,
            folder,
            root,
        })
    }

    /// Creates or finds the run's branch and its worktree.
    pub(super) fn found(&self, git: &Git) -> Result<(), WorktreesError> {
        let (branch, folder) = (self.branch(), self.folder()?);
        let name = format!("refs/heads/{branch}");
        registry::unlock(&self.common, &folder, &branch)?;
        self.is_free(git)?;
        if !self.has_branch(git)? {
            let base = self.origin(git)?;
            // The empty argument makes git create the branch only if it is missing.
            git.ask(&self.top, &["update-ref", &name, base.as_str(), ""]).must()?;
        }
        self.make(git, &folder, &branch, &name)?;
        self.settle(git)?;
        let tip = git.ask(&self.top, &["rev-parse", "--verify", &name]).must()?;
        self.stands_at(&Commit::of(&tip));
        Ok(())
    }

    /// Checks that the run's branch is not checked out in any other worktree.
    pub(super) fn is_free(&self, git: &Git) -> Result<(), WorktreesError> {
        let (branch, folder) = (self.branch(), self.folder()?);
        let others = registry::list(git, &self.top)?;
        let theirs =
            |one: &Registered| one.branch.as_ref() == Some(&branch) && one.folder != folder;
        match others.into_iter().find(theirs) {
            Some(one) => Err(WorktreesError::CheckedOut { branch, folder: one.folder }),
            None => Ok(()),
        }
    }

    /// Creates a worktree with its branch, or finds it.
    fn make(
        &self,
        git: &Git,
        folder: &Path,
        branch: &str,
        from: &str,
    ) -> Result<(), WorktreesError> {
        let known = registry::list(git, &self.top)?.into_iter().find(|one| one.folder == folder);
        let admin = registry::admin(&self.common, folder)?;
        let has = |mark| admin.as_ref().is_some_and(|admin| is_marked(admin, mark));
        let is_own = |one: &Registered| one.is_unfinished || one.branch.as_deref() == Some(branch);
        match known {
            Some(_) if has(READY) && !has(LEAVING) && folder.is_dir() => return Ok(()),
            // Its creation or removal was cut off, or its folder was deleted: the branch holds the
            // work.
            Some(one) if has(READY) || is_own(&one) => registry::raze(&self.common, folder)?,
            Some(one) => {
                let what = one.branch.map_or("no branch".to_owned(), |name| format!("`{name}`"));
                return Err(taken(folder, &format!("a worktree with {what} is there")));
            }
            None if !is_vacant(folder) => return Err(taken(folder, "it is not ours")),
            None => {}
        }
        self.add(git, folder, branch, from)?;
        self.furnish(folder)?;
        self.mark(folder, READY)
    }

    fn add(
        &self,
        git: &Git,
        folder: &Path,
        branch: &str,
        from: &str,
    ) -> Result<(), WorktreesError> {
        registry::unlock(&self.common, folder, branch)?;
        let own = format!("refs/heads/{branch}");
        let is_there = git.ask(&self.top, &["rev-parse", "--quiet", "--verify", &own]).holds()?;
        let is_in = ["merge-base", "--is-ancestor", &own, from];
        let add = if is_there && (own == from || !git.ask(&self.top, &is_in).holds()?) {
            git.ask(&self.top, &["worktree", "add", "--quiet"]).and(folder).and(branch)
        } else {
            // A branch without work of its own starts anew.
            let add = git.ask(&self.top, &["worktree", "add", "--quiet", "--no-track", "-B"]);
            add.and(branch).and(folder).and(from)
        };
        add.must().map(drop)
    }

    /// Writes a mark durably into git's administrative folder of a worktree.
    pub(super) fn mark(&self, folder: &Path, mark: &str) -> Result<(), WorktreesError> {
        let gone = || taken(folder, "git no longer knows it");
        let admin = registry::admin(&self.common, folder)?.ok_or_else(gone)?;
        let kept = CacheDir::open(&admin)?.ok_or_else(gone)?;
        Ok(kept.turn(WAIT)?.write(mark, b"", 0o644, Lasting::Synced)?)
    }
}

pub(super) fn is_marked(admin: &Path, mark: &str) -> bool {
    admin.join(mark).is_file()
}

/// Returns whether the path is free: git creates the folder before it records the worktree.
fn is_vacant(folder: &Path) -> bool {
    match folder.symlink_metadata() {
        Ok(found) if found.is_dir() => {
            std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
        }
        Ok(_) => false,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn taken(folder: &Path, why: &str) -> WorktreesError {
    WorktreesError::Taken { folder: PathBuf::from(folder), why: why.to_owned() }
}
