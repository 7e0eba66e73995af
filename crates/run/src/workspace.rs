//! The place where an agent works: the project itself, or its own worktree.
//!
//! Work in a worktree is merged into the run's branch before it counts, and the gates judge the
//! merged files. The attempt ends after the merge: after a crash there is either unmerged work or
//! merged work, but never a result without its work.

use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_core::plan::VERIFY;
use sprag_core::{RunId, Unit, UnitId, WorktreeName};
use sprag_engine::drive::{Compare, GateShown, Judged};
use sprag_engine::engine::{Engine, EngineError};
use sprag_store::Place;
use sprag_world::git::Git;
use sprag_world::root::{self, RootSearch};
use sprag_world::tree::Tree;

use crate::agent::StopHandle;
use crate::worktrees::{
    Incoming, MergeError, Merged, RemovedWorktree, Resolving, Worktree, Worktrees, WorktreesError,
};
use crate::{RunError, Runner};

/// The place where an agent works.
#[derive(Debug)]
pub(crate) enum Workspace<'a> {
    /// The project itself.
    Here,
    /// A separate worktree.
    Apart {
        worktrees: &'a Worktrees,
        tree: Worktree,
        /// How many times the run's branch had been removed at the last check.
        removals: Cell<u32>,
    },
}

/// The result of judging and merging an agent's work.
#[derive(Debug)]
pub(crate) enum Brought {
    Judged(Judged),
    /// A merge is blocked by these conflicting files; the agent's worktree holds the conflict.
    Conflict(Vec<PathBuf>),
    /// The agent left these conflicts unresolved.
    Left(Vec<PathBuf>),
}

impl<'a> Workspace<'a> {
    /// Prepares the place for a unit.
    pub(crate) fn take(worktrees: Option<&'a Worktrees>, unit: &Unit) -> Result<Self, RunError> {
        let Some(worktrees) = worktrees else { return Ok(Self::Here) };
        // Removals before the turn are not this agent's.
        let removals = Cell::new(worktrees.restore()?);
        Ok(Self::Apart { worktrees, tree: worktrees.take(&name(&unit.id)?)?, removals })
    }

    pub(crate) fn folder<'b>(&'b self, place: &'b Place) -> &'b Path {
        match self {
            Self::Here => &place.root,
            Self::Apart { tree, .. } => tree.root(),
        }
    }

    /// Returns the variables that are set in this place.
    pub(crate) fn variables(&self) -> &[(String, String)] {
        match self {
            Self::Here => &[],
            Self::Apart { worktrees, .. } => worktrees.variables(),
        }
    }

    /// Returns the environment for the gates: tests need the same variables as the agent.
    fn environment(&self, runner: &Runner<'_>) -> Vec<(OsString, OsString)> {
        environment(self.variables(), runner.environment)
    }

    /// Returns the files that the agent changed although its unit does not declare them. A unit
    /// that declares none may change any.
    pub(crate) fn strays(&self, unit: &Unit) -> Result<Vec<PathBuf>, RunError> {
        let Self::Apart { worktrees, tree, .. } = self else { return Ok(Vec::new()) };
        let declared: Vec<String> = unit
            .locks
            .iter()
            .filter_map(|lock| lock.as_str().strip_prefix("file "))
            .map(str::to_owned)
            .collect();
        if declared.is_empty() {
            return Ok(Vec::new());
        }
        Ok(worktrees.strays(tree, &declared)?)
    }

    /// Restores the run's branch if it was removed, and returns a note about it. The note also
    /// appears if a concurrent agent's turn restored the branch.
    pub(crate) fn restore(&self) -> Result<Option<String>, RunError> {
        let Self::Apart { worktrees, removals, .. } = self else { return Ok(None) };
        let now = worktrees.restore()?;
        Ok((removals.replace(now) < now)
            .then(|| format!("{} was removed meanwhile, and put back", worktrees.branch())))
    }

    /// Restores a removed worktree folder from its last commit, or its broken link to the
    /// repository, and returns a note about it.
    pub(crate) fn put_back(&self) -> Option<String> {
        let Self::Apart { worktrees, tree, .. } = self else { return None };
        let (is_there, folder) = (tree.root().is_dir(), tree.folder().display());
        let (made, how) = if !is_there {
            (
                worktrees.take(tree.name()).map(drop),
                "was removed meanwhile, and put back as committed",
            )
        } else if self.estranged().is_some() {
            (worktrees.relink(), "lost its link to git meanwhile, and has it again")
        } else {
            return None;
        };
        // If the repair failed, merging the work reports why.
        (made.is_ok() && self.estranged().is_none()).then(|| format!("{folder} {how}"))
    }

