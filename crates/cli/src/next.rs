//! `sprag next`: shows what would be worked on now, and why; changes nothing.

mod gsd;
mod inbox;
mod plan;
mod rules;

pub(crate) use gsd::dispatched;

use crate::args::Coming;
use crate::codes::Code;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use sprag_engine::init::foreign;

/// Shows the next work of a source, or of the source that the project has.
pub(crate) fn show(call: &CommandContext, coming: Option<&Coming>) -> Result<Exit, EarlyExit> {
    match coming {
        Some(Coming::Plan { phase }) => plan::show(call, phase.as_deref()),
        Some(Coming::Pr) => crate::pr::next(call),
        Some(Coming::Inbox) => inbox::show(call),
        Some(Coming::Gsd) => gsd::show(call),
        None => any(call),
    }
}

/// Chooses the source: opti-gsd if present, assignments if there is no GSD, else GSD.
fn any(call: &CommandContext) -> Result<Exit, EarlyExit> {
    let found = call.place()?.map(|place| foreign::find(&place.root)).unwrap_or_default();
    let has = |what: &str| found.iter().any(|one| one.what == what);
    if has("opti-gsd") {
        plan::show(call, None)
    } else if has("assignments") && !found.iter().any(|one| one.path == ".gsd") {
        inbox::show(call)
    } else if found.is_empty() && call.place()?.is_some() {
        let message = "no next step here: no plan, no milestones, no assignments";
        let help = "`sprag run \"TASK\" --until CMD` needs none of them; `sprag` shows the runs";
        Err(Fault::new(Exit::NotFound, Code::NoRun, message).help(help).safe("sprag").into())
    } else {
        gsd::show(call)
    }
}
