//! Lists work that waits for a person: held assignments, and units with too many tries or losses.

use sprag_core::inbox::AssignmentStatus;
use sprag_core::{Agent, DocPath, Driven, Hold, RunId, UnitId};
use sprag_store::View;
use sprag_world::clock;

use super::assignment_files::{AssignmentFiles, UnitToAssign, facts};
use super::is_over;
use super::mail::names;
use super::own::Polled;
use super::{NAME, paths, watch};
use crate::agents_file::InboxEnd;
use crate::agents_file::inbox_ended;
use crate::engine::EngineError;
use crate::engine::kind::Kinds;
use crate::wait::{Still, Wait, command};

/// Returns an agent's hold that only a person can resolve: the assignment is held, or the watch
/// reported it. An assignment with its own run is not listed twice; once that run is over, the
/// inbox driver clears the assignment.
pub(super) fn of_agent(kinds: Kinds, view: &View<'_>, polled: &Polled) -> Option<Wait> {
    let own = polled.slot.unit().zip(polled.fence);
    match own.and_then(|(unit, fence)| is_over(kinds, view, unit, fence)) {
        Some(true) => {
            let hold = Hold::DriverGone { by: Driven::Inbox, over: true };
            return wait(polled.agent.as_str(), polled.slot.unit(), &hold);
        }
        Some(false) => return None,
        None => {}
    }
    let hold = match (&polled.hold, polled.slot.status()) {
        (Some(hold), _) => hold.ends().is_none().then(|| hold.clone())?,
        (None, AssignmentStatus::Pending | AssignmentStatus::Active) => {
            watch::told(view, &polled.agent, polled.fence)?
        }
        (None, AssignmentStatus::Empty | AssignmentStatus::Completed) => return None,
    };
    wait(polled.agent.as_str(), polled.slot.unit(), &hold)
}

/// Returns the hold on the whole inbox, if its budget is spent.
pub(super) fn of_inbox(view: &View<'_>) -> Result<Option<Wait>, EngineError> {
    let hold = inbox_ended(view)?.and_then(InboxEnd::held);
    Ok(hold.and_then(|hold| wait(NAME, None, &hold)))
}

/// Returns unassigned units that cannot be assigned. Only units with counters can be in this state.
pub(super) fn of_units(view: &View<'_>) -> Result<Vec<Wait>, EngineError> {
    let nobody = Agent::parse("nobody")?;
    let mut waits = Vec::new();
    for name in names(view, &DocPath::parse(&format!("{}/units", paths::OURS))?)? {
        let Some(Ok(unit)) = name.strip_suffix(".json").map(UnitId::parse) else { continue };
        let now = clock::now();
        // Unreadable units are reported elsewhere.
        let wanted = Some(UnitToAssign { unit: &unit, title: None });
        let Ok(seat) = AssignmentFiles::load(view, &nobody, wanted, now) else { continue };
        let hold = seat.slice.held(&facts(view, now));
        waits.extend(hold.and_then(|hold| wait(unit.as_str(), Some(&unit), &hold)));
    }
    Ok(waits)
}

fn wait(name: &str, unit: Option<&UnitId>, hold: &Hold) -> Option<Wait> {
    let run = RunId::parse(name).ok()?;
    let command = command(&run, hold);
    Some(Wait { run, still: Still::Work, unit: unit.cloned(), hold: hold.clone(), command })
}
