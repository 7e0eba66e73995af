//! `sprag next`: what would be worked on now, and why; changes nothing.

mod gsd;
mod plan;
mod rules;

pub(crate) use gsd::dispatched;

use crate::args::Coming;
use crate::call::Call;
use crate::exit::Exit;
use crate::fault::Stop;
use sprag_engine::init::foreign;

/// Says what would be worked on; without a source, in the one that is there.
pub(crate) fn show(call: &Call, coming: &Coming) -> Result<Exit, Stop> {
    match coming {
        Coming::Plan { phase } => plan::show(call, phase.as_deref()),
        Coming::Pr => crate::pr::next(call),
        Coming::Any if has_plans(call)? => plan::show(call, None),
        Coming::Gsd | Coming::Any => gsd::show(call),
    }
}

/// Returns whether there is state of opti-gsd, and none of GSD beside it.
fn has_plans(call: &Call) -> Result<bool, Stop> {
    let found = call.place()?.map(|place| foreign::find(&place.root)).unwrap_or_default();
    Ok(found.iter().any(|one| one.what == "opti-gsd"))
}
