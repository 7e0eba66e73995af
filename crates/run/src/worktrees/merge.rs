//! Merges the work of one agent at a time into the run's branch, and only if it is proven.
//!
//! During a merge the run's worktree has a detached HEAD, so sprag may undo any change to its
//! files. The branch moves in one atomic step of git after the proof, and that step is the merge.
//! Afterwards the files are reset to the branch; so they are when a later driver finds the worktree
//! with a detached HEAD.

use std::path::{Path, PathBuf};

use super::commit::tip;
use super::error::WorktreesError;
use super::git::Git;
use super::resolve::unmerged;
use super::{Commit, Worktree, Worktrees, registry};

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// The merge is proven and kept.
    Kept(Commit),
    /// There was nothing to merge.
    Nothing,
    /// The merge is not proven; nothing has changed.
    Unproven,
    /// Both sides changed these files; nothing has changed.
    Conflict(Vec<PathBuf>),
}

/// Whether there is anything to merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// Work that is not in the run's branch.
    Work,
    Nothing,
}

/// Why a merge could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum MergeError<E> {
    #[error(transparent)]
    Yard(#[from] WorktreesError),
    /// The proof failed with an error; nothing has changed.
    #[error("the merged files could not be proven: {0}")]
    Proof(E),
}

impl Worktrees {
    /// Merges an agent's commits into the run's branch, calls `prove` on the merged project, and
    /// keeps the merge if that returns true. Then it calls `then` on the resulting files, before
    /// any other merge can begin.
    pub fn merge_then<T, E>(
        &self,
        tree: &Worktree,
        prove: impl FnOnce(&Path) -> Result<bool, E>,
        then: impl FnOnce(Merged) -> Result<T, E>,
    ) -> Result<T, MergeError<E>> {
        self.merge_seen(tree, |_, _| Ok(()), prove, then)
    }

    /// Like [`Worktrees::merge_then`], but first calls `look` on the project before the merge, and
    /// reports whether there is anything to merge.
    pub fn merge_seen<T, E>(
        &self,
        tree: &Worktree,
        look: impl FnOnce(&Path, Incoming) -> Result<(), E>,
        prove: impl FnOnce(&Path) -> Result<bool, E>,
        then: impl FnOnce(Merged) -> Result<T, E>,
    ) -> Result<T, MergeError<E>> {
        let folder = self.folder()?;
        self.turn(self.run.as_str(), |git| {
            let old = self.ready(git, &folder)?;
            let theirs = tip(git, tree)?;
            let is_in = ["merge-base", "--is-ancestor", theirs.as_str(), old.as_str()];
            let is_in = git.ask(&folder, &is_in).holds()?;
            let coming = if is_in { Incoming::Nothing } else { Incoming::Work };
            look(&folder.join(&self.place.below), coming).map_err(MergeError::Proof)?;
            let done = if is_in {
                Merged::Nothing
            } else {
                let done = self.attempt(git, &folder, (&old, &theirs), tree, prove);
                // Runs whatever the result was, even an error.
                let settled = self.settle(&git.to_the_end());
                let done = done?;
                settled?;
                done
            };
            then(done).map_err(MergeError::Proof)
        })
    }

    /// Checks that the run's branch can be merged into, and returns its commit.
    fn ready(&self, git: &Git, folder: &Path) -> Result<Commit, WorktreesError> {
        registry::unlock(&self.common, folder, &self.branch())?;
        self.settle(git)?;
        self.is_free(git)?;
        let files = self.changed(folder)?;
        if !files.is_empty() {
            return Err(WorktreesError::Touched { folder: folder.to_path_buf(), files });
        }
        let name = format!("refs/heads/{}", self.branch());
        Ok(Commit::of(&git.ask(folder, &["rev-parse", "--verify", &name]).must()?))
    }

    fn attempt<E>(
        &self,
        git: &Git,
        folder: &Path,
        (old, theirs): (&Commit, &Commit),
        tree: &Worktree,
        prove: impl FnOnce(&Path) -> Result<bool, E>,
    ) -> Result<Merged, MergeError<E>> {
        git.ask(folder, &["update-ref", "--no-deref", "HEAD", old.as_str()])
            .must()
            .map_err(MergeError::Yard)?;
        let message = format!("Merge {} into {}", tree.branch, self.branch());
        let merge = merging(git, folder).and("--no-ff").and("-m").and(message).and(theirs.as_str());
        let said = merge.said()?;
        if said.exit != Some(0) {
            let files = unmerged(git, folder)?;
            if files.is_empty() {
                return Err(merge.failed(&said.complaint).into());
            }
            return Ok(Merged::Conflict(files));
        }
        let new = Commit::of(&git.ask(folder, &["rev-parse", "--verify", "HEAD"]).must()?);
        if !prove(&folder.join(&self.place.below)).map_err(MergeError::Proof)? {
            return Ok(Merged::Unproven);
        }
        self.is_free(git)?;
        let name = format!("refs/heads/{}", self.branch());
        // This is the merge; it fails if the branch has moved meanwhile.
        git.ask(folder, &["update-ref", &name, new.as_str(), old.as_str()]).must()?;
        self.stands_at(&new);
        Ok(Merged::Kept(new))
    }

    /// Resets the files of the run's worktree to its branch, if a merge was under way.
    pub(super) fn settle(&self, git: &Git) -> Result<(), WorktreesError> {
        let (folder, name) = (self.folder()?, format!("refs/heads/{}", self.branch()));
        let at = git.ask(&folder, &["symbolic-ref", "--quiet", "HEAD"]).said()?;
        if at.exit == Some(0) {
            return Ok(());
        }
        git.ask(&folder, &["reset", "--hard", "--quiet", &name]).must()?;
        // Removes what gates left behind; ignored files are kept for the next gates.
        git.ask(&folder, &["clean", "-ffdq"]).must()?;
        git.ask(&folder, &["symbolic-ref", "HEAD", &name]).must().map(drop)
    }
}

/// Returns a merge command that asks nothing, signs nothing and stashes nothing.
pub(super) fn merging<'g>(git: &'g Git, folder: &'g Path) -> super::git::Ask<'g> {
    let quiet = ["merge", "--quiet", "--no-edit", "--no-verify", "--no-gpg-sign", "--no-stat"];
    git.ask(folder, &quiet).and("--no-autostash").and("--no-squash").and("--no-signoff")
}
