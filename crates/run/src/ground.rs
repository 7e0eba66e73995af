//! Where an agent works: in the project itself, or in a worktree of its own.
//!
//! What is done in a worktree is merged into the branch of the run before it counts, and the gates
//! judge the merged files. The attempt ends after that: whoever comes after a crash finds either
//! work that is not merged, or work that is, and never a result without its work.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_core::plan::VERIFY;
use sprag_core::{Id, Unit};
use sprag_engine::drive::{Basis, Ended, Judged, Mark, Shown};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::root::{self, Start};
use sprag_engine::tree::Tree;
use sprag_store::Place;

use crate::agent::Stop;
use crate::yard::{Away, MergeError, Merged, Resolving, Worktree, Yard, YardError};
use crate::{RunError, Runner};

/// Where an agent works.
#[derive(Debug)]
pub(crate) enum Ground<'a> {
    /// In the project.
    Here,
    /// In a worktree of its own.
    Apart { yard: &'a Yard, tree: Worktree },
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
        Ok(Self::Apart { yard, tree: yard.take(&name(unit.id.as_str())?)? })
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
        let Self::Apart { yard, tree } = self else { return Ok(Vec::new()) };
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

    /// Returns the person's own files, which nobody who works apart has to do with.
    pub(crate) fn others(&self, engine: &Engine<'_>) -> Option<Tree> {
        match self {
            Self::Here => None,
            Self::Apart { .. } => engine.drive_files(),
        }
    }

    /// Returns what its own worktree has of what the run is judged by.
    pub(crate) fn basis(&self, mark: &Mark) -> Basis {
        match self {
            Self::Here => Basis::new(),
            Self::Apart { tree, .. } => mark.basis_in(tree.root()),
        }
    }

    /// Judges what the agent left, and brings it to the others' work.
    pub(crate) fn bring(
        &self,
        runner: &Runner<'_>,
        stop: &Stop,
        attempt: (&Id, sprag_core::Fence),
        unit: &Unit,
        said: &str,
    ) -> Result<Brought, RunError> {
        let (run, fence) = attempt;
        let engine = runner.engine()?.ended_by(stop);
        let Self::Apart { yard, tree } = self else {
            return Ok(Brought::Judged(engine.drive_end(run, fence, said)?));
        };
        if unit.id == VERIFY {
            engine.drive_bring_report(run, tree.root())?;
        }
        yard.commit(tree, &message(unit, said))?;
        let environment = self.environment(runner);
        let (mut refused, mut shown) = (None, Vec::new());
        let merged = yard.merge(tree, |root| -> Result<bool, RunError> {
            let files = place(root)?;
            let judge = Engine::judging(runner.place, &files, &environment)?.ended_by(stop);
            let foreseen = judge.drive_foresee(run, fence, said)?;
            if is_passed(&foreseen.ended) {
                shown = foreseen.shown;
                return Ok(true);
            }
            // It is judged on the very files that it failed on.
            refused = Some(judge.drive_end(run, fence, said)?);
            Ok(false)
        });
        match merged {
            Ok(Merged::Kept(_)) => self.end(runner, stop, attempt, said, (shown, Some(fence))),
            Ok(Merged::Nothing) => self.end(runner, stop, attempt, said, (shown, None)),
            Ok(Merged::Unproven) => match refused {
                Some(judged) => Ok(Brought::Judged(judged)),
                None => self.end(runner, stop, attempt, said, (shown, None)),
            },
            Ok(Merged::Conflict(_)) => match yard.begin_resolving(tree)? {
                Resolving::Conflict(files) => Ok(Brought::Conflict(files)),
                // The branch went on meanwhile and took the conflict with it.
                Resolving::UpToDate(_) => Ok(Brought::Conflict(Vec::new())),
            },
            Err(MergeError::Yard(error)) => Err(error.into()),
            Err(MergeError::Proof(error)) => Err(error),
        }
    }

    /// Ends the attempt on the files of the run's branch, and clears the ground of what is merged.
    fn end(
        &self,
        runner: &Runner<'_>,
        stop: &Stop,
        (run, fence): (&Id, sprag_core::Fence),
        said: &str,
        (foreseen, merged): (Vec<Shown>, Option<sprag_core::Fence>),
    ) -> Result<Brought, RunError> {
        let Self::Apart { yard, tree } = self else { return Err(RunError::Restless) };
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
        if is_passed(&judged.ended) {
            if merged.is_none() {
                // Whoever was killed after the merge had not noted it.
                note()?;
            }
            // What cannot be put away stays, and `sprag doctor` shows it.
            match yard.put_away(tree) {
                Ok(Away::Gone | Away::Kept { .. }) | Err(_) => {}
            }
        }
        Ok(Brought::Judged(judged))
    }

    /// Returns the files that still hold a conflict, with the agent back on its own branch.
    pub(crate) fn unresolved(&self) -> Result<Vec<PathBuf>, RunError> {
        match self {
            Self::Here => Ok(Vec::new()),
            Self::Apart { yard, tree } => {
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

fn is_passed(ended: &Ended) -> bool {
    match ended {
        // Its gates hold on what it left, and whoever looks again looks at that.
        Ended::Passed { .. } | Ended::Open { .. } => true,
        Ended::Failed { .. }
        | Ended::Unchanged { .. }
        | Ended::Reviewed(_)
        | Ended::Held { .. } => false,
    }
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
fn name(unit: &str) -> Result<Id, RunError> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let text: String = unit.chars().map(plain).take(40).collect();
    let digest = sprag_core::Hash::of(unit).short(6);
    let text = text.trim_matches('-');
    let whole = if text == unit { text.to_owned() } else { format!("{text}-{digest}") };
    let whole = whole.trim_start_matches('-').to_owned();
    let named = Id::parse(&whole).or_else(|_| Id::parse(&format!("u-{digest}")));
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
    use super::*;

    #[test]
    fn a_worktree_is_named_after_its_unit_and_two_units_never_share_one() {
        let name = |unit: &str| name(unit).unwrap();
        assert_eq!(name("t01").as_str(), "t01");
        let (one, two) = (name("T01"), name("#T01"));
        assert!(one.as_str().starts_with("t01-") && two.as_str().starts_with("t01-"));
        assert_ne!(one, two);
        assert!(!name("../..").as_str().contains('.'));
    }
}
