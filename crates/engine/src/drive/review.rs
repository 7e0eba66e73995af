//! What the end of a review came to, for whoever watches.

use sprag_core::review::Entry;
use sprag_core::workflow::{FIX, REVIEW, Stage};
use sprag_core::{Facts, UnitId};

use crate::case::Case;
use crate::live::Live;

/// What a review came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reviewed {
    /// Nothing stands in the way: the phase is left.
    Clean,
    /// These stand in the way.
    Found {
        /// One line each.
        findings: Vec<String>,
    },
    /// It does not count.
    Again {
        /// Why not.
        why: String,
    },
}

/// Returns which part of a review a unit that was begun is; nothing for any other work.
pub(super) fn part(case: &Case, unit: &UnitId, facts: &Facts) -> Option<Stage> {
    let Live::Workflow(held) = &case.run.live else { return None };
    let (_, stand) = held.definition.reviewing(held.run.position())?;
    let begun = case.run.live.begun(facts).into_iter().find(|begun| begun.id == *unit)?;
    [REVIEW, FIX].contains(&begun.kind).then_some(stand.stage)
}

/// Returns what the review that has just ended came to.
pub(super) fn ended(case: &Case) -> Reviewed {
    let Live::Workflow(held) = &case.run.live else { return Reviewed::Clean };
    let Some((review, stand)) = held.definition.reviewing(held.run.position()) else {
        return Reviewed::Clean;
    };
    if let Some(why) = &stand.again {
        return Reviewed::Again { why: why.clone() };
    }
    let line =
        |entry: &Entry| format!("[{}] {}", entry.finding.severity.as_str(), entry.finding.line());
    let level = review.terms().level;
    let refused = stand.ledger.disputed(level);
    Reviewed::Found { findings: stand.ledger.blocking(level).chain(refused).map(line).collect() }
}

/// Returns what the fix that has just ended refused to take for a finding, with the reasons.
pub(super) fn refused(case: &Case) -> Vec<String> {
    let Live::Workflow(held) = &case.run.live else { return Vec::new() };
    let Some((review, stand)) = held.definition.reviewing(held.run.position()) else {
        return Vec::new();
    };
    let disputed = stand.ledger.disputed(review.terms().level).filter_map(Entry::refusal);
    disputed.map(|one| one.to_string()).collect()
}
