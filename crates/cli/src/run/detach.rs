//! `sprag run --detach`: the driver continues without this terminal.

use std::ffi::OsStr;

use serde_json::json;
use sprag_core::RunId;
use sprag_engine::drive::is_inbox;
use sprag_store::Place;
use sprag_world::process;

use super::log;
use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault, Next};
use crate::screen;

/// Starts a detached driver, and prints how to watch it and how to end it.
pub(super) fn start(call: &CommandContext, place: &Place, run: &RunId) -> Result<Exit, EarlyExit> {
    let words = ["run", "--drive", run.as_str()].map(OsStr::new);
    let pid = process::detached(&words, &place.root).map_err(|error| {
        let message = format!("the driver cannot be started: {error}");
        Fault::new(Exit::Failed, Code::Refused, message).human(&format!("sprag resume {run}"))
    })?;
    let tail = format!("tail -f {}", log::path(run));
    let kill = format!("kill {pid}");
    let (watch, pause, end) = if is_inbox(run) {
        // The inbox is no run that could be held or cancelled.
        (tail, (kill.clone(), "agents are ended, nothing is lost"), kill)
    } else {
        let pause =
            (format!("sprag pause {run}"), "agents finish their units, and no new one begins");
        (format!("sprag log --follow {run}"), pause, format!("sprag cancel {run}"))
    };
    match call.answer {
        OutputFormat::Text => {
            let rows = [
                ("Detached", format!("{run}  process {pid}, without this terminal")),
                ("Output", log::path(run)),
                ("Watch", watch),
                ("Pause", format!("{}    {}", pause.0, pause.1)),
                ("End", end),
            ];
            let rows = rows.map(|(verb, text)| format!("{verb:>12} {text}\n"));
            screen::print(&rows.concat())?;
        }
        OutputFormat::Json => screen::print_json(&json!({
            "ok": true, "run": run.as_str(), "process": pid, "output": log::path(run),
            "next": Next { safe: vec![watch], human: vec![pause.0, end] },
        }))?,
    }
    Ok(Exit::Done)
}
