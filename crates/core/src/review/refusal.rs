//! A developer's word against findings: a line `REFUSE 2: why it is none`.
//!
//! A refusal alone never lets anything pass: the reviewer sees it with its reason, and what is then
//! found again is for a person to decide.

use super::prose::said;
use super::{Entry, Ledger, Level, Status};
use crate::Fingerprint;

impl Ledger {
    /// Takes the refusals of an answer: findings by their numbers among those that stand in the
    /// way, each with a reason. Returns whether there were any.
    pub fn take_refusals(&mut self, text: &str, level: Level) -> bool {
        let open: Vec<Fingerprint> =
            self.blocking(level).map(|entry| entry.finding.fingerprint()).collect();
        let mut any = false;
        for (number, why) in said(text).into_iter().filter_map(refusal) {
            let finding = number.checked_sub(1).and_then(|at| open.get(at));
            any |= finding.is_some_and(|finding| self.refuse(*finding, why));
        }
        any
    }

    /// Returns what was refused and found again by the last round.
    pub fn disputed(&self, level: Level) -> impl Iterator<Item = &Entry> {
        let again = move |entry: &&Entry| {
            matches!(entry.status, Status::Refused { .. })
                && entry.last == self.round()
                && level.blocks(entry.finding.severity)
        };
        self.entries().iter().filter(again)
    }
}

/// Reads a line as a refusal: the number of a finding, and the reason.
fn refusal(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches(['-', '*', ' ']);
    let (number, why) = line.strip_prefix("REFUSE ")?.split_once(':')?;
    let why = why.trim();
    Some((number.trim().parse().ok()?, why)).filter(|_| !why.is_empty())
}
