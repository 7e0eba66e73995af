//! What is left to do once a person has answered what waited.

use sprag_core::RunId;
use sprag_engine::drive::{Driver, SEAT};
use sprag_engine::engine::Engine;
use sprag_engine::inbox;
use sprag_engine::run_file::Source;

use super::source;
use super::summary::again;
use crate::fault::Stop;

/// What is left to do once a person has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// Whoever drives it goes on.
    Driven(Driver),
    /// A person types this.
    Type(String),
    /// It is over, or a session goes on with it.
    Nothing,
}

/// Returns what is left to do after an answer to a run; without one, to work of the inbox.
pub(crate) fn after_answer(engine: &Engine<'_>, run: Option<&RunId>) -> Result<After, Stop> {
    let inbox = inbox::run()?;
    let run = run.unwrap_or(&inbox);
    if let Some(driver) = engine.driven_by(run, SEAT)? {
        return Ok(After::Driven(driver));
    }
    // Something else may wait in it; one that nobody drives any more waits, too.
    if let Some(wait) = engine.waits()?.into_iter().find(|wait| wait.run == *run) {
        return Ok(After::Type(wait.command));
    }
    // Its run may be over: whoever drives the inbox takes the assignment off.
    if source::source(engine, run)? != Some(Source::Assignment) {
        return Ok(After::Nothing);
    }
    Ok(match engine.driven_by(&inbox, SEAT)? {
        Some(driver) => After::Driven(driver),
        None if engine.drive_kept(&inbox)?.is_some() => After::Type(again(&inbox)),
        None => After::Nothing,
    })
}
