//! Aborts: the word of whoever dispatches that an agent is to stop what it has.
//!
//! An abort is of the assignment that stood when it was sent. It stands until it is answered, over
//! every later nudge; for work that was given after it, it means nothing.

use std::fmt::Write as _;

use sprag_core::SessionId;
use sprag_core::inbox::Slot;
use sprag_core::prompt::evidence;
use sprag_formats::chipset::Nudge;
use sprag_store::View;

use super::nudge;
use super::seat::Seat;
use crate::engine::EngineError;

/// More of an abort's reason than this is not told unasked.
const REASON: usize = 200;

/// Returns the oldest abort that is not answered of what an agent has, or of what `session` had
/// until it was taken from it.
pub(super) fn standing(
    view: &View<'_>,
    seat: &Seat,
    session: Option<&SessionId>,
) -> Result<Option<Nudge>, EngineError> {
    let Some(since) = seat.slice.abortable(session) else { return Ok(None) };
    let means = |abort: &Nudge| match (abort.seq, abort.at(), seat.assigned) {
        (Some(seq), _, _) => seq > since.0.0,
        // The original's own tools know only the clock.
        (None, Some(at), Some(assigned)) => at >= assigned,
        (None, _, _) => true,
    };
    let (aborts, bad) = nudge::aborts(view, seat.slice.agent())?;
    match (aborts.into_iter().find(means), bad) {
        (Some(abort), _) => Ok(Some(abort)),
        // What cannot be read may be one.
        (None, Some(bad)) => Err(bad),
        (None, None) => Ok(None),
    }
}

/// Returns what an agent is told whose work was aborted: stop, give it back, and say so.
pub(super) fn order(seat: &Seat, abort: &Nudge) -> String {
    let one_line = |text: &str| evidence(text, REASON).trim().replace('\n', " ");
    let (agent, why, from) = (seat.slice.agent(), one_line(&abort.message), one_line(&abort.from));
    let mut text = format!("You are {agent}. ABORT from {from}: \"{why}\". Stop that work now.");
    if let (Slot::Active(unit), Some(attempt)) = (seat.slice.slot(), seat.slice.attempt()) {
        let fence = attempt.fence();
        let _ = write!(
            text,
            "\nGive {unit} back: `sprag agent fail {agent} --fence {fence} --why aborted`."
        );
    }
    let id = abort.id.as_deref().unwrap_or_default();
    let _ = write!(text, "\nThen answer: `sprag agent nudge reply {agent} {id} stopped`.");
    text
}
