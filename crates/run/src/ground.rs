//! Where an agent works: in the project itself, or in a worktree of its own.
//!
//! What is done in a worktree is merged into the branch of the run before it counts, and the gates
//! judge the merged files. The attempt ends after that: whoever comes after a crash finds either
//! work that is not merged, or work that is, and never a result without its work.

use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_core::plan::VERIFY;
use sprag_core::{RunId, Unit, UnitId, WorktreeName};
use sprag_engine::drive::{Compare, Judged, Shown};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::git::Git;
use sprag_engine::root::{self, Start};
use sprag_engine::tree::Tree;
use sprag_store::Place;

use crate::agent::Stop;
use crate::yard::{Away, Incoming, MergeError, Merged, Resolving, Worktree, Yard, YardError};
use crate::{RunError, Runner};

/// Where an agent works.
#[derive(Debug)]
pub(crate) enum Ground<'a> {
    /// In the project.
    Here,
    /// In a worktree of its own.
    Apart {
        yard: &'a Yard,
        tree: Worktree,
        /// How often somebody had removed the branch of the run when that was looked at last.
        removals: Cell<u32>,
    },
}

/// What came of what an agent left.
#[derive(Debug)]
pub(crate) enum Brought {
    /// It was judged.
    Judged(Judged),
    /// It cannot be merged before these files are in order; the agent's files hold the conflict.
    Conflict(Vec<PathBuf>),
    /// The agent left a conflict as it was.
    Left(Vec<PathBuf>),
}

impl<'a> Ground<'a> {
    /// Takes the ground for a unit.
    pub(crate) fn take(yard: Option<&'a Yard>, unit: &Unit) -> Result<Self, RunError> {
        let Some(yard) = yard else { return Ok(Self::Here) };
        // Whoever begins now has removed nothing.
        let removals = Cell::new(yard.restore()?);
        Ok(Self::Apart { yard, tree: yard.take(&name(&unit.id)?)?, removals })
    }

    /// Returns the folder in which the agent works.
    pub(crate) fn folder<'b>(&'b self, place: &'b Place) -> &'b Path {
        match self {
            Self::Here => &place.root,
            Self::Apart { tree, .. } => tree.root(),
        }
    }

    /// Returns the variables that are set there.
    pub(crate) fn variables(&self) -> &[(String, String)] {
        match self {
            Self::Here => &[],
            Self::Apart { yard, .. } => yard.variables(),
        }
    }

    /// Returns the environment of gates there: tests need what the work needs.
    fn environment(&self, runner: &Runner<'_>) -> Vec<(OsString, OsString)> {
        environment(self.variables(), runner.environment)
    }

    /// Returns the files that the agent changed although its unit does not name them; a unit that
    /// names none may change any.
    pub(crate) fn strays(&self, unit: &Unit) -> Result<Vec<PathBuf>, RunError> {
        let Self::Apart { yard, tree, .. } = self else { return Ok(Vec::new()) };
        let declared: Vec<String> = unit
            .locks
            .iter()
            .filter_map(|lock| lock.as_str().strip_prefix("file "))
            .map(str::to_owned)
            .collect();
        if declared.is_empty() {
            return Ok(Vec::new());
        }
        Ok(yard.strays(tree, &declared)?)
    }

    /// Puts back the branch of the run where somebody removed it, and says so, also where another one
    /// who began meanwhile put it back.
    pub(crate) fn restore(&self) -> Result<Option<String>, RunError> {
        let Self::Apart { yard, removals, .. } = self else { return Ok(None) };
        let now = yard.restore()?;
        Ok((removals.replace(now) < now)
            .then(|| format!("{} was removed meanwhile, and put back", yard.branch())))
    }

    /// Puts back the folder of an agent that removed it, as its work was committed, or its link to
    /// the repository, and says so.
    pub(crate) fn put_back(&self) -> Option<String> {
        let Self::Apart { yard, tree, .. } = self else { return None };
        let (is_there, folder) = (tree.root().is_dir(), tree.folder().display());
        let (made, how) = if !is_there {
            (yard.take(tree.name()).map(drop), "was removed meanwhile, and put back as committed")
        } else if self.estranged().is_some() {
            (yard.relink(), "lost its link to git meanwhile, and has it again")
        } else {
            return None;
        };
        // Where that does not help, whoever brings its work says why.
        (made.is_ok() && self.estranged().is_none()).then(|| format!("{folder} {how}"))
    }

    /// Says that the folder is no worktree of the repository any more, and what to do, where that is
    /// so.
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

    /// Returns the person's own files, which nobody who works apart has to do with.
    pub(crate) fn others(&self, engine: &Engine<'_>) -> Option<Tree> {
        match self {
            Self::Here => None,
            Self::Apart { .. } => engine.drive_files(),
        }
    }

