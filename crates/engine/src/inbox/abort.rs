//! Aborts: a dispatcher's order that an agent stop its work.
//!
//! An abort belongs to the assignment at the time when it was sent. It stays until answered, ahead
//! of every later nudge. It has no effect on work that was assigned after it.

use std::fmt::Write as _;

use sprag_core::SessionId;
use sprag_core::inbox::Slot;
use sprag_core::prompt::evidence;
use sprag_formats::chipset::Nudge;
use sprag_store::View;

use super::assignment_files::AssignmentFiles;
use super::nudge;
use crate::engine::EngineError;

/// The most bytes of an abort's reason that the agent gets.
const REASON: usize = 200;

/// Returns the oldest unanswered abort of an agent's work, or of work that was taken from
/// `session`.
pub(super) fn standing(
    view: &View<'_>,
    seat: &AssignmentFiles,
    session: Option<&SessionId>,
) -> Result<Option<Nudge>, EngineError> {
    let Some(since) = seat.slice.abortable(session) else { return Ok(None) };
    let means = |abort: &Nudge| match (abort.seq, abort.at(), seat.assigned) {
        (Some(seq), _, _) => seq > since.0.0,
        // The original's tools record only times.
        (None, Some(at), Some(assigned)) => at >= assigned,
        (None, _, _) => true,
    };
    let (aborts, bad) = nudge::aborts(view, seat.slice.agent())?;
    match (aborts.into_iter().find(means), bad) {
        (Some(abort), _) => Ok(Some(abort)),
        // The unreadable nudge may be an abort.
        (None, Some(bad)) => Err(bad),
        (None, None) => Ok(None),
    }
}

/// Builds the order for an agent whose work was aborted: stop, give the work back, and report.
pub(super) fn order(seat: &AssignmentFiles, abort: &Nudge) -> String {
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
