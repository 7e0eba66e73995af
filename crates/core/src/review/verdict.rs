use super::{Entry, Ledger, Level, Status};

/// What a review has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing stands in the way.
    Pass,
    /// Something stands in the way, and another round may help.
    Issues {
        /// How many findings.
        blocking: u32,
    },
    /// The same came again.
    Repeats {
        /// What came again.
        what: String,
    },
    /// There are not fewer findings than before.
    NoProgress {
        /// How many there were, round by round.
        what: String,
    },
    /// There is no round left; that is never a pass.
    Exhausted {
        /// How many rounds there were.
        rounds: u32,
    },
}

/// When a review passes, and when it stops without passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What stands in the way of a pass.
    pub level: Level,
    /// How many rounds there are; 0 is no limit, the others still hold.
    pub max: u32,
    /// In how many rounds in a row one finding may stand.
    pub same: u32,
    /// How often one finding may come back after it was fixed.
    pub returns: u32,
    /// After how many rounds without fewer findings it is over.
    pub plateau: u32,
}

impl Terms {
    /// The terms of a review with `max` rounds where nothing else is said.
    pub const fn new(level: Level, max: u32) -> Self {
        Self { level, max, same: 3, returns: 2, plateau: 3 }
    }
}

/// Returns what a review has come to after `round` of its rounds.
///
/// The number of the round is the caller's, because a ledger may have been begun late.
pub fn verdict(ledger: &Ledger, round: u32, terms: &Terms) -> Verdict {
    let blocking: Vec<_> = ledger.blocking(terms.level).collect();
    let Some(first) = blocking.first() else { return Verdict::Pass };
    if terms.max > 0 && round >= terms.max {
        return Verdict::Exhausted { rounds: round };
    }
    if only_repeats(ledger, terms.level) {
        return Verdict::Repeats { what: first.finding.line() };
    }
    let stands = |entry: &&&Entry| {
        ledger.round().saturating_sub(entry.since) + 1 >= terms.same
            || entry.returned >= terms.returns
    };
    if let Some(again) = blocking.iter().find(stands) {
        return Verdict::Repeats { what: again.finding.line() };
    }
    if is_level(ledger.counts(), terms.plateau) {
        let counts: Vec<_> = ledger.counts().iter().map(u32::to_string).collect();
        return Verdict::NoProgress { what: counts.join(", ") };
    }
    Verdict::Issues { blocking: u32::try_from(blocking.len()).unwrap_or(u32::MAX) }
}

/// Returns whether the last round found exactly what the one before had found.
fn only_repeats(ledger: &Ledger, level: Level) -> bool {
    let round = ledger.round();
    let counts = |entry: &&Entry| level.blocks(entry.finding.severity);
    let is_new = |entry: &Entry| entry.status == Status::Open && entry.since == round;
    let is_gone = |entry: &Entry| entry.status != Status::Open && entry.last + 1 == round;
    let changed = |entry: &Entry| is_new(entry) || is_gone(entry);
    round > 1 && !ledger.entries().iter().filter(counts).any(changed)
}

/// Returns whether none of the last `rounds` rounds brought the count below the one before.
fn is_level(counts: &[u32], rounds: u32) -> bool {
    let rounds = usize::try_from(rounds).unwrap_or(usize::MAX);
    let Some(start) = counts.len().checked_sub(rounds.saturating_add(1)) else { return false };
    rounds > 0 && counts[start..].windows(2).all(|pair| pair[1] >= pair[0])
}
