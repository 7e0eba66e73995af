use super::{FindingStatus, Ledger, LedgerEntry, Threshold};

/// The overall result of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RoundVerdict {
    /// No blocking findings.
    Pass,
    /// Blocking findings that another round may resolve.
    Issues {
        /// The number of blocking findings.
        blocking: u32,
    },
    /// The same findings came up again.
    Repeats {
        /// The repeated finding.
        what: String,
    },
    /// The number of findings did not decrease.
    NoProgress {
        /// The numbers, round by round.
        what: String,
    },
    /// No round is left; that is never a pass.
    Exhausted {
        /// The number of rounds.
        rounds: u32,
    },
}

/// The conditions under which a review passes, or stops without passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The level of blocking findings.
    pub level: Threshold,
    /// The maximum number of rounds; 0 means no maximum, but the other limits still apply.
    pub max: u32,
    /// The number of consecutive rounds at which an open finding counts as repeated.
    pub same: u32,
    /// The number of returns after a fix at which a finding counts as repeated.
    pub returns: u32,
    /// The number of rounds without fewer findings after which the review stops.
    pub plateau: u32,
}

impl Terms {
    /// The default terms of a review with `max` rounds.
    pub const fn new(level: Threshold, max: u32) -> Self {
        Self { level, max, same: 3, returns: 2, plateau: 3 }
    }
}

/// Computes the verdict of a review after `round` of its rounds.
///
/// The caller supplies the number of the round, because a ledger may have been started late.
pub(super) fn verdict(ledger: &Ledger, round: u32, terms: &Terms) -> RoundVerdict {
    let blocking: Vec<_> = ledger.blocking(terms.level).collect();
    let Some(first) = blocking.first() else { return RoundVerdict::Pass };
    if terms.max > 0 && round >= terms.max {
        return RoundVerdict::Exhausted { rounds: round };
    }
    if only_repeats(ledger, terms.level) {
        return RoundVerdict::Repeats { what: first.finding.line() };
    }
    let stands = |entry: &&&LedgerEntry| {
        ledger.round().saturating_sub(entry.since) + 1 >= terms.same
            || entry.returned >= terms.returns
    };
    if let Some(again) = blocking.iter().find(stands) {
        return RoundVerdict::Repeats { what: again.finding.line() };
    }
    if is_level(ledger.counts(), terms.plateau) {
        let counts: Vec<_> = ledger.counts().iter().map(u32::to_string).collect();
        return RoundVerdict::NoProgress { what: counts.join(", ") };
    }
    RoundVerdict::Issues { blocking: u32::try_from(blocking.len()).unwrap_or(u32::MAX) }
}

/// Returns whether the last round found exactly the findings of the previous one.
fn only_repeats(ledger: &Ledger, level: Threshold) -> bool {
    let round = ledger.round();
    let counts = |entry: &&LedgerEntry| level.blocks(entry.finding.severity);
    let is_new = |entry: &LedgerEntry| entry.status == FindingStatus::Open && entry.since == round;
    let is_gone =
        |entry: &LedgerEntry| entry.status != FindingStatus::Open && entry.last + 1 == round;
    let changed = |entry: &LedgerEntry| is_new(entry) || is_gone(entry);
    round > 1 && !ledger.entries().iter().filter(counts).any(changed)
}

/// Returns whether none of the last `rounds` rounds lowered the count.
fn is_level(counts: &[u32], rounds: u32) -> bool {
    let rounds = usize::try_from(rounds).unwrap_or(usize::MAX);
    let Some(start) = counts.len().checked_sub(rounds.saturating_add(1)) else { return false };
    rounds > 0 && counts[start..].windows(2).all(|pair| pair[1] >= pair[0])
}
