//! `sprag next`: what would be dispatched now, and why; changes nothing.

mod gsd;

use crate::call::Call;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};

/// What can be asked.
pub(crate) const SOURCES: [&str; 2] = ["gsd", "pr"];

/// Says what would be dispatched from a source; without one, from the only one that is there.
pub(crate) fn show(call: &Call, source: Option<&str>) -> Result<Exit, Stop> {
    match source {
        Some("gsd") | None => gsd::show(call),
        Some("pr") => crate::pr::next(call),
        Some(other) => {
            let message = format!("`{}` is no source of units", other.escape_debug());
            let help = format!("ask for one of: {}", SOURCES.join(", "));
            Err(Fault::new(Exit::Usage, Code::Usage, message).help(help).into())
        }
    }
}