    /// Returns the project in the worktree of its own, where it has one.
    pub(crate) fn apart(&self) -> Option<&Path> {
        match self {
            Self::Here => None,
            Self::Apart { tree, .. } => Some(tree.root()),
        }
    }

    /// Judges what the agent left, and brings it to the others' work.
    pub(crate) fn bring(
        &self,
        runner: &Runner<'_>,
        stop: &Stop,
        attempt: (&RunId, sprag_core::Fence),
        unit: &Unit,
        said: &str,
    ) -> Result<Brought, RunError> {
        let (run, fence) = attempt;
        let engine = runner.engine()?.ended_by(stop);
        let Self::Apart { yard, tree, .. } = self else {
            return Ok(Brought::Judged(engine.drive_end(run, fence, said)?));
        };
        if unit.id == VERIFY {
            engine.drive_bring_report(run, tree.root())?;
        }
        yard.commit(tree, &message(unit, said))?;
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
        let judged = yard.merge_seen(tree, look, prove, |merged| {
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
                // What cannot be put away stays, and `sprag doctor` shows it.
                if judged.end.is_through() {
                    match yard.put_away(tree) {
                        Ok(Away::Gone | Away::Kept { .. }) | Err(_) => {}
                    }
                }
                Ok(Brought::Judged(judged))
            }
            Ok(None) => match yard.begin_resolving(tree)? {
                Resolving::Conflict(files) => Ok(Brought::Conflict(files)),
                // The branch went on meanwhile and took the conflict with it.
                Resolving::UpToDate(_) => Ok(Brought::Conflict(Vec::new())),
            },
            Err(MergeError::Yard(error)) => Err(error.into()),
            Err(MergeError::Proof(error)) => Err(error),
        }
    }

    /// Ends the attempt on the files of the run's branch, while nobody else merges into it: what is
    /// noted of the branch, and what the gates say, is about the same files.
    fn end(
        &self,
        runner: &Runner<'_>,
        stop: &Stop,
        (run, fence): (&RunId, sprag_core::Fence),
        said: &str,
        (foreseen, merged): (Vec<Shown>, Option<sprag_core::Fence>),
    ) -> Result<Judged, RunError> {
        let Self::Apart { yard, .. } = self else { return Err(RunError::Restless) };
        let (files, environment) = (place(&yard.root()?)?, self.environment(runner));
        let judge = Engine::judging(runner.place, &files, &environment)?.ended_by(stop);
        let note = || judge.drive_merged(run, &yard.branch(), merged);
        if merged.is_some() {
            note()?;
        }
        let mut judged = judge.drive_end(run, fence, said)?;
        // The gates that let the merge through are not evaluated again, but for looks at files.
        let is_again = |one: &Shown| judged.shown.iter().any(|again| again.gate == one.gate);
        let before: Vec<_> = foreseen.into_iter().filter(|one| !is_again(one)).collect();
        judged.shown.splice(0..0, before);
        if judged.end.is_through() && merged.is_none() {
            // Whoever was killed after the merge had not noted it.
            note()?;
        }
        Ok(judged)
    }

    /// Returns the files that still hold a conflict, with the agent back on its own branch.
    pub(crate) fn unresolved(&self) -> Result<Vec<PathBuf>, RunError> {
        match self {
            Self::Here => Ok(Vec::new()),
            Self::Apart { yard, tree, .. } => {
                yard.go_back(tree)?;
                Ok(yard.unresolved(tree)?)
            }
        }
    }
}

/// Returns a person's variables with those of a worktree in their place.
pub(crate) fn environment(
    set: &[(String, String)],
    person: &[(OsString, OsString)],
) -> Vec<(OsString, OsString)> {
    let is_set = |name: &OsString| set.iter().any(|(known, _)| *name == **known);
    let person = person.iter().filter(|(name, _)| !is_set(name)).cloned();
    person.chain(set.iter().map(|(name, value)| (name.into(), value.into()))).collect()
}

/// Returns the project in a worktree.
pub(crate) fn place(root: &Path) -> Result<Place, RunError> {
    let start = Start { folder: root, home: None, named: Some(root) };
    root::find(start).ok().flatten().ok_or_else(|| {
        let why = "it is no project".to_owned();
        YardError::Odd { folder: root.to_path_buf(), why }.into()
    })
}

/// Returns the name of the worktree of a unit: retries find the work of those before.
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

/// Returns what a commit of an agent's work says.
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
        let yard = Yard::open(&bench, &RunId::parse("r-test").unwrap(), &<_>::default()).unwrap();
        let take = |unit: &str| {
            let (kind, retries) = (Name::literal("task"), Name::literal("retry"));
            let unit = Unit::new(UnitId::parse(unit).unwrap(), kind, retries);
            Ground::take(Some(&yard), &unit).unwrap()
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
