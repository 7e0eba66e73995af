//! Why a review ends without passing, and the hold that follows: one table for the reviews of a
//! phase, a task and a pull request. The hold determines the exit code and the next command.
//!
//! A test compares the table with docs/reviews.md.

#[cfg(test)]
mod tests;

use super::RoundEnd;
use crate::{Hold, Name, Stuck};

/// The work under review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Phase,
    Task,
    Pull,
}

/// Why a review ends without passing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewEnd {
    /// A round counted, and no other round follows it.
    Round(RoundEnd),
    /// The findings were neither addressed nor refused.
    FindingsLeft,
    /// The review did not count, and neither did its repetition.
    NotCounted { why: String },
    /// Reviewer or fixer failed until the rule had no retry left. The kernel counts the retries of
    /// a phase and a pull request, and holds them itself.
    Failed { what: String },
    /// The only host that may review is not here, or cannot be started.
    NoReviewer { why: String },
    /// The files keep changing between the gates and the review.
    FilesMove,
    /// The developer is gone and left half of an answer.
    HalfDone { what: String },
    /// The changes of an answer are not on the forge.
    Unpushed { why: String },
    /// The forge is unreachable.
    NoForge { why: String },
}

impl ReviewEnd {
    /// Returns the hold for a person.
    ///
    /// A person's approval reaches a task's review, which is a rule, only through a question or no
    /// progress. A pull request is approved on its forge, so its hold asks for no approval of the
    /// work.
    pub fn hold(self, of: Subject) -> Hold {
        match (self, of) {
            (Self::Round(end), of) => end.hold(of),
            (Self::FindingsLeft, _) => stuck(Stuck::FindingsLeft),
            (Self::FilesMove, _) => stuck(Stuck::FilesMove),
            (Self::Failed { what } | Self::HalfDone { what }, _) => stuck(what.into()),
            (Self::NotCounted { why }, Subject::Task) => Hold::Asked { what: why },
            (Self::NotCounted { why }, Subject::Phase | Subject::Pull)
            | (Self::NoReviewer { why }, _) => unproven("review", why),
            (Self::Unpushed { why }, _) => {
                unproven("push", format!("{why}; commit and push it, then let the run go on"))
            }
            (Self::NoForge { why }, _) => unproven("forge", why),
        }
    }
}

impl RoundEnd {
    fn hold(self, of: Subject) -> Hold {
        match (self, of) {
            (Self::RoundsOver { rounds }, Subject::Phase | Subject::Task) => {
                Hold::RoundsOver { what: format!("gave up after {rounds} review rounds") }
            }
            (Self::RoundsOver { rounds }, Subject::Pull) => {
                Hold::Exhausted { bound: Name::literal("review rounds"), used: rounds }
            }
            (Self::Repeats { what }, _) => stuck(Stuck::ReviewRepeats { what }),
            (Self::NotFewer { rounds }, _) => stuck(Stuck::NotFewer { rounds }),
            (Self::Disputed { what }, _) => {
                Hold::Asked { what: format!("a refused finding came again: {what}") }
            }
        }
    }
}

const fn stuck(what: Stuck) -> Hold {
    Hold::NoProgress { what }
}

const fn unproven(gate: &'static str, why: String) -> Hold {
    Hold::Unproven { gate: Name::literal(gate), why }
}
