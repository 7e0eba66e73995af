//! The result of a review, for the driver and for people.

use sprag_core::review::Entry;
use sprag_core::workflow::{FIX, REVIEW, Stage};
use sprag_core::{Facts, UnitId};

use crate::case::Case;
use crate::live::Live;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reviewed {
    /// No finding blocks the phase, so the run leaves it.
    Clean,
    /// These findings block it.
    Found {
        /// One line each.
        findings: Vec<String>,
    },
    /// The review does not count.
    Again { why: String },
}

/// Returns the stage of a review that a begun unit belongs to; `None` for other work.
pub(super) fn part(case: &Case, unit: &UnitId, facts: &Facts) -> Option<Stage> {
    let Live::Workflow(held) = &case.run.live else { return None };
    let (_, stand) = held.definition.reviewing(held.run.position())?;
    let begun = case.run.live.begun(facts).into_iter().find(|begun| begun.id == *unit)?;
    [REVIEW, FIX].contains(&begun.kind).then_some(stand.stage)
}

/// Returns the result of the review that has just ended.
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

/// Returns the findings that the last fix disputed, with the reasons.
pub(super) fn refused(case: &Case) -> Vec<String> {
    let Live::Workflow(held) = &case.run.live else { return Vec::new() };
    let Some((review, stand)) = held.definition.reviewing(held.run.position()) else {
        return Vec::new();
    };
    let disputed = stand.ledger.disputed(review.terms().level).filter_map(Entry::refusal);
    disputed.map(|one| one.to_string()).collect()
}
