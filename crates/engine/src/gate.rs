//! Evaluates gates: the engine checks for itself and takes no one's word.
//!
//! A command runs only if a person approved it. The files are scanned before and after: if they
//! differ, the result holds for neither state, so it is void and the gate runs once more; after
//! that the verdict is unknown. An unknown verdict (program missing, too slow, killed) is never the
//! agent's failure.

use std::ffi::OsString;
use std::time::Duration;

use sprag_core::{
    BadId, BadPath, Check, Commands, EffectId, GateSpec, Hash, ReceiptId, Time, Verdict, typed,
};
use sprag_formats::Checks;
use sprag_store::{CacheDir, PathError, Place};
use sprag_world::gates::{CheckOutcome, Checker, protect};
use sprag_world::process::StopHandle;
use sprag_world::project_copy::ProjectCopy;
use sprag_world::tree::{Tree, TreeError};
use sprag_world::trust::{self, Deed};
use sprag_world::{clock, ids};

use crate::receipt::{Evidence, GateOrigin, GateResult};

#[cfg(test)]
mod tests;

/// The time limit of a command whose gate sets none.
pub const LIMIT: Duration = Duration::from_mins(10);

/// Runs gates in one folder under one person's approvals.
#[derive(Clone, Copy, Debug)]
pub struct GateRunner<'a> {
    pub place: &'a Place,
    /// Our own environment; commands get it without secrets.
    pub environment: &'a [(OsString, OsString)],
    /// The commands that a person approved in the project.
    pub deed: &'a Deed,
    /// The setting that allows or forbids commands.
    pub checks: Checks,
    /// Ends a running command at once; the gate then has no result.
    pub stop: Option<&'a StopHandle>,
}

/// The result of a gate in a copy of the project.
#[derive(Debug)]
pub(crate) struct FoundInCopy {
    pub(crate) verdict: Verdict,
    pub(crate) exit: Option<i32>,
    pub(crate) why: String,
    pub(crate) ms: u64,
}

/// The result of evaluating a gate.
#[derive(Debug)]
pub enum Evaluated {
    /// The evidence of each try: the last counts, an earlier one is void.
    Decided(Vec<Evidence>),
    Person {
        /// The question for the person.
        what: String,
    },
    /// A command in it is not approved, so nothing ran.
    Untrusted {
        /// The commands that are not approved.
        what: Commands,
    },
}

/// Why a gate could not be evaluated and left no receipt.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// The files could not be listed, so a result would be about unknown files.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A path that we built is invalid.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// An id that we built is invalid.
    #[error(transparent)]
    Id(#[from] BadId),
    /// The gate was interrupted on request: it neither passed nor failed.
    #[error("it was interrupted")]
    Interrupted,
}

/// Returns the folder whose lock makes the gates of one working folder run one at a time. Take the
/// lock, check whether the receipt has arrived meanwhile, and only then evaluate.
pub fn room(place: &Place) -> Result<CacheDir, PathError> {
    let own = place.worktree.as_ref().map(|worktree| Hash::of(&worktree.0).short(16));
    let name = own.map_or_else(|| "gates".to_owned(), |own| format!("gates-{own}"));
    CacheDir::make_below(&place.state, &format!(".sprag/cache/{name}"))
}

/// Advice for files that change every time a gate runs: the gate itself may write them.
const CHANGES: &str = ", twice; if it writes them, let git ignore them (`.gitignore`) or do not let \
                       it; nobody else may change them then";

