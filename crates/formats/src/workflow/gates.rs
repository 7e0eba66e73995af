//! sprag's own keys of a phase: gates, retry, review, limits and consents.
//!
//! An invalid gate rejects the workflow: without it, the phase would pass work that its author
//! wanted held.

use sprag_core::workflow::{Phase, Review};

use super::problem::{ProblemList, ProblemPosition};
use crate::config::{count, limits, retry};
use crate::gates::{Faults, gates, may_change};
use crate::rules::level;
use crate::{Fault, Field, keys};

/// Reads sprag's own keys into `phase`.
pub(super) fn read(
    top: &Field<'_>,
    spot: &impl Fn(usize) -> ProblemPosition,
    phase: &mut Phase,
    report: &mut ProblemList,
) {
    let mut faults = Faults::default();
    if let Some(field) = top.optional(&["gates"]) {
        phase.gates = gates(&field, &mut faults);
    }
    if let Some(field) = top.optional(&["retry"]) {
        phase.retry = retry(&field, &mut faults);
    }
    if let Some(field) = top.optional(&["review"]) {
        faults.note_unknown(&field, &keys::REVIEW);
        phase.review = faults.take(review(&field));
    }
    phase.limits = limits(top, &mut faults);
    phase.may_change = may_change(top, &mut faults);
    for fault in faults.notes.iter().chain(&faults.errors) {
        report.fault(spot(fault.span.start()), fault);
    }
}

fn review(field: &Field<'_>) -> Result<Review, Fault> {
    let text = |field: Field<'_>| field.as_str().map(str::to_owned);
    let word = |field: Field<'_>| level(&field).map(|level| level.as_str().to_owned());
    Ok(Review {
        reviewer: text(field.need(&["reviewer"])?)?,
        max_rounds: field.optional(&["max_rounds"]).map(|max| count(&max)).transpose()?,
        level: field.optional(&["level"]).map(word).transpose()?,
    })
}
