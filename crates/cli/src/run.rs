//! `sprag run`: drives agents until the work is done.

mod after;
mod ask;
mod board;
mod detach;
mod headless_run;
mod keys;
mod live;
mod log;
mod messages;
mod notify;
mod output;
mod own_output;
mod progress;
mod run_options;
mod seats;
pub(crate) mod signals;
mod summary;
mod target;
mod typed;

use std::ffi::OsString;
use std::sync::{Arc, Mutex};

use sprag_core::{Outcome, RunId};
use sprag_engine::drive::{News, is_inbox};
use sprag_engine::engine::{Engine, EngineError};
use sprag_formats::Budget;
use sprag_run::agent::AgentKind;
use sprag_run::{RunEnd, RunError, Runner};
use sprag_store::{Place, StoreError};
use sprag_world::caller::Caller;
use sprag_world::forge::Forge;
use sprag_world::process;

use crate::args::run::RunArgs;
use crate::codes::Code;
use crate::context::{Begins, CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault, is_full};
use crate::style::StreamStyle;
use crate::{env, person, screen};

pub(crate) use after::{After, after_answer};
use board::{Board, bounds};
pub(crate) use headless_run::HeadlessRun;
use keys::{Key, KeyListener};
use log::RunLog;
use output::RunOutput;
use progress::ProgressView;
use run_options::RunOptions;
use signals::{Ear, SignalEffect};
pub(crate) use target::nobody_changes;
pub(crate) use typed::budget_alone as typed_budget;

/// Starts a run and drives it.
pub(crate) fn perform(call: &CommandContext, asked: &RunArgs) -> Result<Exit, EarlyExit> {
    person::only("run")?;
    typed::check(asked)?;
    let place = call.place_to_begin(Begins::Source)?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?.begun_by(Caller::Person);
    if asked.drive {
        return drive_apart(call, &place, &environment, &target::named(&engine, &asked.what)?);
    }
    target::is_known(&engine, asked)?;
    typed::is_found(asked, &call.folder, &engine.drive_config()?.worktree, &environment)?;
    let asked = &typed::said_in(&place.root, &call.folder, asked);
    let before = target::driven_before(&engine, &place, asked)?;
    let kept = RunOptions::of(&engine, asked, before.as_ref(), (&place, &environment))?;
    target::can_be_together(asked, &place, &environment)?;
    let ear = &Ear::listen();
    let run = target::start(&engine, asked, &kept.json())?;
    // A run that is to end at once needs no approval.
    if !ear.is_asked() && !target::may_run(call, &engine, &run, (&kept, asked.yes), ear)? {
        // A run that existed before is not cancelled for that.
        if !run.as_str().starts_with(&asked.what) {
            engine.cancel(&run, &person::name())?;
        }
        return Ok(Exit::NeedsPerson);
    }
    if asked.detach {
        return detach::start(call, &place, &run);
    }
    let (place, environment, run, kept) = (&place, &environment, &run, &kept);
    Drive { call, place, environment, run, kept, ear }.go("Started", None)
}

/// Drives a resumed run again, here or in a detached process. Returns `None` if no driver ever
/// drove it.
pub(crate) fn go_on(
    call: &CommandContext,
    place: &Place,
    environment: &[(OsString, OsString)],
    run: &RunId,
    apart: bool,
) -> Result<Option<Exit>, EarlyExit> {
    let engine = Engine::open(place, environment)?;
    let Some(kept) = engine.drive_kept(run)? else { return Ok(None) };
    if engine.take_over(run, &person::name())?.is_some() {
        // The owning session continues it.
        return Ok(None);
    }
    if apart {
        return detach::start(call, place, run).map(Some);
    }
    let (kept, ear) = (&RunOptions::read(&kept)?, &Ear::listen());
    Drive { call, place, environment, run, kept, ear }.go("Resumed", None).map(Some)
}

/// Rejects a run that was driven in another worktree.
pub(crate) fn is_here(engine: &Engine<'_>, place: &Place, run: &RunId) -> Result<(), EarlyExit> {
    let kept = engine.drive_kept(run)?.as_ref().map(RunOptions::read).transpose()?;
    kept.map_or(Ok(()), |kept| kept.is_here(run, place))
}

