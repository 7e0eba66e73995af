//! A developer's refusals of findings: lines such as `REFUSE 2: why it is none`.
//!
//! A refusal alone never makes a review pass: the reviewer sees it with its reason, and a person
//! decides about a refused finding that is found again.

use super::prose::said;
use super::{FindingStatus, Ledger, LedgerEntry, Threshold};
use crate::Fingerprint;

impl Ledger {
    /// Applies the refusals of an answer: each names a blocking finding by its number, with a
    /// reason. Returns whether there were any.
    pub fn take_refusals(&mut self, text: &str, level: Threshold) -> bool {
        let open: Vec<Fingerprint> =
            self.blocking(level).map(|entry| entry.finding.fingerprint()).collect();
        let mut any = false;
        for (number, why) in said(text).into_iter().filter_map(refusal) {
            let finding = number.checked_sub(1).and_then(|at| open.get(at));
            any |= finding.is_some_and(|finding| self.refuse(*finding, why));
        }
        any
    }

    /// Returns the refused findings that the last round found again.
    pub fn disputed(&self, level: Threshold) -> impl Iterator<Item = &LedgerEntry> {
        let again = move |entry: &&LedgerEntry| {
            matches!(entry.status, FindingStatus::Refused { .. })
                && entry.last == self.round()
                && level.blocks(entry.finding.severity)
        };
        self.entries().iter().filter(again)
    }
}

/// Parses a line as a refusal: the number of a finding, and the reason.
fn refusal(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches(['-', '*', ' ']);
    let (number, why) = line.strip_prefix("REFUSE ")?.split_once(':')?;
    let why = why.trim();
    Some((number.trim().parse().ok()?, why)).filter(|_| !why.is_empty())
}
