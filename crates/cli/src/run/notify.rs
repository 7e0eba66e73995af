//! Tells a person who is not there, by the command of `notify:`; each thing once.

use sprag_core::{Hold, Id};
use sprag_engine::drive::{Told, is_inbox};
use sprag_engine::engine::Engine;
use sprag_engine::waits::Wait;
use sprag_run::Outcome;

use super::summary::again;
use super::words;
use crate::fault::Stop;

/// Tells what a run came to.
pub(super) fn outcome(engine: &Engine<'_>, run: &Id, outcome: &Outcome) -> Result<Told, Stop> {
    match outcome {
        Outcome::Done => {
            let report = format!("sprag report {run}");
            Ok(engine.drive_notify(run, "done", &format!("{run} is done"), &report)?)
        }
        Outcome::Held(hold) => needs_you(engine, run, hold),
        Outcome::Spent { what } => tell(engine, run, what),
        // A person did that.
        Outcome::Cancelled | Outcome::Paused => Ok(Told::Silent),
    }
}

/// Tells that a run, or one unit of it, waits for a person.
pub(super) fn needs_you(engine: &Engine<'_>, run: &Id, hold: &Hold) -> Result<Told, Stop> {
    tell(engine, run, &words::why(hold))
}

fn tell(engine: &Engine<'_>, run: &Id, why: &str) -> Result<Told, Stop> {
    let waits = engine.waits()?;
    // In the inbox it is the run of an assignment that waits.
    let is_it = |wait: &&Wait| (wait.run == *run || is_inbox(run)) && words::why(&wait.hold) == why;
    let command = waits.iter().find(is_it).map_or_else(|| again(run), |wait| wait.command.clone());
    Ok(engine.drive_notify(run, "needs-you", &format!("{run} needs you: {why}"), &command)?)
}
