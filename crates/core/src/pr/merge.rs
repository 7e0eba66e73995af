//! What a fresh look at the forge changes in what the file says; everything else stays.

use super::position::CiWait;
use super::{Computed, Known, Lights, Patience, Pull, Turn, compute};
use crate::Time;

/// Returns the file's values after a look: only what the forge says is replaced.
///
/// An approval is true of what is in one commit: another commit with the same in it, reworded or
/// moved to another base, keeps it; anything else, and another pull request, does not.
pub fn merge(known: &Known, pull: Pull) -> Known {
    let before = &known.pull;
    let same = before.tree.is_some() && before.tree == pull.tree;
    let other = before.head.is_some() && before.head != pull.head && !same;
    let moved = other || before.number != pull.number;
    Known { approved: known.approved && !moved, pull, ..known.clone() }
}

/// Returns the turn after a look by somebody who starts, resumes or refreshes.
///
/// Between review and response what the forge shows counts. A written wait for checks stays while
/// there are none: they may not have begun.
pub fn recompute(known: &Known) -> Turn {
    let Computed { turn, .. } = compute(&known.pull);
    match known.stored_turn() {
        Some(Turn::CiPending) if known.pull.checks.is_empty() => Turn::CiPending,
        Some(Turn::CiPending | Turn::CiReview | Turn::Review | Turn::Response) | None => turn,
    }
}

/// Returns whether the checks of the head commit have ended for somebody who waits since so many
/// milliseconds.
pub fn ci_ended(pull: &Pull, waited: i64, patience: &Patience) -> bool {
    let start = Time::from_millis(0);
    let wait = CiWait { head: None, since: start, moved: start };
    ci(pull, Some(&wait), patience, start.plus_millis(waited)) != Ci::Pending
}

/// How the checks of the head stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ci {
    Pending,
    Failing,
    Green,
}

/// Returns how the checks stand for a loop that waits since `wait`: none at all is unknown until
/// they had time to begin.
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
