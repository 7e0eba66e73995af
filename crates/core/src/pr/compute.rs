//! Computes the turn from the forge's data alone.

use super::{Comment, Lights, Pull, ReviewTurn};
use crate::Time;

/// A turn and its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    pub turn: ReviewTurn,
    /// The facts that were considered, in order.
    pub why: Vec<String>,
}

/// Computes the turn.
///
/// Running checks come before failed ones, so that a failure is handled when all checks have ended;
/// an answer in the same second as a review counts as an answer. Approval and the forge's own
/// decision are ignored.
pub fn compute(pull: &Pull) -> Computed {
    let mut why = Vec::new();
    let lights = Lights::of(&pull.checks);
    if !pull.is_of_head() {
        why.push("the forge has another commit than this folder".to_owned());
        return Computed { turn: ReviewTurn::CiPending, why };
    }
    if pull.checks.is_empty() {
        why.push("no CI checks".to_owned());
    } else {
        why.push(counted("pending", &lights.pending));
        why.push(counted("failing", &lights.failing));
    }
    if !lights.advisory.is_empty() {
        why.push(format!("not required: {}", lights.advisory.join(", ")));
    }
    why.extend(pull.conditions().map(|what| format!("for a person: {what}")));
    let turn = if !lights.pending.is_empty() {
        ReviewTurn::CiPending
    } else if !lights.failing.is_empty() {
        ReviewTurn::CiReview
    } else {
        words(pull, &mut why)
    };
    Computed { turn, why }
}

fn counted(what: &str, names: &[String]) -> String {
    let of = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    format!("{what}={}{of}", names.len())
}

/// Returns whether a review or a response comes next.
fn words(pull: &Pull, why: &mut Vec<String>) -> ReviewTurn {
    why.push(format!("reviewCount={}", pull.review_count));
    if pull.review_count == 0 {
        return ReviewTurn::Review;
    }
    let Some(review) = newest(pull.reviews.iter()) else {
        why.push("no review is left that is not minimized".to_owned());
        return ReviewTurn::Review;
    };
    let Some(answer) = newest(pull.answers()) else {
        why.push("no comment answers the latest review".to_owned());
        return ReviewTurn::Response;
    };
    if review > answer {
        why.push(format!("latest review {review} is after latest comment {answer}"));
        return ReviewTurn::Response;
    }
    why.push(format!("latest comment {answer} is after latest review {review}"));
    ReviewTurn::Review
}

/// Returns the newest time; drafts have none.
fn newest<'a>(said: impl Iterator<Item = &'a Comment>) -> Option<Time> {
    said.filter_map(Comment::time).max()
}
