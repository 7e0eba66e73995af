//! `sprag next`: what would be worked on now, and why; changes nothing.

mod gsd;
mod plan;
mod rules;

use crate::args::Coming;
use crate::call::Call;
use crate::exit::Exit;
use crate::fault::Stop;

/// Says what would be worked on; without a source, in the one that is there.
pub(crate) fn show(call: &Call, coming: &Coming) -> Result<Exit, Stop> {
    match coming {
        Coming::Plan { phase } => plan::show(call, phase.as_deref()),
        Coming::Pr => crate::pr::next(call),
        Coming::Any if has_plans(call)? => plan::show(call, None),
        Coming::Gsd | Coming::Any => gsd::show(call),
    }
}

/// Returns whether `.gsd` is one of opti-gsd: it has phases and no milestones.
fn has_plans(call: &Call) -> Result<bool, Stop> {
    let folder = call.place()?.map(|place| place.root.join(".gsd"));
    Ok(folder.is_some_and(|gsd| gsd.join("phases").is_dir() && !gsd.join("milestones").is_dir()))
}