    /// Returns what to do if the folder is no longer a worktree of the repository.
    pub(crate) fn estranged(&self) -> Option<String> {
        let Self::Apart { tree, .. } = self else { return None };
        let own = |git: &Git| git.top() == tree.folder() && git.worktree().is_some();
        let is_own = Git::around(tree.folder()).ok().flatten().as_ref().is_some_and(own);
        let folder = tree.folder().display();
        (!is_own).then(|| {
            format!(
                "`{folder}` is no worktree of this repository any more; move it away, then resume"
            )
        })
    }

    /// Returns the user's own files, which an agent in a worktree must not touch.
    pub(crate) fn others(&self, engine: &Engine<'_>) -> Option<Tree> {
        match self {
            Self::Here => None,
            Self::Apart { .. } => engine.drive_files(),
        }
    }

    /// Returns the project folder in the separate worktree, if there is one.
    pub(crate) fn apart(&self) -> Option<&Path> {
        match self {
            Self::Here => None,
            Self::Apart { tree, .. } => Some(tree.root()),
        }
    }

    /// Commits, merges and judges what the agent left.
    pub(crate) fn bring(
        &self,
        runner: &Runner<'_>,
        stop: &StopHandle,
        attempt: (&RunId, sprag_core::Fence),
        unit: &Unit,
        said: &str,
    ) -> Result<Brought, RunError> {
        let (run, fence) = attempt;
        let engine = runner.engine()?.ended_by(stop);
        let Self::Apart { worktrees, tree, .. } = self else {
            return Ok(Brought::Judged(engine.drive_end(run, fence, said)?));
        };
        if unit.id == VERIFY {
            engine.drive_bring_report(run, tree.root())?;
        }
        worktrees.commit(tree, &message(unit, said))?;
        let environment = self.environment(runner);
        let (refused, shown) = (Cell::new(None), Cell::new(Vec::new()));
        let look = |root: &Path, coming: Incoming| -> Result<(), RunError> {
            let files = place(root)?;
            let judge = Engine::judging(runner.place, &files, &environment)?.ended_by(stop);
            let compare = match coming {
                Incoming::Work => Compare::Anew,
                Incoming::Nothing => Compare::AsBefore,
            };
            Ok(judge.drive_compare(run, fence, compare)?)
        };
        let prove = |root: &Path| -> Result<bool, RunError> {
            let files = place(root)?;
            let judge = Engine::judging(runner.place, &files, &environment)?.ended_by(stop);
            let foreseen = judge.drive_foresee(run, fence, said)?;
            let is_through = foreseen.end.is_through();
            if is_through {
                shown.set(foreseen.shown);
            } else {
                refused.set(Some(foreseen));
            }
            Ok(is_through)
        };
        let judged = worktrees.merge_seen(tree, look, prove, |merged| {
            let merged = match merged {
                Merged::Conflict(_) => return Ok(None),
                Merged::Kept(_) => Some(fence),
                Merged::Nothing | Merged::Unproven => None,
            };
            let end = || self.end(runner, stop, attempt, said, (shown.take(), merged));
            refused.take().map_or_else(end, Ok).map(Some)
        });
        match judged {
            Ok(Some(judged)) => {
                // A worktree that cannot be removed stays; `sprag doctor` lists it.
                if judged.end.is_through() {
                    match worktrees.put_away(tree) {
                        Ok(RemovedWorktree::Gone | RemovedWorktree::Kept { .. }) | Err(_) => {}
                    }
                }
                Ok(Brought::Judged(judged))
            }
            Ok(None) => match worktrees.begin_resolving(tree)? {
                Resolving::Conflict(files) => Ok(Brought::Conflict(files)),
                // The branch moved on meanwhile, and the conflict is gone.
                Resolving::UpToDate(_) => Ok(Brought::Conflict(Vec::new())),
            },
            Err(MergeError::Yard(error)) => Err(error.into()),
            Err(MergeError::Proof(error)) => Err(error),
        }
    }

    /// Ends the attempt on the files of the run's branch under its merge lock, so that the recorded
    /// commit and the gates describe the same files.
    fn end(
        &self,
        runner: &Runner<'_>,
        stop: &StopHandle,
        (run, fence): (&RunId, sprag_core::Fence),
        said: &str,
        (foreseen, merged): (Vec<GateShown>, Option<sprag_core::Fence>),
    ) -> Result<Judged, RunError> {
        let Self::Apart { worktrees, .. } = self else { return Err(RunError::Restless) };
        let (files, environment) = (place(&worktrees.root()?)?, self.environment(runner));
        let judge = Engine::judging(runner.place, &files, &environment)?.ended_by(stop);
        let note = || judge.drive_merged(run, &worktrees.branch(), merged);
        if merged.is_some() {
            note()?;
        }
        let mut judged = judge.drive_end(run, fence, said)?;
        // Gates that passed before the merge do not run again, except cheap checks of files.
        let is_again = |one: &GateShown| judged.shown.iter().any(|again| again.gate == one.gate);
        let before: Vec<_> = foreseen.into_iter().filter(|one| !is_again(one)).collect();
        judged.shown.splice(0..0, before);
        if judged.end.is_through() && merged.is_none() {
            // A process killed after an earlier merge had not recorded it.
            note()?;
        }
        Ok(judged)
    }

