//! The reasons why a run is not proven, worst first.

use std::collections::BTreeSet;
use std::fmt;

use super::story::flaky;
use super::{ClaimSource, Evidence, GateLine, ReceiptWorth, Reviewed};
use crate::basis::{ReportedChange, Role};

/// One reason for not being proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnprovenReason {
    /// The folder came from elsewhere, and no part of the run was checked here.
    Elsewhere,
    /// No unit has passed yet.
    Everything,
    /// Gates have this standing.
    Gate(ReceiptWorth),
    /// An agent changed inputs that it is judged by, without a person's consent.
    Doubted,
    /// Texts that sprag kept to compare with are gone, so the change is unknown.
    Forgotten,
    /// Uncommitted edits of a person are gone: no proof brings them back.
    Gone,
    /// An agent left its work on a branch that is not checked out, or in `git stash`.
    Away,
    /// There are too many files to check that all are still present.
    Unseen,
    /// Gates run more scripts, or larger ones, than sprag compares.
    Unfollowed,
    /// Files that a gate runs were changed, so the author of the change decides what passes.
    Rewritten,
    /// The gate passed without any change, so its pass does not depend on the work.
    Untouched,
    /// The guard's gates hold every session here, but this run is judged by its own gates.
    Unguarded,
    /// The result of a gate does not depend on the files alone.
    Flaky,
    /// Receipts differ from the journal.
    Doubts,
    /// A person accepted the work despite findings.
    Accepted,
    /// An agent refused findings, and no later review settled them.
    Refused,
    /// A unit ended by a mere claim.
    Ungated,
    /// Gates passed, but claims remain.
    Judged,
    /// No gate judged anything.
    Unchecked,
    /// All gates so far pass, but work is left.
    Left,
}

impl UnprovenReason {
    /// Returns the words for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Elsewhere => "everything: nothing of it was checked here",
            Self::Everything => "everything: no unit has passed yet",
            Self::Gate(standing) => standing.as_str(),
            Self::Doubted => "the agent changed what the gates depend on",
            Self::Forgotten => "a record of sprag is missing, so changes may be hidden",
            Self::Gone => "your uncommitted edits are gone",
            Self::Away => "the work is not in these files",
            Self::Unseen => "not committed, and too many to look at",
            Self::Unfollowed => "it runs more than sprag can compare",
            Self::Rewritten => "changed although a gate runs it",
            Self::Untouched => "no file changed, and it passed before",
            Self::Unguarded => "gates of the guard that this run does not ask",
            Self::Flaky => "failed and passed on the same files",
            Self::Doubts => "receipts that do not count",
            Self::Accepted => "accepted by a person",
            Self::Refused => "refused findings",
            Self::Ungated => "no gate, only claimed",
            Self::Judged => "claims that no gate looks at",
            Self::Unchecked => "nothing was checked",
            Self::Left => "what is left to do",
        }
    }

    /// Returns whether a person must look before a finished run counts as successful: it ends with
    /// exit code 3.
    pub const fn needs_person(self) -> bool {
        match self {
            Self::Doubted | Self::Forgotten | Self::Gone | Self::Away => true,
            Self::Elsewhere
            | Self::Everything
            | Self::Gate(_)
            | Self::Unseen
            | Self::Unfollowed
            | Self::Rewritten
            | Self::Untouched
            | Self::Unguarded
            | Self::Flaky
            | Self::Doubts
            | Self::Accepted
            | Self::Refused
            | Self::Ungated
            | Self::Judged
            | Self::Unchecked
            | Self::Left => false,
        }
    }
}

/// A reason for not being proven, with everything it applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproven {
    /// The reason.
    pub what: UnprovenReason,
    /// The number of names.
    pub count: usize,
    /// The affected names, each once.
    pub names: Vec<String>,
}

impl Unproven {
    /// Maximum number of names per line.
    pub const NAMED: usize = 8;

    pub(super) const fn bare(what: UnprovenReason) -> Self {
        Self { what, count: 0, names: Vec::new() }
    }

    /// Creates an entry; `None` if there are no names.
    pub fn new(what: UnprovenReason, names: Vec<String>) -> Option<Self> {
        (!names.is_empty()).then_some(Self { what, count: names.len(), names })
    }

    /// Formats it with a number instead of the names.
    pub fn short(&self) -> String {
        match self.count {
            0 => self.what.as_str().to_owned(),
            count => format!("{}: {count}", self.what.as_str()),
        }
    }