/// Sets the new budget of a run driven by `sprag run`.
pub(crate) fn raise(
    engine: &Engine<'_>,
    run: Option<&RunId>,
    budget: &Budget,
) -> Result<(), EarlyExit> {
    let kept = run.map(|run| engine.drive_kept(run)).transpose()?.flatten();
    let (Some(run), Some(kept)) = (run, kept) else {
        let message = "it is not driven by `sprag run`, so it has no budget";
        return Err(Fault::new(Exit::Usage, Code::Usage, message)
            .help("leave out `--budget`")
            .into());
    };
    Ok(engine.drive_keep(run, &RunOptions::read(&kept)?.raised(budget).json())?)
}

/// Drives a run without a terminal; its output goes to the run's log.
fn drive_apart(
    call: &CommandContext,
    place: &Place,
    environment: &[(OsString, OsString)],
    run: &RunId,
) -> Result<Exit, EarlyExit> {
    process::own_session();
    let engine = Engine::open(place, environment)?;
    let kept = &RunOptions::read(&engine.drive_kept(run)?.unwrap_or_default())?;
    let log = RunLog::of(place, run).map_err(StoreError::from)?;
    let ear = &Ear::listen();
    let done = Drive { call, place, environment, run, kept, ear }.go("Started", log);
    if let Err(EarlyExit::Fault(fault)) = &done {
        // Standard error of a driver without a terminal is not read.
        let log = RunLog::of(place, run).map_err(StoreError::from)?;
        fault
            .text(StreamStyle::PLAIN)
            .lines()
            .for_each(|line| log.iter().for_each(|log| log.line(line)));
    }
    done
}

/// The hint if the whole project was deleted while it was driven.
const GONE: &str = "no project is left here, and nothing of the run; `sprag run` begins a new one";

/// A driven run and its options.
struct Drive<'a> {
    call: &'a CommandContext,
    place: &'a Place,
    environment: &'a [(OsString, OsString)],
    run: &'a RunId,
    kept: &'a RunOptions,
    ear: &'a Ear,
}

impl Drive<'_> {
    /// Drives the run as far as possible and prints the summary.
    fn go(&self, verb: &'static str, log: Option<RunLog>) -> Result<Exit, EarlyExit> {
        let Self { call, place, environment, run, kept, ear } = *self;
        let engine = Engine::open(place, environment)?;
        let options = kept.options(&engine, environment)?;
        let (far, chosen) = (engine.drive_far(run)?, kept.chosen());
        let wall = far.wall;
        let teller = Arc::new(RunOutput::new(call, Board::new(far, chosen), log));
        let failures = Mutex::default();
        let progress =
            ProgressView { place, environment, run, teller: Arc::clone(&teller), failures };
        let hosts: Vec<_> = options.seats.iter().map(|seat| seat.name.as_str()).collect();
        let is_priced = options.seats.iter().any(|seat| matches!(seat.kind, AgentKind::Host(_)));
        let most = bounds(&options.budget, &chosen, wall, is_priced);
        progress.begin(verb, &format!("{}{most}", hosts.join(", or ")));
        progress.note(&target::beside(&engine, run, options.agents)?);
        progress.note(&own_output::note(&engine));
        let one_session = target::in_one_session(&engine, run)?;
        let unapproved = target::unapproved(&engine, run, options.agents)?;
        let worktrees = match &unapproved {
            Some(_) => None,
            None => target::worktrees(&engine, run, options.agents)?,
        };
        let forge = target::forge(&engine, place, environment, run)?;
        if forge.is_some() {
            progress.note(&target::stand_ins(&engine, &options)?);
        }
        let forge = forge.as_ref().map(|forge| forge as &(dyn Forge + Sync));
        let watch = &progress;
        let runner = Runner { place, environment, options, watch, worktrees, forge, one_session };
        let again = summary::again(run);
        ear.tells(move |heard| match heard {
            SignalEffect::Pauses => teller.pausing(),
            SignalEffect::Ends => teller.cut_off(&again),
            SignalEffect::Continues => teller.continues(),
        });
        loop {
            let outcome = match unapproved.clone() {
                Some(hold) => Ok(RunEnd::Held(hold)),
                None => self.once(&runner, &progress.teller),
            };
            let outcome = outcome.map_err(|error| self.failed(&engine, error))?;
            if !ask::answered(call, &engine, run, &progress.source(), &outcome)? {
                return summary::tell(self, &engine, &outcome, &progress, &runner);
            }
        }
    }

    /// Drives the run until it stops.
    fn once(&self, runner: &Runner<'_>, teller: &Arc<RunOutput>) -> Result<RunEnd, RunError> {
        let ear = self.ear;
        teller.go_live();
        let mut keys = None;
        let begun = |interrupt| {
            ear.drives(interrupt);
            if teller.is_live() {
                let (ear, teller) = (ear.clone(), Arc::clone(teller));
                keys = KeyListener::listen(move |key| match key {
                    Key::Status => teller.status(),
                    Key::Pause if ear.pause() => teller.pausing(),
                    Key::Pause => {}
                });
            }
        };
        let outcome = if is_inbox(self.run) {
            runner.drive_inbox(self.run, begun)
        } else {
            runner.drive(self.run, begun)
        };
        ear.rests();
        drop(keys);
        teller.rest();
        outcome
    }

    /// Returns the message for a ruined state or another driver.
    fn wrong_here(&self, error: RunError) -> EarlyExit {
        let is_gone = matches!(self.call.place(), Ok(None));
        match (wrong(error), is_gone) {
            (EarlyExit::Fault(fault), true) => fault.help(GONE).into(),
            (stop, _) => stop,
        }
    }

    /// Notifies an absent user that the run could not be driven.
    fn failed(&self, engine: &Engine<'_>, error: RunError) -> EarlyExit {
        // Nothing is written into a ruined state, and a run with another driver continues.
        if matches!(error, RunError::Ruined { .. } | RunError::Driven { .. }) {
            return self.wrong_here(error);
        }
        let text = format!("{} could not go on: {error}", self.run);
        let command = format!("sprag resume {}", self.run);
        // If the notification fails, the exit code still shows it.
        let _ = engine.drive_notify(
            self.run,
            &News { what: Outcome::Failed.as_str(), unit: None, text: &text, command: &command },
        );
        stopped(error, &command)
    }
}

