//! The data of holds, and the sentence of each.

use std::fmt;

use super::{Driven, ways};
use crate::{Name, UnitId};

/// A spent budget. The amounts are formatted for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overspent {
    /// The amount spent: `$15.02`.
    pub used: String,
    /// The limit: `$15.00`, `900 tokens`.
    pub most: String,
    /// A sufficient new budget: `31usd`.
    pub raise: String,
    /// The owner of the budget.
    pub by: Driven,
}

impl fmt::Display for Overspent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { used, most, raise, by } = self;
        let command = ways::raise(by, raise);
        write!(out, "the budget is spent: {used} of {most}; `{command}` raises it")
    }
}

/// A host that cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unstarted {
    pub host: String,
    /// The error.
    pub why: String,
    /// The run or inbox for which another host can be named.
    pub by: Driven,
}

impl fmt::Display for Unstarted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, why, by } = self;
        let other = ways::other_host(by);
        write!(out, "no agent can be started: `{host}`: {why}; `{other}` names another one")
    }
}

/// Why a pass does not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// Files that the gate protects were changed.
    Protected {
        /// The first of them.
        first: String,
        /// The number of the others.
        more: u32,
    },
    /// Documents that define the gates changed since the run began.
    Definition {
        /// The first of them.
        first: String,
        /// The number of the others.
        more: u32,
    },
    /// The configuration changed since the session began.
    Config { path: String },
    /// The rules of a milestone tree changed since the run began.
    Rules { path: String },
    /// The plan, or a command in it, changed since the run began.
    Plan { path: String },
    /// The agent changed these inputs of the verdict, and a person must decide.
    Inputs {
        /// Files, or parts of them.
        inputs: Vec<String>,
    },
    /// The words of another release.
    Said { what: String },
}

impl Doubt {
    /// Returns the reason for the receipt of a pass that does not count.
    pub fn in_a_receipt(&self) -> String {
        format!("it passes, but {self}")
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Protected { first, more } => {
                let first = first.escape_debug();
                write!(out, "`{first}`{} is protected and was changed", and_more(*more))
            }
            Self::Definition { first, more } => {
                write!(out, "`{first}`{} changed since the run began", and_more(*more))
            }
            Self::Config { path } => write!(out, "`{path}` changed since the session began"),
            Self::Rules { path } => {
                write!(out, "the rules in `{path}` changed since the run began")
            }
            Self::Inputs { inputs } => {
                let names: Vec<String> = inputs.iter().map(|one| format!("`{one}`")).collect();
                write!(out, "the agent changed {}", names.join(", "))
            }
            Self::Plan { path } => {
                write!(out, "`{path}` or its commands changed since the run began")
            }
            Self::Said { what } => out.write_str(what),
        }
    }
}

fn and_more(more: u32) -> String {
    if more == 0 { String::new() } else { format!(" and {more} more") }
}

/// A repeated result without progress.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stuck {
    /// A gate failed in the same way each time.
    SameFailure { gate: Name, times: u32 },
    /// The agent of a unit was lost each time.
    Lost {
        unit: UnitId,
        /// Losses in a row.
        times: u32,
        /// The reason of the last loss; empty if unknown.
        why: String,
    },
    /// The files alternate between two states.
    BackAndForth,
    /// Nothing changed after a stop was refused.
    Unheeded { times: u32 },
    /// The number of refused stops reached its limit, counted since a person last spoke or a unit
    /// passed.
    Refused { times: u32 },
    /// An agent ended too often without a change, and a gate fails as before.
    Unchanged {
        unit: UnitId,
        /// The failure of the gate, on one line.
        failure: String,
    },
    /// None of the gaps of a plan could be fixed.
    Unfixed { gaps: Vec<String> },
    /// Each verification finds the same gaps.
    SameGaps { gaps: Vec<String> },
    /// Verifications alternate between two sets of gaps.
    GapsInTurns {
        /// The gaps of the last verification.
        gaps: Vec<String>,
    },
    /// A review finds only what the previous one found.
    ReviewRepeats { what: String },
    /// The number of findings does not decrease.
    NotFewer {
        /// The numbers, round by round.
        rounds: String,
    },
    /// The findings of a review were neither addressed nor refused.
    FindingsLeft,
    /// The files keep changing between the gates and the review.
    FilesMove,
    /// Rules skip too many units in a row.
    Skips {
        /// The limit.
        most: u32,
    },
    /// Words of a rule, of another system, or of another release.
    Said { what: String },
}

impl fmt::Display for Stuck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameFailure { gate, times } => {
                write!(out, "`{gate}` failed {times} times in the same way")
            }
            Self::Lost { unit, times, why } => {
                write!(out, "`{unit}` was lost {times} times in a row")?;
                if why.is_empty() { Ok(()) } else { write!(out, ", last: {why}") }
            }
            Self::BackAndForth => out.write_str("the work goes back and forth between two states"),
            Self::Unheeded { times } => {
                let plural = if *times == 1 { "time" } else { "times" };
                write!(out, "nothing changed after the stop was refused {times} {plural}")
            }
            Self::Refused { times } => {
                let plural = if *times == 1 { "time" } else { "times" };
                write!(out, "the stop was refused {times} {plural}, which is the limit")
            }
            Self::Unchanged { unit, failure } => write!(out, "`{unit}`: {failure}"),
            Self::Unfixed { gaps } => write!(out, "no gap could be fixed: {}", gaps.join(", ")),
            Self::SameGaps { gaps } => out.write_str(&gaps.join(", ")),
            Self::GapsInTurns { gaps } => {
                write!(out, "the gaps go back and forth: {}", gaps.join(", "))
            }
            Self::ReviewRepeats { what } => write!(out, "the review only repeats: {what}"),
            Self::NotFewer { rounds } => write!(out, "the findings do not get fewer ({rounds})"),
            Self::FindingsLeft => out.write_str("the findings were neither dealt with nor refused"),
            Self::FilesMove => {
                out.write_str("files keep changing between the gates and the review")
            }
            Self::Skips { most } => write!(out, "rules skip more than {most} units in a row"),
            Self::Said { what } => out.write_str(what),
        }
    }
}

impl From<&str> for Stuck {
    fn from(what: &str) -> Self {
        Self::Said { what: what.to_owned() }
    }
}

impl From<String> for Stuck {
    fn from(what: String) -> Self {
        Self::Said { what }
    }
}

/// Commands as people read them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Commands(Vec<String>);

impl Commands {
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for Commands {
    /// The sentence supplies the outer quotes.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.join(Self::BETWEEN))
    }
}

impl Commands {
    /// The separator between two commands.
    pub(super) const BETWEEN: &'static str = "` and `";
}

impl From<&str> for Commands {
    fn from(one: &str) -> Self {
        Self(vec![one.to_owned()])
    }
}

impl From<String> for Commands {
    fn from(one: String) -> Self {
        Self(vec![one])
    }
}

impl FromIterator<String> for Commands {
    fn from_iter<T: IntoIterator<Item = String>>(all: T) -> Self {
        Self(all.into_iter().collect())
    }
}
