//! What keeps a run from being proven, the worst first.

use std::collections::BTreeSet;
use std::fmt;

use super::story::flaky;
use super::{GateLine, Report, Reviewed, Source, Standing};

/// One way of not being proven, and all that is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproven {
    /// What is the matter with them.
    pub what: &'static str,
    /// How many there are.
    pub count: usize,
    /// What they are called, each once.
    pub names: Vec<String>,
    lack: Lack,
}

/// What kind of proof is missing, where that decides something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lack {
    /// Nothing stands behind it but an agent's word.
    Claim,
    /// Nothing has passed yet.
    Everything,
    Other,
}

/// How flaky gates are called: what they say is not only about the files.
pub const FLAKY: &str = "failed and passed on the same files";

impl Unproven {
    /// So many are named in a line.
    pub const NAMED: usize = 8;

    const fn bare(what: &'static str) -> Self {
        Self { what, count: 0, names: Vec::new(), lack: Lack::Other }
    }

    fn everything() -> Self {
        Self { lack: Lack::Everything, ..Self::bare("everything: no unit has passed yet") }
    }

    pub(super) fn new(what: &'static str, names: Vec<String>) -> Option<Self> {
        let lack = Lack::Other;
        (!names.is_empty()).then_some(Self { what, count: names.len(), names, lack })
    }

    /// Makes one that is counted and not named.
    pub(super) fn counted(what: &'static str, count: usize) -> Self {
        Self { count, ..Self::bare(what) }
    }

    fn claims(what: &'static str, names: Vec<String>) -> Option<Self> {
        Self::new(what, names).map(|all| Self { lack: Lack::Claim, ..all })
    }

    /// Returns the same with a number in the place of the names.
    pub fn short(&self) -> String {
        match self.count {
            0 => self.what.to_owned(),
            count => format!("{}: {count}", self.what),
        }
    }

    /// Returns the same with a few names, or a number.
    pub fn brief(&self) -> String {
        if self.names.len() > Self::NAMED { self.short() } else { self.to_string() }
    }

    /// Returns whether an agent's word is all that is the matter.
    pub fn is_claim(&self) -> bool {
        self.lack == Lack::Claim
    }

    /// Returns whether it is all that there is to do.
    pub fn is_everything(&self) -> bool {
        self.lack == Lack::Everything
    }
}

impl fmt::Display for Unproven {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names.join(", ");
        match self.count {
            0 => write!(out, "{}", self.what),
            _ if self.names.is_empty() => write!(out, "{}", self.short()),
            count if count > self.names.len() => {
                write!(out, "{}: {count} ({names})", self.what)
            }
            _ => write!(out, "{}: {names}", self.what),
        }
    }
}

/// Returns everything of a run that is not proven.
pub(super) fn of(report: &Report) -> Vec<Unproven> {
    let of = |standing: Standing| {
        let names = report.standing(standing).map(GateLine::name).collect();
        Unproven::new(standing.as_str(), names)
    };
    // A guard has no units: its gates say all of it.
    let is_new = !report.is_done() && report.story.passed == 0 && report.source != "guard";
    let mut all: Vec<_> = is_new.then_some(Unproven::everything()).into_iter().collect();
    // Of everything it need not be said that it was never checked.
    let kept = |one: &Standing| !is_new || *one != Standing::Missing;
    all.extend(Standing::UNPROVEN.into_iter().filter(kept).filter_map(of));
    all.extend(report.weak.iter().cloned());
    all.extend(Unproven::new(FLAKY, flaky(&report.receipts)));
    let forged = report.doubts.iter().map(|doubt| doubt.id.clone()).collect();
    all.extend(Unproven::new("receipts that do not count", forged));
    let accepted = report.story.reviews.iter().filter(|review| review.is_accepted());
    all.extend(Unproven::new("accepted by a person", accepted.map(Reviewed::name).collect()));
    all.extend(Unproven::new("refused findings", refused(report)));
    let mut claimed: Vec<_> = report.story.ungated().map(str::to_owned).collect();
    // A unit that was begun again is one.
    let mut known = BTreeSet::new();
    claimed.retain(|unit| known.insert(unit.clone()));
    let is_empty = report.gates.is_empty() && claimed.is_empty();
    all.extend(Unproven::claims("no gate, only claimed", claimed));
    let judged: Vec<_> = report.story.units(Source::Judged).map(str::to_owned).collect();
    let units = judged.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    let judged = Unproven::claims("claims that no gate looks at", judged)
        .map(|all| Unproven { names: units, ..all });
    if is_empty && judged.is_none() && !is_new {
        all.push(Unproven::bare("nothing was checked"));
    }
    all.extend(judged);
    // All gates of what there was may hold, and there is more to come.
    if all.is_empty() && !report.is_done() {
        all.push(Unproven::bare("what is left to do"));
    }
    all
}

/// Returns the findings that agents refused and nobody settled since: the last review of a phase
/// knows.
fn refused(report: &Report) -> Vec<String> {
    let reviews = &report.story.reviews;
    let is_last = |(at, one): &(usize, &Reviewed)| {
        !reviews.iter().skip(at + 1).any(|later| later.ended.phase == one.ended.phase)
    };
    let last = reviews.iter().enumerate().filter(is_last);
    last.flat_map(|(_, review)| review.refused()).collect()
}
