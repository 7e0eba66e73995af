//! The review of a phase: once its own work is done and its gates pass, somebody else looks at it.
//!
//! Review, fix, review again, until nothing that counts is found; then the phase is left. What was
//! found is kept in the position, so a run goes on from its file alone. A review that does not pass
//! ends held, never passed: used up, going in circles, disputed, or not to be understood. A person
//! lets it go on, or accepts the work as it is.

mod round;
mod units;
pub(super) mod words;

pub(super) use round::{Came, accept, began, fixed, resumed, reviewed, worked};
pub(super) use units::due;

use crate::review::{Ledger, Terms};
use crate::{Hash, Hold, stored};

/// Where the review of a phase stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewing {
    /// What comes next.
    pub stage: Stage,
    /// What was found, over all rounds.
    pub ledger: Ledger,
    /// The files of which the phase's own gates said yes.
    pub proven: Hash,
    /// How often in a row they were asked because files had changed since.
    pub proofs: u32,
    /// The files that the review at hand began with.
    pub began: Option<Hash>,
    /// The files that were reviewed last.
    pub reviewed: Option<Hash>,
    /// What was wrong with the last review, which is asked for once more.
    pub again: Option<String>,
    /// Why it waits for a person, if it does.
    pub held: Option<Hold>,
}

/// What comes next in a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Somebody reviews.
    Review,
    /// What was found is dealt with.
    Fix,
}

impl Reviewing {
    /// Returns the review of work that was just proven on these files.
    pub(super) fn new(proven: Hash) -> Self {
        Self {
            stage: Stage::Review,
            ledger: Ledger::default(),
            proven,
            proofs: 0,
            began: None,
            reviewed: None,
            again: None,
            held: None,
        }
    }

    /// Returns the number of the round at hand.
    pub fn round(&self) -> u32 {
        match self.stage {
            Stage::Review => self.ledger.round().saturating_add(1),
            Stage::Fix => self.ledger.round(),
        }
    }

    /// Returns whether a person may accept the work as it is: the review is due, or stands still.
    pub fn waits(&self) -> bool {
        self.held.is_some() || self.stage == Stage::Review
    }

    /// Returns where it stands, for the status line: `review 2 of 5`.
    pub fn at(&self, terms: &Terms) -> String {
        format!("{} {} of {}", self.stage.as_str(), self.round(), terms.max)
    }
}

impl Stage {
    /// Every part of a review.
    const ALL: [Self; 2] = [Self::Review, Self::Fix];

    /// Returns the word used in files and in the names of units.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Fix => "fix",
        }
    }
}

stored!(word Stage);

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
