//! The findings of a review over all its rounds, and their verdict.
//!
//! A reviewer answers in words; [`read`] parses them into [`Finding`]s and ignores quotations. A
//! [`Ledger`] keeps the status of each finding from round to round, and a [`RoundResult`] is computed
//! from it: a reviewer's own verdict can only make it stricter. The reviews of a task, of a phase
//! and of a pull request share all of this.

mod answer;
mod ends;
mod finding;
mod json;
mod ledger;
mod level;
mod prose;
mod refusal;
mod response;
mod round;
#[cfg(test)]
mod tests;
mod verdict;

pub use answer::{Opinion, ReviewAnswer, Unclear, read};
pub use ends::{ReviewEnd, Subject};
pub use finding::{Finding, Severity};
pub use ledger::{FindingStatus, Ledger, LedgerEntry};
pub use level::Threshold;
pub use response::{REFUSE, RefusedFinding, accepts};
pub use round::{RoundEnd, RoundResult};
pub use verdict::Terms;
use verdict::{RoundVerdict, verdict};