    /// Returns the files that still contain a conflict, after switching the agent back to its
    /// branch.
    pub(crate) fn unresolved(&self) -> Result<Vec<PathBuf>, RunError> {
        match self {
            Self::Here => Ok(Vec::new()),
            Self::Apart { worktrees, tree, .. } => {
                worktrees.go_back(tree)?;
                Ok(worktrees.unresolved(tree)?)
            }
        }
    }
}

/// Returns the user's variables, overridden by those of a worktree.
pub(crate) fn environment(
    set: &[(String, String)],
    person: &[(OsString, OsString)],
) -> Vec<(OsString, OsString)> {
    let is_set = |name: &OsString| set.iter().any(|(known, _)| *name == **known);
    let person = person.iter().filter(|(name, _)| !is_set(name)).cloned();
    person.chain(set.iter().map(|(name, value)| (name.into(), value.into()))).collect()
}

/// Finds the project in a worktree.
pub(crate) fn place(root: &Path) -> Result<Place, RunError> {
    let start = RootSearch { folder: root, home: None, named: Some(root) };
    root::find(start).ok().flatten().ok_or_else(|| {
        let why = "it is no project".to_owned();
        WorktreesError::Odd { folder: root.to_path_buf(), why }.into()
    })
}

/// Returns the name of a unit's worktree. It is stable, so that retries find earlier work.
fn name(unit: &UnitId) -> Result<WorktreeName, RunError> {
    let unit = unit.as_str();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let text: String = unit.chars().map(plain).take(40).collect();
    let digest = sprag_core::Hash::of(unit).short(6);
    let text = text.trim_matches('-');
    let whole = if text == unit { text.to_owned() } else { format!("{text}-{digest}") };
    let whole = whole.trim_start_matches('-').to_owned();
    let named =
        WorktreeName::parse(&whole).or_else(|_| WorktreeName::parse(&format!("u-{digest}")));
    named.map_err(|bad| EngineError::from(bad).into())
}

/// Returns the commit message for an agent's work.
fn message(unit: &Unit, said: &str) -> String {
    let claim = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let claim: String = claim.chars().filter(|c| !c.is_control()).take(60).collect();
    if claim.is_empty() { format!("{}\n", unit.id) } else { format!("{}: {claim}\n", unit.id) }
}

#[cfg(test)]
mod tests {
    use sprag_core::Name;

    use super::*;

    #[test]
    fn a_worktree_is_named_after_its_unit_and_two_units_never_share_one() {
        let name = |unit: &str| name(&UnitId::parse(unit).unwrap()).unwrap();
        assert_eq!(name("t01").as_str(), "t01");
        let (one, two) = (name("T01"), name("#T01"));
        assert!(one.as_str().starts_with("t01-") && two.as_str().starts_with("t01-"));
        assert_ne!(one, two);
        assert!(!name("../..").as_str().contains('.'));
    }

    #[test]
    fn who_worked_while_the_branch_was_removed_is_named_also_where_the_next_one_put_it_back() {
        let env = sprag_testkit::TestEnv::new();
        env.write(".sprag/config.yaml", "v: 1\n");
        env.git(&["init", "-q"]);
        env.git(&["add", "."]);
        env.git(&["commit", "-qm", "first"]);
        let command = env.command("git");
        let set = command.get_envs().filter_map(|(name, value)| Some((name.into(), value?.into())));
        let (place, environment) = (place(&env.project()).unwrap(), set.collect::<Vec<_>>());
        let engine = Engine::open(&place, &environment).unwrap();
        let deed = engine.deed();
        let bench = engine.drive_bench(&deed, sprag_formats::Checks::Ask);
        let worktrees =
            Worktrees::open(&bench, &RunId::parse("r-test").unwrap(), &<_>::default()).unwrap();
        let take = |unit: &str| {
            let (kind, retries) = (Name::literal("task"), Name::literal("retry"));
            let unit = Unit::new(UnitId::parse(unit).unwrap(), kind, retries);
            Workspace::take(Some(&worktrees), &unit).unwrap()
        };
        let first = take("t1");
        env.git(&["update-ref", "-d", "refs/heads/sprag/r-test"]);
        let next = take("t2");
        assert_eq!(next.restore().unwrap(), None);
        let told = "sprag/r-test was removed meanwhile, and put back".to_owned();
        assert_eq!(first.restore().unwrap(), Some(told));
        assert_eq!(first.restore().unwrap(), None, "it is said once");
    }
}
