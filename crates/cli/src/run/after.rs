//! Determines the next step after a person's answer.

use sprag_core::RunId;
use sprag_engine::drive::{Driver, SEAT};
use sprag_engine::engine::Engine;
use sprag_engine::inbox;

use super::summary::again;
use super::target;
use crate::fault::EarlyExit;

/// The next step after a person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The driver continues the run.
    Driven(Driver),
    /// The user must run this command.
    Type(String),
    /// The run is over, or a session continues it.
    Nothing,
}

/// Returns the next step after an answer to a run; `None` means work of the inbox.
pub(crate) fn after_answer(engine: &Engine<'_>, run: Option<&RunId>) -> Result<After, EarlyExit> {
    let inbox = inbox::run()?;
    let run = run.unwrap_or(&inbox);
    if let Some(driver) = engine.driven_by(run, SEAT)? {
        return Ok(After::Driven(driver));
    }
    // The run may have another wait, such as a missing driver.
    if let Some(wait) = engine.waits()?.into_iter().find(|wait| wait.run == *run) {
        return Ok(After::Type(wait.command));
    }
    // The run may be over, but the inbox driver must still clear the assignment.
    if target::source(engine, run)?.is_none_or(|source| !source.info().is_assigned) {
        return Ok(After::Nothing);
    }
    Ok(match engine.driven_by(&inbox, SEAT)? {
        Some(driver) => After::Driven(driver),
        None if engine.drive_kept(&inbox)?.is_some() => After::Type(again(&inbox)),
        None => After::Nothing,
    })
}
