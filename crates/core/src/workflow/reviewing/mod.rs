//! The review of a phase: once its own work is done and its gates pass, another agent reviews it.
//!
//! Review, fix, review again, until there are no findings that count; then the phase is left. The
//! position stores the findings, so a run continues from its file alone. A review that does not
//! pass ends held, never passed: exhausted, going in circles, disputed, or unclear. A person
//! resumes it or accepts the work as it is.

mod round;
mod units;
pub(super) mod words;

pub(super) use round::{Came, accept, began, fixed, resumed, reviewed, worked};
pub(super) use units::due;

use crate::review::{Ledger, Terms};
use crate::{Hash, Hold, stored};

/// The state of a phase's review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewing {
    /// The next step.
    pub stage: ReviewStep,
    /// The findings of all rounds.
    pub ledger: Ledger,
    /// The files on which the phase's own gates passed.
    pub proven: Hash,
    /// The number of consecutive gate runs that were repeated because files had changed.
    pub proofs: u32,
    /// The files at the start of the current review.
    pub began: Option<Hash>,
    /// The files that were reviewed last.
    pub reviewed: Option<Hash>,
    /// Why the last review was invalid and is requested once more.
    pub again: Option<String>,
    /// Why it waits for a person, if it does.
    pub held: Option<Hold>,
}

/// The next step of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewStep {
    /// An agent reviews.
    Review,
    /// An agent fixes the findings.
    Fix,
}

impl Reviewing {
    /// Creates the review of work that was just proven on these files.
    pub(super) fn new(proven: Hash) -> Self {
        Self {
            stage: ReviewStep::Review,
            ledger: Ledger::default(),
            proven,
            proofs: 0,
            began: None,
            reviewed: None,
            again: None,
            held: None,
        }
    }

    /// Returns the number of the current round.
    pub fn round(&self) -> u32 {
        match self.stage {
            ReviewStep::Review => self.ledger.round().saturating_add(1),
            ReviewStep::Fix => self.ledger.round(),
        }
    }

    /// Returns whether a person may accept the work as it is: the review is due or held.
    pub fn waits(&self) -> bool {
        self.held.is_some() || self.stage == ReviewStep::Review
    }

    /// Formats the state for the status line: `review 2 of 5`.
    pub fn at(&self, terms: &Terms) -> String {
        format!("{} {} of {}", self.stage.as_str(), self.round(), terms.max)
    }
}

impl ReviewStep {
    const ALL: [Self; 2] = [Self::Review, Self::Fix];

    /// Returns the word used in files and in the names of units.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Fix => "fix",
        }
    }
}

stored!(word ReviewStep);

stored!(filled struct Reviewing {
    stage,
    ledger: unless_default,
    proven,
    proofs: unless_default,
    began,
    reviewed,
    again,
    held,
});