impl GateRunner<'_> {
    /// Evaluates a gate. `receipt` is the id of the first receipt and also the effect id of the
    /// gate's processes, so the caller may record it before anything runs. `tree` is the latest
    /// scan of the files; it is replaced by the scan after the command.
    pub fn evaluate(
        &self,
        spec: &GateSpec,
        asked: &GateOrigin,
        receipt: &ReceiptId,
        tree: &mut Tree,
    ) -> Result<Evaluated, GateError> {
        if let Check::Human { what } = &spec.gate.check {
            return Ok(Evaluated::Person { what: what.clone() });
        }
        let untrusted = self.untrusted(&spec.gate.check);
        if !untrusted.is_empty() {
            return Ok(Evaluated::Untrusted { what: untrusted });
        }
        let effect = &receipt.effect();
        let mut asks = None;
        let found = self.once(spec, effect, tree, &mut asks)?;
        if let Some(what) = asks {
            return Ok(Evaluated::Person { what });
        }
        let first = Evidence::new(receipt.clone(), asked, found)?;
        if !is_void(&first) {
            return Ok(Evaluated::Decided(vec![first]));
        }
        let mut found = self.once(spec, effect, tree, &mut asks)?;
        if found.verdict == Verdict::Void {
            found.verdict = Verdict::Unknown;
            found.why.push_str(CHANGES);
        }
        let second = Evidence::new(ids::receipt()?, asked, found)?;
        Ok(Evaluated::Decided(vec![first, second]))
    }

    /// Returns the commands of a check that a person has not approved, formatted for display.
    pub fn untrusted(&self, check: &Check) -> Commands {
        let all = commands(check).into_iter().filter(|argv| !self.may_run(argv));
        all.map(typed).collect()
    }

    /// Returns whether a command of this project may run. All worktrees share the approvals.
    pub fn may_run(&self, argv: &[String]) -> bool {
        self.covers(trust::digest(argv, "", &[]))
    }

    /// Returns whether a digest is approved and the project allows commands to run.
    pub fn covers(&self, digest: Hash) -> bool {
        match self.checks {
            Checks::Never => false,
            Checks::Ask | Checks::Allow => self.deed.covers(digest),
        }
    }

    /// Evaluates a gate in a copy of the project, within `limit`. The approvals of the project hold
    /// for the copy as well.
    pub(crate) fn evaluate_in(
        &self,
        copy: &ProjectCopy,
        spec: &GateSpec,
        effect: &EffectId,
        limit: Duration,
    ) -> Result<FoundInCopy, GateError> {
        let started = clock::now();
        let checker = Checker {
            root: copy.folder(),
            environment: copy.environment(),
            effect,
            limit: limit.min(spec.timeout.unwrap_or(LIMIT)),
            stop: self.stop,
        };
        let part = checker.check(&spec.gate.check);
        if self.stop.is_some_and(StopHandle::is_asked) {
            return Err(GateError::Interrupted);
        }
        let ms = u64::try_from(clock::now().since(started)).unwrap_or(0);
        Ok(FoundInCopy { verdict: part.verdict, exit: part.exit, why: part.why, ms })
    }

    fn once(
        &self,
        spec: &GateSpec,
        effect: &EffectId,
        tree: &mut Tree,
        asks: &mut Option<String>,
    ) -> Result<GateResult, GateError> {
        let check = &spec.gate.check;
        let started = clock::now();
        let checker = Checker {
            root: &self.place.root,
            environment: self.environment,
            effect,
            limit: spec.timeout.unwrap_or(LIMIT),
            stop: self.stop,
        };
        let part = checker.check(check);
        if self.stop.is_some_and(StopHandle::is_asked) {
            return Err(GateError::Interrupted);
        }
        asks.clone_from(&part.asks);
        let mut found = found(spec, part, started, tree);
        // Without a command, the files have no time to change.
        if commands(check).is_empty() {
            return Ok(found);
        }
        let after = Tree::take_unless(self.place, self.environment, self.stop)?;
        let before = std::mem::replace(tree, after);
        let after = &*tree;
        if after.hash() != before.hash() {
            found.tree = after.hash();
            found.protect = protect::fingerprint(after, &spec.protect);
            // A command that could not run proves nothing about any files.
            if found.verdict != Verdict::Unknown {
                found.verdict = Verdict::Void;
                found.why = format!("{} changed while it ran", some(&after.changed_since(&before)));
            }
        }
        Ok(found)
    }
}

fn found(spec: &GateSpec, part: CheckOutcome, started: Time, tree: &Tree) -> GateResult {
    let check = &spec.gate.check;
    GateResult {
        gate: spec.gate.name.clone(),
        kind: check.kind(),
        argv: check.argv().cloned(),
        started,
        ms: u64::try_from(clock::now().since(started)).unwrap_or(0),
        exit: part.exit,
        verdict: part.verdict,
        why: part.why,
        output: part.output,
        tree: tree.hash(),
        protect: protect::fingerprint(tree, &spec.protect),
    }
}

fn is_void(evidence: &Evidence) -> bool {
    evidence.record.verdict == Verdict::Void
}

/// Returns every command of a check and its parts.
pub fn commands(check: &Check) -> Vec<&[String]> {
    check.commands()
}

/// Lists the first few files by name and counts the rest.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<_> =
        names.iter().take(SHOWN).map(|name| format!("`{}`", name.escape_debug())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
