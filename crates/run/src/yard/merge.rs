//! Brings the work of one agent into the branch of the run, one at a time, and only when it is
//! proven.
//!
//! While a merge is under way, the worktree of the run stands on no branch; so whatever is in its
//! files then is ours to undo. The branch moves by one step of git after the proof, and that step
//! is the merge: before it nothing happened, after it everything did. Then, or when a later yard
//! finds the worktree on no branch, the files are brought to where the branch is.

use std::path::{Path, PathBuf};

use super::commit::tip;
use super::error::YardError;
use super::git::Git;
use super::resolve::unmerged;
use super::{Commit, Worktree, Yard, registry};

/// What came of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// It is proven and kept.
    Kept(Commit),
    /// There was nothing that is not in already.
    Nothing,
    /// It is not proven; nothing has changed.
    Unproven,
    /// These files were changed on both sides; nothing has changed.
    Conflict(Vec<PathBuf>),
}

/// What is about to be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// Work that is not in the branch of the run.
    Work,
    /// Nothing that is not in already.
    Nothing,
}

/// Why a merge came to no end.
#[derive(Debug, thiserror::Error)]
pub enum MergeError<E> {
    /// The yard could not do it.
    #[error(transparent)]
    Yard(#[from] YardError),
    /// The proof could not be had; nothing has changed.
    #[error("the merged files could not be proven: {0}")]
    Proof(E),
}

impl Yard {
    /// Merges what an agent has committed into the branch of the run, lets `prove` judge the
    /// merged files in the project it is given, and keeps the merge if that says so.
    /// Then it goes on with `then` while the files are what came of it: nobody else merges before that
    /// has ended.
    pub fn merge_then<T, E>(
        &self,
        tree: &Worktree,
        prove: impl FnOnce(&Path) -> Result<bool, E>,
        then: impl FnOnce(Merged) -> Result<T, E>,
    ) -> Result<T, MergeError<E>> {
        self.merge_seen(tree, |_, _| Ok(()), prove, then)
    }

    /// Does the same, and lets `look` see the project as it is before the merge, and whether there is
    /// one at all.
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
                // Whatever came of it, even an error.
                let settled = self.settle(&git.to_the_end());
                let done = done?;
                settled?;
                done
            };
            then(done).map_err(MergeError::Proof)
        })
    }

    /// Checks that the branch of the run can be merged into, and returns where it is.
    fn ready(&self, git: &Git, folder: &Path) -> Result<Commit, YardError> {
        registry::unlock(&self.common, folder, &self.branch())?;
        self.settle(git)?;
        self.is_free(git)?;
        let files = self.changed(folder)?;
        if !files.is_empty() {
            return Err(YardError::Touched { folder: folder.to_path_buf(), files });
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
        // This is the merge; it does nothing if the branch has moved meanwhile.
        git.ask(folder, &["update-ref", &name, new.as_str(), old.as_str()]).must()?;
        self.stands_at(&new);
        Ok(Merged::Kept(new))
    }

    /// Brings the files of the run's worktree to where its branch is, if a merge was under way.
    pub(super) fn settle(&self, git: &Git) -> Result<(), YardError> {
        let (folder, name) = (self.folder()?, format!("refs/heads/{}", self.branch()));
        let at = git.ask(&folder, &["symbolic-ref", "--quiet", "HEAD"]).said()?;
        if at.exit == Some(0) {
            return Ok(());
        }
        git.ask(&folder, &["reset", "--hard", "--quiet", &name]).must()?;
        // What gates left behind; what git ignores is worth keeping for the next ones.
        git.ask(&folder, &["clean", "-ffdq"]).must()?;
        git.ask(&folder, &["symbolic-ref", "HEAD", &name]).must().map(drop)
    }
}

/// Returns a merge that asks nobody, signs nothing and leaves nothing aside.
pub(super) fn merging<'g>(git: &'g Git, folder: &'g Path) -> super::git::Ask<'g> {
    let quiet = ["merge", "--quiet", "--no-edit", "--no-verify", "--no-gpg-sign", "--no-stat"];
    git.ask(folder, &quiet).and("--no-autostash").and("--no-squash").and("--no-signoff")
}
