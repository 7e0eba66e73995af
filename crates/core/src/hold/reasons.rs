//! The data of holds, each with its sentence.

use std::fmt;

use super::{Driven, ways};
use crate::{Name, UnitId};

/// A budget that is spent. The amounts stand as people read them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overspent {
    /// How much was spent: `$15.02`.
    pub used: String,
    /// How much there was to spend: `$15.00`, `900 tokens`.
    pub most: String,
    /// A budget with which it could go on: `31usd`.
    pub raise: String,
    /// The run that the budget is of.
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
    /// Its name.
    pub host: String,
    /// Why it cannot.
    pub why: String,
    /// For what another one can be named.
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
        /// How many more there are.
        more: u32,
    },
    /// Documents that define the gates changed since the run began.
    Definition {
        /// The first of them.
        first: String,
        /// How many more there are.
        more: u32,
    },
    /// The configuration changed since the session began.
    Config {
        /// Where it stands.
        path: String,
    },
    /// The rules of a milestone tree changed since the run began.
    Rules {
        /// Where they stand.
        path: String,
    },
    /// The plan, or a command in it, changed since the run began.
    Plan {
        /// Where it stands.
        path: String,
    },
    /// The agent changed these of what the verdict rests on, and a person must decide.
    Inputs {
        /// Files, or parts of them.
        inputs: Vec<String>,
    },
    /// What another release wrote down.
    Said {
        /// Its words.
        what: String,
    },
}

impl Doubt {
    /// Returns the reason in the receipt of a pass that does not count.
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

/// What came again without anything getting better.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stuck {
    /// A gate failed in the same way each time.
    SameFailure {
        /// Which gate.
        gate: Name,
        /// How often.
        times: u32,
    },
    /// The agent of a unit was lost each time.
    Lost {
        /// Which unit.
        unit: UnitId,
        /// How often in a row.
        times: u32,
        /// Why it was lost the last time, where that is known.
        why: String,
    },
    /// The files go back and forth between two states.
    BackAndForth,
    /// Nothing changed after a stop was refused.
    Unheeded {
        /// How often it was refused.
        times: u32,
    },
    /// The stop was refused as often as it may be since a person spoke or a unit passed.
    Refused {
        /// How often it was refused.
        times: u32,
    },
    /// An agent ended too often without changing anything, and a gate fails as before.
    Unchanged {
        /// The unit.
        unit: UnitId,
        /// How the gate fails, on one line.
        failure: String,
    },
    /// None of the gaps of a plan could be fixed.
    Unfixed {
        /// The gaps.
        gaps: Vec<String>,
    },
    /// Each verification finds the same gaps.
    SameGaps {
        /// The gaps.
        gaps: Vec<String>,
    },
    /// Verifications find one set of gaps and another in turns.
    GapsInTurns {
        /// The gaps of the last one.
        gaps: Vec<String>,
    },
    /// A review finds only what the one before found.
    ReviewRepeats {
        /// What it finds.
        what: String,
    },
    /// The findings do not get fewer.
    NotFewer {
        /// How many there were, round by round.
        rounds: String,
    },
    /// The findings of a review were neither dealt with nor refused.
    FindingsLeft,
    /// The files change between the gates and the review, again and again.
    FilesMove,
    /// Rules skip too many units in a row.
    Skips {
        /// How many they may.
        most: u32,
    },
    /// Words of a rule, of another system, or of another release.
    Said {
        /// The words.
        what: String,
    },
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

/// Commands as a person reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Commands(Vec<String>);

impl Commands {
    /// Returns whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns each of them.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for Commands {
    /// The quotes around the whole stand in the sentence.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.join(Self::BETWEEN))
    }
}

impl Commands {
    /// What people read between two.
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