    /// Formats it with a few names, or with a number.
    pub fn brief(&self) -> String {
        if self.names.len() > Self::NAMED { self.short() } else { self.to_string() }
    }

    /// Returns whether the reason is an agent's claim.
    pub fn is_claim(&self) -> bool {
        matches!(self.what, UnprovenReason::Ungated | UnprovenReason::Judged)
    }

    /// Returns whether no unit has passed yet.
    pub fn is_everything(&self) -> bool {
        self.what == UnprovenReason::Everything
    }
}

impl fmt::Display for Unproven {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, names) = (self.what.as_str(), self.names.join(", "));
        match self.count {
            0 => write!(out, "{what}"),
            _ if self.names.is_empty() => write!(out, "{}", self.short()),
            count if count > self.names.len() => {
                write!(out, "{what}: {count} ({names})")
            }
            _ => write!(out, "{what}: {names}"),
        }
    }
}

/// Returns all unproven parts of a run; `has_units` is false if gates are its only evidence.
pub(super) fn of(evidence: &Evidence, has_units: bool) -> Vec<Unproven> {
    let of = |standing: ReceiptWorth| {
        let names = evidence.gates.standing(standing).map(GateLine::name).collect();
        Unproven::new(UnprovenReason::Gate(standing), names)
    };
    let is_new = !evidence.is_done() && evidence.passed == 0 && has_units;
    let mut all: Vec<_> =
        is_new.then_some(Unproven::bare(UnprovenReason::Everything)).into_iter().collect();
    // If no unit has passed, unchecked gates are not worth mentioning.
    let kept = |one: &ReceiptWorth| !is_new || *one != ReceiptWorth::Missing;
    all.extend(ReceiptWorth::UNPROVEN.into_iter().filter(kept).filter_map(of));
    let is_record = |one: &&ReportedChange| one.role == Role::Memory;
    let (forgotten, doubted): (Vec<_>, Vec<_>) = evidence.doubted.iter().partition(is_record);
    let paths = |all: Vec<&ReportedChange>| all.iter().map(|one| one.path.clone()).collect();
    all.extend(Unproven::new(UnprovenReason::Doubted, paths(doubted)));
    all.extend(Unproven::new(UnprovenReason::Forgotten, paths(forgotten)));
    all.extend(evidence.weak.iter().cloned());
    all.extend(Unproven::new(UnprovenReason::Flaky, flaky(&evidence.gates.receipts)));
    let forged = evidence.doubts.iter().map(|doubt| doubt.id.clone()).collect();
    all.extend(Unproven::new(UnprovenReason::Doubts, forged));
    let accepted = evidence.reviews.iter().filter(|review| review.is_accepted());
    all.extend(Unproven::new(UnprovenReason::Accepted, accepted.map(Reviewed::name).collect()));
    all.extend(Unproven::new(UnprovenReason::Refused, refused(&evidence.reviews)));
    let mut claimed: Vec<_> = evidence.units(ClaimSource::Ungated).map(str::to_owned).collect();
    // A unit that was begun again counts once.
    let mut known = BTreeSet::new();
    claimed.retain(|unit| known.insert(unit.clone()));
    let is_empty = evidence.gates.lines.is_empty() && claimed.is_empty();
    all.extend(Unproven::new(UnprovenReason::Ungated, claimed));
    let judged: Vec<_> = evidence.units(ClaimSource::Judged).map(str::to_owned).collect();
    let units = judged.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    let judged =
        Unproven::new(UnprovenReason::Judged, judged).map(|all| Unproven { names: units, ..all });
    if is_empty && judged.is_none() && !is_new {
        all.push(Unproven::bare(UnprovenReason::Unchecked));
    }
    all.extend(judged);
    // All gates so far may pass while work is left.
    if all.is_empty() && !evidence.is_done() {
        all.push(Unproven::bare(UnprovenReason::Left));
    }
    all
}

/// Returns the unsettled findings that agents refused: those of the last review of each phase.
fn refused(reviews: &[Reviewed]) -> Vec<String> {
    let is_last = |(at, one): &(usize, &Reviewed)| {
        !reviews.iter().skip(at + 1).any(|later| later.ended.phase == one.ended.phase)
    };
    let last = reviews.iter().enumerate().filter(is_last);
    last.flat_map(|(_, review)| review.refused()).collect()
}
