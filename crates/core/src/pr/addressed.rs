//! Finds sprag's own reviews whose round is over, so that they need not be read again.

use super::{Marker, PullRecord};
use crate::RunId;

/// Returns the forge's ids of the reviews of a run whose round is over.
///
/// The forge must confirm that they are the run's own: a marker can be copied.
pub fn addressed(known: &PullRecord, run: &RunId) -> Vec<String> {
    let over = known.review_loop.as_ref().map_or(0, |review_loop| review_loop.round);
    let is_over = |body: &str| Marker::round_of_review(body, run).is_some_and(|one| one <= over);
    let reviews = known.pull.reviews.iter().filter(|review| is_over(&review.body));
    reviews.filter_map(|review| review.id.clone()).collect()
}
