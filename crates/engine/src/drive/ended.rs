//! How an attempt ended, for whoever drives and whoever sees it.

use sprag_core::basis::InputKeys;
use sprag_core::reporting::UnitEvidence;
use sprag_core::{Hold, ReceiptId, Verdict};

use super::Limited;
use super::review::Reviewed;
use crate::judge::Known;

/// How an attempt ended, and what was found out for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How.
    pub end: UnitEnd,
    /// What the gates said now, in order.
    pub shown: Vec<Shown>,
}

/// How a turn at a unit ended: judged, lost, or not over yet.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitEnd {
    /// Nothing speaks against it.
    Passed(UnitEvidence),
    /// Its gates hold, and what it looked at is not done: a verification that found gaps, say.
    Open {
        /// What is missing.
        why: String,
    },
    /// A gate, or the agent itself, says no.
    Failed {
        /// What failed.
        why: String,
    },
    /// Its gates pass, but the agent changed what they rest on, and is asked once to undo that.
    SentBack {
        /// What it changed.
        inputs: InputKeys,
    },
    /// It failed before and no file has changed since; the attempt goes on.
    Unchanged {
        /// What failed.
        why: String,
        /// Whether the gate's output differs from the one in the agent's prompt: a gate may depend on
        /// more than files.
        is_news: bool,
    },
    /// It was a review.
    Reviewed(Reviewed),
    /// It waits for a person.
    Held {
        /// Why.
        hold: Hold,
    },
    /// There is nothing to judge; the attempt is lost.
    Lost {
        /// How its agent ended.
        why: String,
        /// How many times in a row its unit is lost now, where the agent ended by itself: what it
        /// needs may be away for a moment.
        in_a_row: Option<u32>,
    },
    /// The host takes no more work for now; the attempt is not over.
    Limited(Limited),
    /// The agent never ran; the attempt is given back, unless only this host may work on it.
    NotStarted {
        /// Why not.
        why: String,
    },
    /// A person interrupted the agent, or the run was held; the attempt is not over.
    Stopped,
}

impl UnitEnd {
    /// Returns whether nothing speaks against what was left: it is merged then.
    pub const fn is_through(&self) -> bool {
        match self {
            // Its gates hold on what it left, and whoever looks again looks at that.
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

    /// Returns the same with this beside what gates proved: it rests on the agent's word alone.
    pub(super) fn but(mut self, word: Vec<String>) -> Self {
        if let Self::Passed(evidence) = &mut self {
            evidence.but(word);
        }
        self
    }
}

/// What a gate said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The gate.
    pub gate: String,
    /// What it decided.
    pub verdict: Verdict,
    /// One line of reason.
    pub why: String,
    /// How long it took.
    pub ms: u64,
    /// What it was evaluated on.
    pub on: EvaluatedOn,
}

/// What a gate was evaluated on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluatedOn {
    /// The project's files.
    Project {
        /// The receipt.
        receipt: ReceiptId,
        /// The files it is true of, in short.
        tree: String,
    },
    /// A copy in which the tests are as they were: a second look.
    EarlierTests,
}

/// Returns what the gates said that were evaluated just now, and then the second looks.
pub(super) fn shown(known: &Known) -> Vec<Shown> {
    let show = |evidence: &crate::receipt::Evidence| {
        let record = &evidence.record;
        Shown {
            gate: record.gate.clone(),
            verdict: record.verdict,
            why: record.why.clone(),
            ms: record.ms,
            on: EvaluatedOn::Project { receipt: record.id.clone(), tree: record.tree.short(7) },
        }
    };
    let looks = known.looks.found().map(|found| Shown {
        gate: found.gate.clone(),
        verdict: found.verdict.unwrap_or(Verdict::Unknown),
        why: found.why.clone().unwrap_or_default(),
        ms: found.ms,
        on: EvaluatedOn::EarlierTests,
    });
    known.evidence.iter().map(show).chain(looks).collect()
}
