//! The texts about findings for agents, and the parsing of a person's answers.

use std::fmt;

use super::{FindingStatus, Ledger, LedgerEntry, Threshold};
use crate::prompt::short;

/// The format of a refusal, as shown to developers.
pub const REFUSE: &str = "`REFUSE <number>: <reason>`";
/// Maximum length of a finding's text in an instruction.
const SAID: usize = 500;
/// Maximum length of a refused finding's text.
const TOLD: usize = 200;

impl LedgerEntry {
    /// Formats the finding with its status for the next agent.
    pub fn standing(&self) -> String {
        let line = short(&self.finding.line(), SAID);
        let severity = self.finding.severity.as_str();
        match &self.status {
            FindingStatus::Open => format!("- open [{severity}] {}", self.finding.advised(SAID)),
            FindingStatus::Fixed => format!("- fixed [{severity}] {line}"),
            FindingStatus::Refused { why } => {
                format!("- refused ({}) [{severity}] {line}", short(why, SAID))
            }
        }
    }
}

impl LedgerEntry {
    /// Returns the finding with the reason of its refusal, if it was refused.
    pub fn refusal(&self) -> Option<RefusedFinding> {
        let FindingStatus::Refused { why } = &self.status else { return None };
        let (severity, line) = (self.finding.severity.as_str(), self.finding.line());
        let finding = format!("[{severity}] {}", short(&line, TOLD));
        Some(RefusedFinding { finding, why: short(why, TOLD) })
    }
}

/// A finding that an agent refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFinding {
    /// The finding, on one line.
    pub finding: String,
    /// The agent's reason.
    pub why: String,
}

impl RefusedFinding {
    /// The separator between the two, also in the journal of the first release.
    const BETWEEN: &str = "; refused by the agent: ";
}

impl fmt::Display for RefusedFinding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}{}", self.finding, Self::BETWEEN, self.why)
    }
}

impl RefusedFinding {
    /// Parses the text in which the first release stored both.
    pub(crate) fn of_text(text: &str) -> Self {
        let (finding, why) = text.split_once(Self::BETWEEN).unwrap_or((text, ""));
        Self { finding: finding.to_owned(), why: why.to_owned() }
    }
}

impl Ledger {
    /// Returns the refused findings that would otherwise block, with the reasons.
    pub fn refused(&self, level: Threshold) -> impl Iterator<Item = RefusedFinding> {
        let counts = move |entry: &&LedgerEntry| level.blocks(entry.finding.severity);
        self.entries().iter().filter(counts).filter_map(LedgerEntry::refusal)
    }

    /// Returns the blocking findings, with the numbers by which an answer can refuse them.
    pub fn to_answer(&self, level: Threshold) -> Vec<String> {
        let open = self.blocking(level).enumerate();
        open.map(|(at, entry)| format!("{}. {}", at + 1, entry.standing())).collect()
    }
}

/// Returns whether a person's answer accepts the work as it is.
pub fn accepts(answer: &str) -> bool {
    let word = answer.trim().trim_end_matches('.').to_ascii_lowercase();
    ["accept", "accepted", "approve", "approved", "pass", "yes"].contains(&word.as_str())
}
