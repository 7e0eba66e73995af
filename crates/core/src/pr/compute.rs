//! Computes the turn from the forge's data alone.

use super::{Lights, Pull, Said, Turn};
use crate::Time;

/// A turn and its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    pub turn: Turn,
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

/// Returns whether a review or a response comes next.
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

/// Returns the newest time; drafts have none.
fn newest<'a>(said: impl Iterator<Item = &'a Said>) -> Option<Time> {
    said.filter_map(Said::time).max()
}
