//! The turn as a function of what the forge says, and of nothing else.

use super::{Lights, Pull, Said, Turn};
use crate::Time;

/// A turn, and what led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// Whose turn it is.
    pub turn: Turn,
    /// What was looked at, in order.
    pub why: Vec<String>,
}

/// Returns whose turn it is.
///
/// What runs comes before what failed, so that a red check is acted on when all have ended; an
/// answer in the very second of a review counts as one. Approval and the forge's own decision do
/// not enter.
pub fn compute(pull: &Pull) -> Computed {
    let mut why = Vec::new();
    let lights = Lights::of(&pull.checks);
    if !pull.is_of_head() {
        why.push("the forge has another commit than this folder".to_owned());
        return Computed { turn: Turn::CiPending, why };
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
        Turn::CiPending
    } else if !lights.failing.is_empty() {
        Turn::CiReview
    } else {
        words(pull, &mut why)
    };
    Computed { turn, why }
}

fn counted(what: &str, names: &[String]) -> String {
    let of = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    format!("{what}={}{of}", names.len())
}

/// Returns whether a review or an answer to one comes next.
fn words(pull: &Pull, why: &mut Vec<String>) -> Turn {
    why.push(format!("reviewCount={}", pull.review_count));
    if pull.review_count == 0 {
        return Turn::Review;
    }
    let Some(review) = newest(pull.reviews.iter()) else {
        why.push("no review is left that is not minimized".to_owned());
        return Turn::Review;
    };
    let Some(answer) = newest(pull.answers()) else {
        why.push("no comment answers the latest review".to_owned());
        return Turn::Response;
    };
    if review > answer {
        why.push(format!("latest review {review} is after latest comment {answer}"));
        return Turn::Response;
    }
    why.push(format!("latest comment {answer} is after latest review {review}"));
    Turn::Review
}

/// Returns the newest moment; what has none, a draft, was not said yet.
fn newest<'a>(said: impl Iterator<Item = &'a Said>) -> Option<Time> {
    said.filter_map(Said::time).max()
}
