//! Merges fresh data of the forge into the file's content; everything else stays.

use super::position::CiWait;
use super::{Computed, Lights, Patience, Pull, PullRecord, ReviewTurn, compute};
use crate::Time;

/// Replaces the forge's data in the file's content.
///
/// An approval applies to the content of one commit: it survives another commit with the same
/// content, reworded or rebased, but no other change and no other pull request.
pub fn merge(known: &PullRecord, pull: Pull) -> PullRecord {
    let before = &known.pull;
    let same = before.tree.is_some() && before.tree == pull.tree;
    let other = before.head.is_some() && before.head != pull.head && !same;
    let moved = other || before.number != pull.number;
    PullRecord { approved: known.approved && !moved, pull, ..known.clone() }
}

/// Returns the turn after a look at a start, resume or refresh.
///
/// Between review and response the forge's data decide. A stored wait for checks stays while there
/// are no checks: they may not have begun.
pub fn recompute(known: &PullRecord) -> ReviewTurn {
    let Computed { turn, .. } = compute(&known.pull);
    match known.stored_turn() {
        Some(ReviewTurn::CiPending) if known.pull.checks.is_empty() => ReviewTurn::CiPending,
        Some(
            ReviewTurn::CiPending
            | ReviewTurn::CiReview
            | ReviewTurn::Review
            | ReviewTurn::Response,
        )
        | None => turn,
    }
}

/// Returns whether the checks of the head commit have ended, after a wait of `waited` milliseconds.
pub fn ci_ended(pull: &Pull, waited: i64, patience: &Patience) -> bool {
    let start = Time::from_millis(0);
    let wait = CiWait { head: None, since: start, moved: start };
    ci(pull, Some(&wait), patience, start.plus_millis(waited)) != Ci::Pending
}

/// The state of the head commit's checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ci {
    Pending,
    Failing,
    Green,
}

/// Returns the state of the checks for a loop that waits since `wait`: without any checks, the
/// state is pending until they had time to begin.
pub(super) fn ci(pull: &Pull, wait: Option<&CiWait>, patience: &Patience, now: Time) -> Ci {
    let lights = Lights::of(&pull.checks);
    let young = wait.is_some_and(|wait| now.since(wait.moved) < patience.grace);
    if !pull.is_of_head() || !lights.pending.is_empty() || (pull.checks.is_empty() && young) {
        Ci::Pending
    } else if lights.failing.is_empty() {
        Ci::Green
    } else {
        Ci::Failing
    }
}
