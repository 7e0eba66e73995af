//! Work that stands still until a person looks at it: assignments that are held, and units that
//! were tried or lost too often.

use sprag_core::inbox::Status;
use sprag_core::{Agent, DocPath, Driven, Hold, RunId, UnitId};
use sprag_store::View;

use super::mail::names;
use super::own::Polled;
use super::seat::{Seat, UnitToAssign, facts};
use super::{NAME, paths, watch};
use crate::clock;
use crate::drive::assignment::is_over;
use crate::drive::{InboxEnd, inbox_ended};
use crate::engine::EngineError;
use crate::waits::{Still, Wait, command};

/// Returns what an agent's assignment waits for, where only a person can set it going again: it is
/// held, or the watch has told a person of it. One that has a run of its own is not said twice; where
/// that is over, whoever drives the inbox takes the assignment off.
pub(super) fn of_agent(view: &View<'_>, polled: &Polled) -> Option<Wait> {
    let own = polled.slot.unit().zip(polled.fence);
    match own.and_then(|(unit, fence)| is_over(view, unit, fence)) {
        Some(true) => {
            let hold = Hold::DriverGone { by: Driven::Inbox, over: true };
            return wait(polled.agent.as_str(), polled.slot.unit(), &hold);
        }
        Some(false) => return None,
        None => {}
    }
    let hold = match (&polled.hold, polled.slot.status()) {
        (Some(hold), _) => hold.ends().is_none().then(|| hold.clone())?,
        (None, Status::Pending | Status::Active) => watch::told(view, &polled.agent, polled.fence)?,
        (None, Status::Empty | Status::Completed) => return None,
    };
    wait(polled.agent.as_str(), polled.slot.unit(), &hold)
}

/// Returns why the inbox is held as a whole, where it is: its budget is spent.
pub(super) fn of_inbox(view: &View<'_>) -> Result<Option<Wait>, EngineError> {
    let hold = inbox_ended(view)?.and_then(InboxEnd::held);
    Ok(hold.and_then(|hold| wait(NAME, None, &hold)))
}

/// Returns the units that nobody has and nobody can be given. Only those of which something is
/// counted can be such.
pub(super) fn of_units(view: &View<'_>) -> Result<Vec<Wait>, EngineError> {
    let nobody = Agent::parse("nobody")?;
    let mut waits = Vec::new();
    for name in names(view, &DocPath::parse(&format!("{}/units", paths::OURS))?)? {
        let Some(Ok(unit)) = name.strip_suffix(".json").map(UnitId::parse) else { continue };
        let now = clock::now();
        // One that cannot be read is said elsewhere.
        let wanted = Some(UnitToAssign { unit: &unit, title: None });
        let Ok(seat) = Seat::load(view, &nobody, wanted, now) else { continue };
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
