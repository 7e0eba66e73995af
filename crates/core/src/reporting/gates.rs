//! Every gate of a run with the last receipt it left, and what that is worth on the files as they
//! are now.

use std::collections::BTreeMap;

use super::{Material, Slip};
use crate::Verdict;

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
    /// It has left no receipt.
    Missing,
}

impl Standing {
    /// What keeps a run from being proven, the worst first.
    pub const UNPROVEN: [Self; 5] =
        [Self::Fails, Self::Unknown, Self::Missing, Self::Waived, Self::Stale];

    /// Returns the words for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds now",
            Self::Stale => "passed on other files",
            Self::Agreed => "agreed",
            Self::Waived => "waived",
            Self::Fails => "fails",
            Self::Unknown => "could not run",
            Self::Missing => "never checked",
        }
    }
}

/// Returns the gates in the order in which they were first evaluated, then those that never were.
pub(super) fn standing(material: &Material) -> Vec<GateLine> {
    let mut lines: Vec<GateLine> = Vec::new();
    let mut known: BTreeMap<(Option<&str>, &str), usize> = BTreeMap::new();
    let new = |phase: Option<&str>, gate: &str| GateLine {
        phase: phase.map(str::to_owned),
        gate: gate.to_owned(),
        standing: Standing::Missing,
        last: None,
        times: 0,
    };
    for slip in &material.slips {
        let (phase, gate) = (slip.phase.as_deref(), slip.receipt.gate.as_str());
        let at = *known.entry((phase, gate)).or_insert(lines.len());
        if at == lines.len() {
            lines.push(new(phase, gate));
        }
        let line = &mut lines[at];
        line.times += 1;
        // A void one says nothing.
        if slip.receipt.verdict != Verdict::Void {
            line.standing = worth(material, slip);
            line.last = Some(slip.clone());
        }
    }
    for gate in &material.asked {
        if !lines.iter().any(|line| line.gate == *gate) {
            lines.push(new(None, gate));
        }
    }
    lines
}

fn worth(material: &Material, slip: &Slip) -> Standing {
    match slip.receipt.verdict {
        Verdict::Pass if slip.kind == "human" => Standing::Agreed,
        Verdict::Pass if material.tree == Some(slip.receipt.tree) => Standing::Holds,
        Verdict::Pass => Standing::Stale,
        Verdict::Fail => Standing::Fails,
        Verdict::Waived => Standing::Waived,
        Verdict::Unknown | Verdict::Void => Standing::Unknown,
    }
}
