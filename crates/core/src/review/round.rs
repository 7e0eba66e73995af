//! The result of one round, as the reviews of a phase, a task and a pull request share it.

use super::{FindingStatus, Ledger, RoundVerdict, Terms, Threshold, verdict};
use crate::prompt::short;

/// Maximum length of a finding, and of the reason of its refusal, in a hold.
const LINE: usize = 200;

/// The result of a round that counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundResult {
    /// No blocking findings are left.
    Clean,
    /// Blocking findings remain, and another round may resolve them.
    Issues,
    /// The review waits for a person.
    Ends(RoundEnd),
}

/// Why no round follows one that did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundEnd {
    /// No round is left.
    RoundsOver { rounds: u32 },
    /// The same finding came up again.
    Repeats { what: String },
    /// The number of findings did not decrease.
    NotFewer {
        /// The numbers, round by round.
        rounds: String,
    },
    /// The reviewer repeated a refused finding.
    Disputed { what: String },
}

impl Ledger {
    /// Computes the result of `round`, whose findings were just recorded.
    ///
    /// A refused finding that was found again keeps a review from passing: neither side wins alone.
    pub fn result(&self, round: u32, terms: &Terms) -> RoundResult {
        RoundResult::Ends(match verdict(self, round, terms) {
            RoundVerdict::Pass => match self.dispute(terms.level) {
                Some(what) => RoundEnd::Disputed { what },
                None => return RoundResult::Clean,
            },
            RoundVerdict::Issues { .. } => return RoundResult::Issues,
            RoundVerdict::Repeats { what } => RoundEnd::Repeats { what: short(&what, LINE) },
            RoundVerdict::NoProgress { what } => RoundEnd::NotFewer { rounds: what },
            RoundVerdict::Exhausted { rounds } => RoundEnd::RoundsOver { rounds },
        })
    }

    /// Returns the first refused finding that the last round found again, with the reason of the
    /// refusal.
    fn dispute(&self, level: Threshold) -> Option<String> {
        let entry = self.disputed(level).next()?;
        let line = short(&entry.finding.line(), LINE);
        match &entry.status {
            FindingStatus::Refused { why } => {
                Some(format!("{line} (refused: {})", short(why, LINE)))
            }
            FindingStatus::Open | FindingStatus::Fixed => None,
        }
    }
}
