//! Drives runs like `sprag run`, without output, for callers with their own display.

use clap::{Args as _, FromArgMatches as _};
use std::ffi::OsString;

use sprag_core::RunId;
use sprag_engine::engine::Engine;
use sprag_run::{RunEnd, Runner, Watch};
use sprag_store::Place;

use super::signals::Ear;
use super::{RunOptions, target, wrong};
use crate::args::run::RunArgs;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// A project whose runs are driven without output.
#[derive(Clone)]
pub(crate) struct HeadlessRun<'a> {
    place: &'a Place,
    environment: &'a [(OsString, OsString)],
    ear: Ear,
}

impl<'a> HeadlessRun<'a> {
    /// From now on the first Ctrl-C holds the driven run.
    pub(crate) fn new(place: &'a Place, environment: &'a [(OsString, OsString)]) -> Self {
        Self { place, environment, ear: Ear::listen() }
    }

    /// Starts the run of a `sprag` command line, with all its commands approved.
    pub(crate) fn start(&self, words: &[&str]) -> Result<RunId, EarlyExit> {
        let asked = typed(words)?;
        let engine = Engine::open(self.place, self.environment)?;
        let kept = RunOptions::of(&engine, &asked, None, (self.place, self.environment))?;
        let run = target::start(&engine, &asked, &kept.json())?;
        let mut asks = engine.drive_commands(&run)?;
        asks.extend(kept.asks(&engine)?);
        engine.drive_approve(&asks)?;
        Ok(run)
    }

    /// Drives a started run as far as possible.
    pub(crate) fn drive(&self, run: &RunId, watch: &dyn Watch) -> Result<RunEnd, EarlyExit> {
        let Self { place, environment, ref ear } = *self;
        let engine = Engine::open(place, environment)?;
        let kept = RunOptions::read(&engine.drive_kept(run)?.unwrap_or_default())?;
        let options = kept.options(&engine, environment)?;
        let one_session = target::in_one_session(&engine, run)?;
        let worktrees = target::worktrees(&engine, run, options.agents)?;
        let runner =
            Runner { place, environment, options, watch, worktrees, forge: None, one_session };
        let outcome = runner.drive(run, |interrupt| ear.drives(interrupt));
        ear.rests();
        outcome.map_err(wrong)
    }
}

fn typed(words: &[&str]) -> Result<RunArgs, EarlyExit> {
    let command = RunArgs::augment_args(clap::Command::new("run"));
    let read =
        command.try_get_matches_from(words).and_then(|found| RunArgs::from_arg_matches(&found));
    Ok(read.map_err(|error| Fault::new(Exit::Usage, Code::Usage, error.to_string()))?)
}
