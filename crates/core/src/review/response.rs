//! What a developer answers to findings: one that is none is refused by its number, with a reason.

use super::{Entry, Ledger, Level, Status};
use crate::prompt::short;

/// How a finding is refused, as a developer is told.
pub const REFUSE: &str = "`REFUSE <number>: <reason>`";
/// How much of one text of a finding is said again.
const SAID: usize = 500;

impl Entry {
    /// Returns it with what became of it, as whoever comes next is told.
    pub fn standing(&self) -> String {
        let line = short(&self.finding.line(), SAID);
        let severity = self.finding.severity.as_str();
        match &self.status {
            Status::Open => format!("- open [{severity}] {line}"),
            Status::Fixed => format!("- fixed [{severity}] {line}"),
            Status::Refused { why } => {
                format!("- refused ({}) [{severity}] {line}", short(why, SAID))
            }
        }
    }
}

impl Ledger {
    /// Returns what stands in the way, by the numbers that an answer refuses it by.
    pub fn to_answer(&self, level: Level) -> Vec<String> {
        let open = self.blocking(level).enumerate();
        open.map(|(at, entry)| format!("{}. {}", at + 1, entry.standing())).collect()
    }

    /// Takes an answer: what it refuses is refused. Returns whether it refused anything.
    pub fn answer(&mut self, text: &str, level: Level) -> bool {
        let open: Vec<_> = self.blocking(level).map(|entry| entry.finding.fingerprint()).collect();
        let mut refused = false;
        for (number, why) in refusals(text) {
            let finding = number.checked_sub(1).and_then(|at| open.get(at));
            refused |= finding.is_some_and(|finding| self.refuse(*finding, &short(why, SAID)));
        }
        refused
    }

    /// Returns what was refused and the last round found again: nobody but a person decides it.
    pub fn disputed(&self, level: Level) -> Option<&Entry> {
        let again = |entry: &&Entry| {
            matches!(entry.status, Status::Refused { .. })
                && entry.last == self.round()
                && level.blocks(entry.finding.severity)
        };
        self.entries().iter().find(again)
    }
}

/// Returns the findings that a text refuses, by their numbers, with the reasons.
fn refusals(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().filter_map(|line| {
        let line = line.trim_start_matches(['-', '*', ' ']);
        let (number, why) = line.strip_prefix("REFUSE ")?.split_once(':')?;
        let why = why.trim();
        Some((number.trim().parse().ok()?, why)).filter(|_| !why.is_empty())
    })
}

/// Returns whether a person's answer accepts the work as it is.
pub fn accepts(answer: &str) -> bool {
    let word = answer.trim().trim_end_matches('.').to_ascii_lowercase();
    ["accept", "accepted", "approve", "approved", "pass", "yes"].contains(&word.as_str())
}
