//! Changes that a person requested in a review of the pull request: they withhold an approval,
//! whatever the agents report, and both agents are told about them.

use super::{Comment, Marker, PullRecord};
use crate::review::{Finding, Severity};

/// The forge's decision while a person requests changes.
const CHANGES_REQUESTED: &str = "CHANGES_REQUESTED";

/// Returns the reviews of persons while the forge reports that changes are requested, oldest first.
pub(super) fn requested(known: &PullRecord) -> Vec<&Comment> {
    if known.pull.decision.as_deref() != Some(CHANGES_REQUESTED) {
        return Vec::new();
    }
    let is_persons = |said: &&Comment| {
        let is_bot = said.author.as_deref().is_some_and(|name| name.ends_with("[bot]"));
        !is_bot && !said.body.contains(Marker::REVIEW) && !said.body.trim().is_empty()
    };
    known.pull.reviews.iter().filter(is_persons).collect()
}

/// Returns whether a person requests changes.
pub(super) fn is_requested(known: &PullRecord) -> bool {
    known.pull.decision.as_deref() == Some(CHANGES_REQUESTED)
}

/// Returns the requests of persons as findings that must be resolved.
pub(super) fn findings(known: &PullRecord) -> Vec<Finding> {
    if !is_requested(known) {
        return Vec::new();
    }
    let finding = |by: &str, text: &str| Finding {
        category: "requested".to_owned(),
        ..Finding::new(Severity::Critical, format!("{by} requested changes: {text}"))
    };
    let said = requested(known);
    if said.is_empty() {
        return vec![finding("a person", "their review says which")];
    }
    let one_line = |said: &Comment| said.body.split_whitespace().collect::<Vec<_>>().join(" ");
    let by = |said: &Comment| said.author.clone().unwrap_or_else(|| "a person".to_owned());
    said.into_iter().map(|said| finding(&by(said), &one_line(said))).collect()
}
