//! `sprag run --detach`: the driver goes on without this terminal.

use std::ffi::OsStr;

use serde_json::json;
use sprag_core::Id;
use sprag_engine::process;
use sprag_store::Place;

use super::log;
use crate::call::{Answer, Call};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Next, Stop};
use crate::screen;

/// Starts the driver of a run apart, and says how to look at it and how to end it.
pub(super) fn start(call: &Call, place: &Place, run: &Id) -> Result<Exit, Stop> {
    let words = ["run", "--drive", run.as_str()].map(OsStr::new);
    let pid = process::detached(&words, &place.root).map_err(|error| {
        let message = format!("the driver cannot be started: {error}");
        Fault::new(Exit::Failed, Code::Refused, message).human(&format!("sprag resume {run}"))
    })?;
    let watch = format!("sprag log --follow {run}");
    let (pause, cancel) = (format!("sprag pause {run}"), format!("sprag cancel {run}"));
    match call.answer {
        Answer::Text => {
            let rows = [
                ("Detached", format!("{run}  process {pid}, without this terminal")),
                ("Output", log::path(run)),
                ("Watch", watch),
                ("Pause", format!("{pause}    agents end what they are at, nobody begins")),
                ("End", cancel),
            ];
            let rows = rows.map(|(verb, text)| format!("{verb:>12} {text}\n"));
            screen::print(&rows.concat())?;
        }
        Answer::Json => screen::print_json(&json!({
            "ok": true, "run": run.as_str(), "process": pid, "output": log::path(run),
            "next": Next { safe: vec![watch], human: vec![pause, cancel] },
        }))?,
    }
    Ok(Exit::Done)
}
