//! Finds the worktree of a unit's branch: `done` may run in another folder than the work.

use std::path::Path;

use sprag_world::git::Registered;

use super::git::{Folder, LOCAL};
use crate::engine::EngineError;

impl Folder<'_> {
    /// Returns the folder with the work of `branch`: this one, or the worktree that has it. Refuses
    /// if neither is sure to hold all of the work.
    pub(super) fn home_of(self, branch: &str, unit: &str) -> Result<Self, EngineError> {
        let name = format!("refs/heads/{branch}");
        let is_here = self.branch()?.as_deref() == Some(branch);
        if is_here || !self.ask(&["rev-parse", "--quiet", "--verify", &name], LOCAL)?.0 {
            return Ok(self);
        }
        let others = self.others()?;
        if let Some(home) = others.iter().find(|one| one.branch.as_deref() == Some(branch)) {
            return self.leave_for(&home.folder, branch);
        }
        if let Some(lost) = others.iter().find(|one| one.folder.ends_with(unit)) {
            let at = lost.folder.display();
            return Err(EngineError::Refused {
                what: format!("{at} is where {unit} is worked on, and it is not on `{branch}`"),
                help: format!("bring what is there to `{branch}`, then try again there"),
            });
        }
        if self.ask(&["merge-base", "--is-ancestor", &name, "HEAD"], LOCAL)?.0 {
            return Ok(self);
        }
        Err(EngineError::Refused {
            what: format!("the work is on `{branch}`, which is not checked out anywhere"),
            help: format!("`git checkout {branch}`, then try again"),
        })
    }

    /// Moves to the worktree that has the branch, unless uncommitted or unpushed work would stay
    /// behind here.
    fn leave_for(self, home: &Path, branch: &str) -> Result<Self, EngineError> {
        let words = ["rev-list", "--max-count=1", "HEAD", "--not", branch, "--remotes"];
        let left = if self.is_dirty()? {
            "something here is not committed"
        } else if !self.must(&words)?.is_empty() {
            "commits here are in no remote"
        } else {
            let prefix = self.must(&["rev-parse", "--show-prefix"])?;
            let whole = home.join(prefix);
            let place = if whole.is_dir() { whole } else { home.to_path_buf() };
            return Ok(self.at(place));
        };
        let at = home.display();
        Err(EngineError::Refused {
            what: format!("{left}, and `{branch}` is worked on in {at}"),
            help: format!("bring what belongs to the work to `{branch}`, then try again in {at}"),
        })
    }

    /// Returns the other worktrees of this repository that still exist.
    fn others(&self) -> Result<Vec<Registered>, EngineError> {
        let here = self.top()?;
        let all = self.worktrees()?.into_iter();
        Ok(all.filter(|one| one.folder != here && one.folder.is_dir()).collect())
    }

    /// Returns the pathspecs of this worktree's work: everything but the inbox, our state, and
    /// nested worktrees.
    pub(super) fn work(&self) -> Result<Vec<String>, EngineError> {
        let here = self.top()?;
        let ours =
            [":/", ":!.sprag", ":!.chipset", ":(top,exclude).sprag", ":(top,exclude).chipset"];
        let mut all: Vec<String> = ours.map(str::to_owned).into();
        for other in self.others()? {
            if let Ok(inside) = other.folder.strip_prefix(&here) {
                all.push(format!(":(top,exclude,literal){}", inside.display()));
            }
        }
        Ok(all)
    }
}
