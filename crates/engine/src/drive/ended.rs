//! How an attempt ended, for the driver and for people.

use sprag_core::basis::InputKeys;
use sprag_core::reporting::UnitEvidence;
use sprag_core::{Hold, ReceiptId, Verdict};

use super::Limited;
use crate::agents_file::Tally;
use crate::engine::kind::ReviewResult;
use crate::judge::Known;

/// The result of an attempt, with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub end: UnitEnd,
    /// The gates evaluated for it, in order.
    pub shown: Vec<GateShown>,
}

/// How a turn at a unit ended: judged, lost, or not over yet.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitEnd {
    /// All its gates pass.
    Passed(UnitEvidence),
    /// Its gates pass but its goal is not reached: a verification found gaps, for example.
    Open {
        why: String,
    },
    /// A gate failed, or the agent reports failure.
    Failed {
        why: String,
    },
    /// Its gates pass, but the agent changed their inputs and gets one chance to undo that.
    SentBack {
        /// The changed inputs.
        inputs: InputKeys,
    },
    /// It failed before and no file has changed since; the attempt continues.
    Unchanged {
        why: String,
        /// Whether the gate's output differs from that in the agent's prompt: a gate may depend on
        /// more than files.
        is_news: bool,
    },
    Reviewed(ReviewResult),
    /// It waits for a person.
    Held {
        hold: Hold,
    },
    /// The attempt is lost and there is nothing to judge.
    Lost {
        /// How its agent ended.
        why: String,
        /// How many attempts of its unit were lost in a row. Set if the agent ended on its own,
        /// because the cause may be temporary.
        in_a_row: Option<u32>,
    },
    /// The host is limited for now; the attempt is not over.
    Limited(Limited),
    /// The agent never ran; the attempt is returned, unless only this host may work on it.
    NotStarted {
        why: String,
    },
    /// A person interrupted the agent, or the run was held; the attempt is not over.
    Stopped,
}

impl UnitEnd {
    /// Returns whether the work may be merged.
    pub const fn is_through(&self) -> bool {
        match self {
            // The gates pass on its files, and a later verification looks at them again.
            Self::Passed(_) | Self::Open { .. } => true,
            Self::Failed { .. }
            | Self::SentBack { .. }
            | Self::Unchanged { .. }
            | Self::Reviewed(_)
            | Self::Held { .. }
            | Self::Lost { .. }
            | Self::Limited(_)
            | Self::NotStarted { .. }
            | Self::Stopped => false,
        }
    }

    /// Adds claims that depend on the agent's word alone to the evidence.
    pub(super) fn but(mut self, word: Vec<String>) -> Self {
        if let Self::Passed(evidence) = &mut self {
            evidence.but(word);
        }
        self
    }
}

/// The result of one gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateShown {
    pub gate: String,
    pub verdict: Verdict,
    /// One line of reason.
    pub why: String,
    /// The duration in milliseconds.
    pub ms: u64,
    pub on: EvaluatedOn,
}

/// The files that a gate was evaluated on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluatedOn {
    /// The project's files.
    Project {
        receipt: ReceiptId,
        /// The shortened hash of the files.
        tree: String,
    },
    /// A copy with the earlier version of the tests: a second look.
    EarlierTests,
}

/// Returns the gates evaluated just now, followed by the second looks.
pub(super) fn shown(known: &Known) -> Vec<GateShown> {
    let show = |evidence: &crate::receipt::Evidence| {
        let record = &evidence.record;
        GateShown {
            gate: record.gate.clone(),
            verdict: record.verdict,
            why: record.why.clone(),
            ms: record.ms,
            on: EvaluatedOn::Project { receipt: record.id.clone(), tree: record.tree.short(7) },
        }
    };
    let looks = known.looks.found().map(|found| GateShown {
        gate: found.gate.clone(),
        verdict: found.verdict.unwrap_or(Verdict::Unknown),
        why: found.why.clone().unwrap_or_default(),
        ms: found.ms,
        on: EvaluatedOn::EarlierTests,
    });
    known.evidence.iter().map(show).chain(looks).collect()
}

impl Tally {
    /// Counts one end of an attempt.
    pub(super) fn count(&mut self, end: &UnitEnd) {
        match end {
            UnitEnd::Passed(evidence) => {
                let is_proven = evidence.is_proven();
                let units = if is_proven { &mut self.proven } else { &mut self.claimed };
                *units = units.saturating_add(1);
                let gates = u32::try_from(evidence.gates).unwrap_or(u32::MAX);
                self.gates = self.gates.saturating_add(gates);
            }
            UnitEnd::Failed { .. } | UnitEnd::SentBack { .. } | UnitEnd::Unchanged { .. } => {
                self.refused = self.refused.saturating_add(1);
            }
            UnitEnd::Open { .. }
            | UnitEnd::Held { .. }
            | UnitEnd::Reviewed(_)
            | UnitEnd::Lost { .. }
            | UnitEnd::Limited(_)
            | UnitEnd::NotStarted { .. }
            | UnitEnd::Stopped => {}
        }
    }
}
