//! Evaluates gates: the engine looks for itself, whatever anybody says.
//!
//! A command runs only where a person approved it. The files are looked at before and after: if
//! they differ, what was found is true of neither, so it is void and tried once more; then nobody
//! knows. Not knowing (no such program, too slow, killed) is never a failure of the agent.

use std::ffi::OsString;
use std::time::Duration;

use sprag_core::{
    BadId, BadPath, Check, Commands, DocPath, EffectId, GateSpec, Hash, ReceiptId, Time, Verdict,
    typed,
};
use sprag_formats::Checks;
use sprag_store::{PathError, Place, Shelf};

use crate::deed::{self, Deed};
use crate::process::Stop;
use crate::project_copy::ProjectCopy;
use crate::receipt::{Asked, Evidence, Found};
use crate::tree::{Tree, TreeError};
use crate::{clock, ids};

mod check;
mod file;
pub mod protect;
#[cfg(test)]
mod tests;

use check::{Checker, Part};

/// How long a command may take when its gate does not say.
pub const LIMIT: Duration = Duration::from_mins(10);

/// Where gates are evaluated, and by whose leave.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// The project.
    pub place: &'a Place,
    /// Our own environment; commands see it without secrets.
    pub environment: &'a [(OsString, OsString)],
    /// What a person agreed to in the project.
    pub deed: &'a Deed,
    /// What the configuration says of commands.
    pub checks: Checks,
    /// What ends a command at once: the gate has then said nothing.
    pub stop: Option<&'a Stop>,
}

/// What a gate came to in a copy of the project.
#[derive(Debug)]
pub(crate) struct FoundInCopy {
    pub(crate) verdict: Verdict,
    pub(crate) exit: Option<i32>,
    pub(crate) why: String,
    pub(crate) ms: u64,
}

/// What came of a gate.
#[derive(Debug)]
pub enum Evaluated {
    /// It was evaluated. The last evidence counts; one before it is void.
    Decided(Vec<Evidence>),
    /// Only a person can decide it.
    Person {
        /// What the person is asked.
        what: String,
    },
    /// A command in it was not approved, so nothing was run.
    Untrusted {
        /// The commands that were not.
        what: Commands,
    },
}

/// Why a gate could not be evaluated and no receipt could be left.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// Nobody knows which files the answer would be true of.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A name that we made is not one.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// A name that we made is not one.
    #[error(transparent)]
    Id(#[from] BadId),
    /// Somebody asked for its end while it ran: it neither passed nor failed.
    #[error("it was interrupted")]
    Interrupted,
}

/// Returns the folder whose turn makes sure that the gates of one working folder run one at a
/// time: take it, look whether the receipt has come meanwhile, and only then evaluate.
pub fn room(place: &Place) -> Result<Shelf, PathError> {
    let own = place.worktree.as_ref().map(|worktree| Hash::of(&worktree.0).short(16));
    let name = own.map_or_else(|| "gates".to_owned(), |own| format!("gates-{own}"));
    Shelf::make_below(&place.state, &format!(".sprag/cache/{name}"))
}

/// What is said of files that change whenever a gate runs: a gate may well write some.
const CHANGES: &str = ", twice; if it writes them, let git ignore them (`.gitignore`) or do not let \
                       it; nobody else may change them then";

impl Bench<'_> {
    /// Evaluates a gate. `receipt` names the first receipt and, as their effect, the gate's
    /// processes; so the caller may have written it down before anything runs. `tree` is the tree as
    /// it was just taken, and then as a command has left it.
    pub fn evaluate(
        &self,
        spec: &GateSpec,
        asked: &Asked,
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

    /// Returns the commands of a check that a person has not approved, as a person reads them.
    pub fn untrusted(&self, check: &Check) -> Commands {
        let all = commands(check).into_iter().filter(|argv| !self.may_run(argv));
        all.map(typed).collect()
    }

    /// Returns whether a command of this project may run. Worktrees share what is approved.
    pub fn may_run(&self, argv: &[String]) -> bool {
        self.covers(deed::digest(argv, "", &[]))
    }

    /// Returns whether a person approved what a digest stands for, and the project lets it run.
    pub fn covers(&self, digest: Hash) -> bool {
        match self.checks {
            Checks::Never => false,
            Checks::Ask | Checks::Allow => self.deed.covers(digest),
        }
    }

    /// Decides a gate in a copy of the project, within `limit`. Whoever lets its commands run in the
    /// project lets them run there.
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
        if self.stop.is_some_and(Stop::is_asked) {
            return Err(GateError::Interrupted);
        }
        let ms = u64::try_from(clock::now().since(started)).unwrap_or(0);
        Ok(FoundInCopy { verdict: part.verdict, exit: part.exit, why: part.why, ms })
    }

    /// Evaluates a gate once.
    fn once(
        &self,
        spec: &GateSpec,
        effect: &EffectId,
        tree: &mut Tree,
        asks: &mut Option<String>,
    ) -> Result<Found, GateError> {
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
        if self.stop.is_some_and(Stop::is_asked) {
            return Err(GateError::Interrupted);
        }
        asks.clone_from(&part.asks);
        let mut found = found(spec, part, started, tree);
        // Without a command there is no time in which the files could change.
        if commands(check).is_empty() {
            return Ok(found);
        }
        let after = Tree::take_unless(self.place, self.environment, self.stop)?;
        let before = std::mem::replace(tree, after);
        let after = &*tree;
        if after.hash() != before.hash() {
            found.tree = after.hash();
            found.protect = protect::fingerprint(after, &spec.protect);
            // What could not run is not known of any files.
            if found.verdict != Verdict::Unknown {
                found.verdict = Verdict::Void;
                found.why = format!("{} changed while it ran", some(&after.changed_since(&before)));
            }
        }
        Ok(found)
    }
}

fn found(spec: &GateSpec, part: Part, started: Time, tree: &Tree) -> Found {
    let check = &spec.gate.check;
    Found {
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

/// Returns every command of a check.
pub fn commands(check: &Check) -> Vec<&[String]> {
    match check {
        Check::Run { argv } => vec![argv],
        Check::All { of } | Check::Any { of } => of.iter().flat_map(commands).collect(),
        Check::File { .. } | Check::Absent { .. } | Check::Content { .. } | Check::Human { .. } => {
            Vec::new()
        }
    }
}

/// Names the first few of many files.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<_> =
        names.iter().take(SHOWN).map(|name| format!("`{}`", name.escape_debug())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Returns a path for a message.
fn shown(path: &DocPath) -> String {
    format!("`{path}`")
}
