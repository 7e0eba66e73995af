//! Removes the worktree and the branch of an agent whose work is merged.

use super::error::WorktreesError;
use super::git::Git;
use super::make::{LEAVING, is_marked};
use super::registry;
use super::{Worktree, Worktrees};

/// The result of removing a worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemovedWorktree {
    /// The folder and the branch are gone.
    Gone,
    /// It holds work that exists nowhere else, so everything stays.
    Kept { why: String },
}

impl Worktrees {
    /// Removes the worktree and the branch of an agent, unless that would lose work. The agent must
    /// have ended.
    pub fn put_away(&self, tree: &Worktree) -> Result<RemovedWorktree, WorktreesError> {
        self.turn(&tree.key, |git| {
            let admin = registry::admin(&self.common, &tree.folder)?;
            let is_leaving = admin.is_some_and(|admin| is_marked(&admin, LEAVING));
            let name = format!("refs/heads/{}", tree.branch);
            let verify = ["rev-parse", "--quiet", "--verify", &name];
            let is_there = tree.folder.is_dir();
            let kept = |why: String| Ok(RemovedWorktree::Kept { why });
            match (is_there, git.ask(&self.top, &verify).holds()?) {
                (false, false) => return Ok(RemovedWorktree::Gone),
                (true, false) => return kept(format!("its branch `{}` is gone", tree.branch)),
                (_, true) => {}
            }
            let brought = format!("refs/heads/{}", self.branch());
            if !git.ask(&self.top, &["merge-base", "--is-ancestor", &name, &brought]).holds()? {
                return kept(format!("`{}` is not merged", tree.branch));
            }
            if is_there && !is_leaving {
                if let Some(why) = self.would_lose(tree, &brought)? {
                    return kept(why);
                }
                self.mark(&tree.folder, LEAVING)?;
            }
            self.remove(git, tree)?;
            Ok(RemovedWorktree::Gone)
        })
    }

    /// Removes a worktree and its branch with all contents; no agent worked in it.
    pub(crate) fn discard(&self, tree: &Worktree) -> Result<(), WorktreesError> {
        self.mark(&tree.folder, LEAVING)?;
        // This runs even after a stop request, because it cleans up.
        let worktrees = Self { git: self.git.to_the_end(), ..self.clone() };
        worktrees.turn(&tree.key, |git| worktrees.remove(git, tree))
    }

    fn remove(&self, git: &Git, tree: &Worktree) -> Result<(), WorktreesError> {
        registry::raze(&self.common, &tree.folder)?;
        registry::unlock(&self.common, &tree.folder, &tree.branch)?;
        let name = format!("refs/heads/{}", tree.branch);
        git.ask(&self.top, &["update-ref", "-d", &name]).must().map(drop)
    }

    /// Returns what would be lost with the folder of a worktree.
    fn would_lose(&self, tree: &Worktree, brought: &str) -> Result<Option<String>, WorktreesError> {
        let files = self.changed(&tree.folder)?;
        if !files.is_empty() {
            return Ok(Some(format!("not committed: {}", files.join(", "))));
        }
        let is_in = ["merge-base", "--is-ancestor", "HEAD", brought];
        let is_in = self.git.ask(&tree.folder, &is_in).holds()?;
        Ok((!is_in).then(|| "what is checked out there is not merged".to_owned()))
    }
}
