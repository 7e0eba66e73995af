//! What is said of findings to whoever deals with them, and what a person answers.

use std::fmt;

use super::{Entry, Ledger, Level, Status};
use crate::prompt::short;

/// How a finding is refused, as a developer is told.
pub const REFUSE: &str = "`REFUSE <number>: <reason>`";
/// How much of one text of a finding is said again.
const SAID: usize = 500;
/// How much of one text is told of a finding that was refused.
const TOLD: usize = 200;

impl Entry {
    /// Returns it with what became of it, as whoever comes next is told.
    pub fn standing(&self) -> String {
        let line = short(&self.finding.line(), SAID);
        let severity = self.finding.severity.as_str();
        match &self.status {
            Status::Open => format!("- open [{severity}] {}", self.finding.advised(SAID)),
            Status::Fixed => format!("- fixed [{severity}] {line}"),
            Status::Refused { why } => {
                format!("- refused ({}) [{severity}] {line}", short(why, SAID))
            }
        }
    }
}

impl Entry {
    /// Returns it with why its developer says that it is none, where that was said.
    pub fn refusal(&self) -> Option<RefusedFinding> {
        let Status::Refused { why } = &self.status else { return None };
        let (severity, line) = (self.finding.severity.as_str(), self.finding.line());
        let finding = format!("[{severity}] {}", short(&line, TOLD));
        Some(RefusedFinding { finding, why: short(why, TOLD) })
    }
}

/// A finding that an agent refused to take for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFinding {
    /// The finding, on one line.
    pub finding: String,
    /// The agent's reason.
    pub why: String,
}

impl RefusedFinding {
    /// Stands between the two, in the journal of the first release as well.
    const BETWEEN: &str = "; refused by the agent: ";
}

impl fmt::Display for RefusedFinding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}{}", self.finding, Self::BETWEEN, self.why)
    }
}

impl RefusedFinding {
    /// Reads the text in which the first release wrote both.
    pub(crate) fn of_text(text: &str) -> Self {
        let (finding, why) = text.split_once(Self::BETWEEN).unwrap_or((text, ""));
        Self { finding: finding.to_owned(), why: why.to_owned() }
    }
}

impl Ledger {
    /// Returns what was refused of what would stand in the way, with the reason.
    pub fn refused(&self, level: Level) -> impl Iterator<Item = RefusedFinding> {
        let counts = move |entry: &&Entry| level.blocks(entry.finding.severity);
        self.entries().iter().filter(counts).filter_map(Entry::refusal)
    }

    /// Returns what stands in the way, by the numbers that an answer refuses it by.
    pub fn to_answer(&self, level: Level) -> Vec<String> {
        let open = self.blocking(level).enumerate();
        open.map(|(at, entry)| format!("{}. {}", at + 1, entry.standing())).collect()
    }
}

/// Returns whether a person's answer accepts the work as it is.
pub fn accepts(answer: &str) -> bool {
    let word = answer.trim().trim_end_matches('.').to_ascii_lowercase();
    ["accept", "accepted", "approve", "approved", "pass", "yes"].contains(&word.as_str())
}
