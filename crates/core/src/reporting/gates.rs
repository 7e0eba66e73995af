//! Every gate of a run with its last receipt, and the receipt's worth for the current files.

use std::collections::BTreeMap;

use super::{Fact, Slip};
use crate::{CheckKind, Event, Hash, Verdict};

/// A gate with its receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateLine {
    /// Its phase or unit.
    pub phase: Option<String>,
    pub gate: String,
    /// Its current worth.
    pub standing: ReceiptWorth,
    /// Its last receipt that counts.
    pub last: Option<Slip>,
    /// The number of evaluations.
    pub times: usize,
}

impl GateLine {
    /// Returns its name, prefixed with the phase.
    pub fn name(&self) -> String {
        match &self.phase {
            Some(phase) => format!("{phase}/{}", self.gate),
            None => self.gate.clone(),
        }
    }

    /// Returns whether a person waived it and `found` does not prove more.
    fn is_waived(&self, found: ReceiptWorth) -> bool {
        let proves = match found {
            ReceiptWorth::Holds
            | ReceiptWorth::Stale
            | ReceiptWorth::Agreed
            | ReceiptWorth::Waived => true,
            ReceiptWorth::Fails
            | ReceiptWorth::Unknown
            | ReceiptWorth::Uncounted
            | ReceiptWorth::Missing => false,
        };
        self.standing == ReceiptWorth::Waived && !proves
    }
}

/// The worth of a gate's last receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptWorth {
    /// It passed on the current files.
    Holds,
    /// It passed, and the files have changed since.
    Stale,
    /// A person agreed.
    Agreed,
    /// A person waived it.
    Waived,
    Fails,
    /// It could not be evaluated.
    Unknown,
    /// It passed on the current files, but a protected file or its definition was changed.
    Uncounted,
    /// It has no receipt.
    Missing,
}

impl ReceiptWorth {
    /// The standings that keep a run from being proven, worst first.
    pub const UNPROVEN: [Self; 6] =
        [Self::Fails, Self::Unknown, Self::Uncounted, Self::Missing, Self::Waived, Self::Stale];

    /// Returns the words for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds now",
            Self::Stale => "passed on other files",
            Self::Agreed => "agreed",
            Self::Waived => "waived",
            Self::Fails => "fails",
            Self::Unknown => "could not run",
            Self::Uncounted => "passes, not counted",
            Self::Missing => "never checked",
        }
    }
}

/// Returns the gates in the order of first evaluation, then those never evaluated.
pub(super) fn lines(
    slips: &[Slip],
    is_now: impl Fn(Hash) -> bool,
    asked: &[String],
    is_begun_again: impl Fn(&GateLine) -> bool,
) -> Vec<GateLine> {
    let mut lines: Vec<GateLine> = Vec::new();
    let mut known: BTreeMap<(Option<&str>, &str), usize> = BTreeMap::new();
    let new = |phase: Option<&str>, gate: &str| GateLine {
        phase: phase.map(str::to_owned),
        gate: gate.to_owned(),
        standing: ReceiptWorth::Missing,
        last: None,
        times: 0,
    };
    for slip in slips {
        let (phase, gate) = (slip.phase.as_deref(), slip.receipt.gate.as_str());
        let at = *known.entry((phase, gate)).or_insert(lines.len());
        if at == lines.len() {
            lines.push(new(phase, gate));
        }
        let line = &mut lines[at];
        line.times += 1;
        // A void receipt is meaningless, and a mere look does not undo a waiver.
        let standing = worth(slip, &is_now);
        let is_look = || line.is_waived(standing) && !is_begun_again(line);
        if slip.receipt.verdict != Verdict::Void && !is_look() {
            line.standing = standing;
            line.last = Some(slip.clone());
        }
    }
    for gate in asked {
        if !lines.iter().any(|line| line.gate == *gate) {
            lines.push(new(None, gate));
        }
    }
    lines
}

/// Returns whether an agent worked on a gate's unit after its last receipt.
pub(super) fn is_begun_again(facts: &[Fact], line: &GateLine) -> bool {
    let id = line.last.as_ref().map(|last| last.id.as_str());
    let is_last = |fact: &&Fact| matches!(&fact.event, Event::GateReceipt(left) if Some(left.id.as_str()) == id);
    // A unit may begin only to end by a waiver, at the same moment.
    let since = facts.iter().find(is_last).map(|fact| fact.at);
    let is_of = |unit: &str| {
        let named = unit.rsplit_once('/').map_or(unit, |(_, name)| name);
        let Some(phase) = &line.phase else { return true };
        named.strip_prefix(phase.as_str()).is_some_and(|on| on.is_empty() || on.starts_with(" fix"))
    };
    let later = facts.iter().filter(|fact| fact.own && Some(fact.at) > since);
    later
        .into_iter()
        .any(|fact| matches!(&fact.event, Event::AttemptBegan(began) if is_of(&began.unit)))
}

fn worth(slip: &Slip, is_now: impl Fn(Hash) -> bool) -> ReceiptWorth {
    match slip.receipt.verdict {
        Verdict::Pass if slip.kind == CheckKind::Human => ReceiptWorth::Agreed,
        Verdict::Pass if is_now(slip.receipt.tree) => ReceiptWorth::Holds,
        Verdict::Pass => ReceiptWorth::Stale,
        Verdict::Fail => ReceiptWorth::Fails,
        Verdict::Waived => ReceiptWorth::Waived,
        Verdict::Unknown | Verdict::Void => ReceiptWorth::Unknown,
    }
}
