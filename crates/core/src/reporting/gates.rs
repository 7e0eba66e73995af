//! Every gate of a run with the last receipt it left, and what that is worth on the files as they
//! are now.

use std::collections::BTreeMap;

use super::{Fact, Slip};
use crate::{CheckKind, Event, Hash, Verdict};

/// A gate and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateLine {
    /// The phase or unit it is of.
    pub phase: Option<String>,
    /// Its name.
    pub gate: String,
    /// What it is worth now.
    pub standing: Standing,
    /// Its last receipt that counts.
    pub last: Option<Slip>,
    /// How often it was evaluated.
    pub times: usize,
}

impl GateLine {
    /// Returns its name with that of its phase.
    pub fn name(&self) -> String {
        match &self.phase {
            Some(phase) => format!("{phase}/{}", self.gate),
            None => self.gate.clone(),
        }
    }

    /// Returns whether a person let it through, and this proves nothing more.
    fn is_waived(&self, found: Standing) -> bool {
        let proves = match found {
            Standing::Holds | Standing::Stale | Standing::Agreed | Standing::Waived => true,
            Standing::Fails | Standing::Unknown | Standing::Uncounted | Standing::Missing => false,
        };
        self.standing == Standing::Waived && !proves
    }
}

/// What the last receipt of a gate is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It passed on the files as they are now.
    Holds,
    /// It passed, and the files changed since.
    Stale,
    /// A person agreed.
    Agreed,
    /// A person let it through.
    Waived,
    /// It failed.
    Fails,
    /// It could not be evaluated.
    Unknown,
    /// It passed on the files as they are now, but a protected file or its definition was changed.
    Uncounted,
    /// It has left no receipt.
    Missing,
}

impl Standing {
    /// What keeps a run from being proven, the worst first.
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

/// Returns the gates in the order in which they were first evaluated, then those that never were.
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
        standing: Standing::Missing,
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
        // A void one says nothing, and a look at what was let through does not undo that.
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

/// Returns whether somebody worked on what a gate is of after its last receipt was left.
pub(super) fn is_begun_again(facts: &[Fact], line: &GateLine) -> bool {
    let id = line.last.as_ref().map(|last| last.id.as_str());
    let is_last = |fact: &&Fact| matches!(&fact.event, Event::GateReceipt(left) if Some(left.id.as_str()) == id);
    // What ends by a waiver may be begun for that, at the same moment.
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

fn worth(slip: &Slip, is_now: impl Fn(Hash) -> bool) -> Standing {
    match slip.receipt.verdict {
        Verdict::Pass if slip.kind == CheckKind::Human => Standing::Agreed,
        Verdict::Pass if is_now(slip.receipt.tree) => Standing::Holds,
        Verdict::Pass => Standing::Stale,
        Verdict::Fail => Standing::Fails,
        Verdict::Waived => Standing::Waived,
        Verdict::Unknown | Verdict::Void => Standing::Unknown,
    }
}