/// Returns the error for a run that could not continue, with the way to resume it if the disk was
/// full.
fn stopped(error: RunError, command: &str) -> EarlyExit {
    let is_full = matches!(
        &error,
        RunError::Engine(EngineError::Store(StoreError::Path(error))) if is_full(&error.source)
    );
    match wrong(error) {
        EarlyExit::Fault(fault) if is_full => {
            fault.help(format!("make room, then `{command}`")).human(command).into()
        }
        stop @ (EarlyExit::Closed | EarlyExit::Fault(_)) => stop,
    }
}

/// Returns the error for something that could not be driven.
pub(crate) fn wrong(error: RunError) -> EarlyExit {
    match error {
        RunError::Engine(error) => error.into(),
        RunError::Driven { ref by, .. } => {
            let fault = Fault::new(Exit::Conflict, Code::Refused, error.to_string());
            let kill = by.process().map_or_else(String::new, |id| format!(", or with `kill {id}`"));
            fault.help(format!("wait for it, or pause it: Ctrl-C there{kill}")).into()
        }
        RunError::Ruined { .. } => {
            let fault = Fault::new(Exit::Unreadable, Code::State, error.to_string());
            fault.help("none of it was taken; `sprag doctor` shows what can be read").into()
        }
        RunError::Yard(_) | RunError::Restless | RunError::NoPipe(_) => {
            Fault::new(Exit::Failed, Code::Refused, error.to_string()).into()
        }
        RunError::NotStarted { .. } => {
            let fault = Fault::new(Exit::NotFound, Code::Refused, error.to_string());
            fault.help("`sprag run RUN --host NAME` names another one").into()
        }
    }
}

/// Prints a line in text mode.
fn say(call: &CommandContext, text: &str) -> Result<(), EarlyExit> {
    match call.answer {
        OutputFormat::Text => screen::print(text),
        OutputFormat::Json => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use sprag_store::PathError;

    use super::*;

    #[test]
    fn a_run_that_a_full_disk_stopped_names_the_command_that_goes_on() {
        let source = std::io::ErrorKind::StorageFull.into();
        let error = PathError { action: "write", path: "/p/agents.json".into(), source };
        let error = RunError::Engine(StoreError::Path(error).into());
        let EarlyExit::Fault(fault) = stopped(error, "sprag resume r-1") else {
            panic!("no fault")
        };
        assert_eq!(fault.exit, Exit::Failed);
        assert_eq!(fault.diagnostic.help.unwrap(), "make room, then `sprag resume r-1`");
        assert_eq!(fault.next.human, ["sprag resume r-1"]);
    }
}
