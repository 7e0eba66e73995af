//! The source of a run: a workflow, a plan, a milestone tree, a pull request, the inbox, or a task.

use std::ffi::OsString;
use std::time::Duration;

use serde_json::Value;
use sprag_core::pr::TurnRole;
use sprag_core::{Driven, Hold, RunId, Way};
use sprag_engine::drive::{is_inbox, set_up_asks, together};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::inbox;
use sprag_engine::pr::local;
use sprag_engine::run_file::Source;
use sprag_engine::waits::Wait;
use sprag_hosts::Host;
use sprag_run::worktrees::{Worktrees, needs_repository};
use sprag_run::{Options, RunError};
use sprag_store::Place;
use sprag_world::forge::GitHub;

use super::signals::Ear;
use super::{RunOptions, ask, say, typed};
use crate::args::run::RunArgs;
use crate::codes::Code;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::person;

/// Starts a run of the given source, or finds its active run.
pub(super) fn start(engine: &Engine<'_>, asked: &RunArgs, how: &Value) -> Result<RunId, EarlyExit> {
    // Recorded here, so that a later driver starts these programs and not those that an agent wrote
    // into the run's file, even if this driver is killed right after the run began.
    engine.name_hosts(&asked.hosts())?;
    let may_change = typed::may_change(&asked.may_change)?;
    let run = begin(engine, asked, how)?;
    // Without this a run is judged more strictly, so it may come after the beginning.
    engine.may_change(&run, &may_change, &person::name())?;
    Ok(run)
}

fn begin(engine: &Engine<'_>, asked: &RunArgs, how: &Value) -> Result<RunId, EarlyExit> {
    let task = asked.task();
    if let Some(until) = &asked.until {
        return Ok(engine.start_task(&asked.what, until, asked.max, how)?);
    }
    let run = match asked.what.as_str() {
        "plan" => {
            let run = engine.plan_start(task)?;
            nobody_drives(engine, &run)?;
            if let Some(mode) = &asked.mode {
                engine.drive_mode(&run, mode)?;
            }
            run
        }
        "gsd" => engine.milestones(None)?,
        "pr" => engine.review_run("run")?,
        "inbox" => return inbox(engine, asked, how),
        // An existing run, such as one that a session began.
        name if task.is_none() && name.starts_with("r-") => engine.find_run(name)?,
        name => return Ok(engine.start_workflow(name, task.unwrap_or_default(), how)?),
    };
    nobody_drives(engine, &run)?;
    no_session_has(engine, &run)?;
    // A project has only one of each: a repeated command continues it, with the new options.
    engine.drive_keep(&run, how)?;
    given_host(engine, asked, &run)?;
    Ok(run)
}

/// Resumes runs whose host could not be started, if the user names another host.
fn given_host(engine: &Engine<'_>, asked: &RunArgs, run: &RunId) -> Result<(), EarlyExit> {
    let other = Way::OtherHost(Driven::of(run));
    let is_without = |wait: &&Wait| wait.hold.ways().has(&other);
    if !asked.hosts().is_empty() {
        for wait in engine.waits()?.iter().filter(is_without) {
            engine.resume(&wait.run, &person::name())?;
        }
    }
    Ok(())
}

/// Rejects an unknown source before any other error.
pub(super) fn is_known(engine: &Engine<'_>, asked: &RunArgs) -> Result<(), EarlyExit> {
    let (name, task) = (asked.what.as_str(), asked.task());
    let is_run = task.is_none() && name.starts_with("r-");
    if asked.until.is_some() || is_run || matches!(name, "plan" | "gsd" | "pr" | "inbox") {
        return Ok(());
    }
    match engine.find_workflow(name) {
        Ok(_) if task.is_some() => Ok(()),
        Ok(_) => {
            let message = format!("`{name}` has no task");
            let help = format!("write what is to be done: sprag run {name} \"TASK\"");
            Err(Fault::new(Exit::Usage, Code::Usage, message).help(help).into())
        }
        Err(EngineError::NotFound { what }) => {
            let help = "a task is run by sprag run \"TASK\" --until CMD; what else there may be to \
                        run is plan, gsd, pr, inbox, or a run by its name";
            Err(Fault::new(Exit::NotFound, Code::NoRun, what).help(help).safe("sprag").into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Rejects concurrent agents where worktrees are impossible, before anything begins. The phases of
/// a workflow need none.
pub(super) fn can_be_together(
    asked: &RunArgs,
    place: &Place,
    environment: &[(OsString, OsString)],
) -> Result<(), EarlyExit> {
    let together = matches!(asked.what.as_str(), "plan" | "gsd" | "pr" | "inbox");
    if asked.agents.unwrap_or(1) < 2 || !(together || asked.until.is_some()) {
        return Ok(());
    }
    needs_repository(place, environment).map_err(|error| super::wrong(error.into()))
}

/// Begins to drive the inbox, or continues.
fn inbox(engine: &Engine<'_>, asked: &RunArgs, how: &Value) -> Result<RunId, EarlyExit> {
    if let Some(more) = &asked.more {
        let message = format!("the inbox has its own units, and `{}` is none", more.escape_debug());
        let fault = Fault::new(Exit::Usage, Code::Usage, message);
        return Err(fault.help("`sprag agent work add` makes one").into());
    }
    let run = inbox::run()?;
    nobody_drives(engine, &run)?;
    given_host(engine, asked, &run)?;
    Ok(engine.drive_inbox(how)?)
}

/// Returns the earlier options of an existing run, which apply unless typed again. Rejects a run
/// that has a driver.
pub(super) fn driven_before(
    engine: &Engine<'_>,
    place: &Place,
    asked: &RunArgs,
) -> Result<Option<RunOptions>, EarlyExit> {
    let Some(run) = known(engine, asked)? else { return Ok(None) };
    nobody_drives(engine, &run)?;
    // Each worktree has its own plan and milestone tree; all share the inbox.
    if run.as_str().starts_with(&asked.what) && !is_inbox(&run) {
        super::is_here(engine, place, &run)?;
    }
    engine.drive_kept(&run)?.as_ref().map(RunOptions::read).transpose()
}

/// Returns the run that the arguments continue.
fn known(engine: &Engine<'_>, asked: &RunArgs) -> Result<Option<RunId>, EarlyExit> {
    if asked.until.is_some() {
        return Ok(None);
    }
    let task = asked.task();
    let is_meant = |source: &Source| {
        let is_named = source.info().key.is_none() || task.is_none_or(|task| task == source.key());
        source.info().word == asked.what && is_named
    };
    match asked.what.as_str() {
        "inbox" => Ok(Some(inbox::run()?)),
        "plan" | "gsd" | "pr" => {
            let (runs, _) = engine.shown()?;
            let found = runs.into_iter().find(|run| run.ended.is_none() && is_meant(&run.source));
            Ok(found.map(|run| run.id))
        }
        name if task.is_none() && name.starts_with("r-") => Ok(Some(engine.find_run(name)?)),
        _ => Ok(None),
    }
}

/// Rejects changed options for a run that has a driver.
pub(crate) fn nobody_changes(engine: &Engine<'_>, run: &RunId) -> Result<(), EarlyExit> {
    nobody_drives(engine, run).map_err(|stop| match stop {
        EarlyExit::Fault(fault) => {
            let help =
                "it goes on as it began: leave out `--budget` and `--detach`, or end it first";
            fault.help(help).into()
        }
        EarlyExit::Closed => EarlyExit::Closed,
    })
}

/// Rejects a run that has a driver, without waiting.
pub(super) fn nobody_drives(engine: &Engine<'_>, run: &RunId) -> Result<(), EarlyExit> {
    match engine.driven_by(run, Duration::ZERO)? {
        None => Ok(()),
        Some(by) => Err(super::wrong(RunError::Driven { run: run.to_string(), by })),
    }
}

/// Takes a run over from a session that is gone; rejects it if the session is alive.
fn no_session_has(engine: &Engine<'_>, run: &RunId) -> Result<(), EarlyExit> {
    let Some(session) = engine.take_over(run, &person::name())? else { return Ok(()) };
    let message = format!("the session `{session}` works on {run}");
    let help = format!(
        "end that session, then `sprag run {run}` takes it over; also once it was not seen for 10 \
         minutes"
    );
    Err(Fault::new(Exit::Conflict, Code::Refused, message).help(help).safe("sprag").into())
}

/// Returns the named run, or the inbox.
pub(super) fn named(engine: &Engine<'_>, name: &str) -> Result<RunId, EarlyExit> {
    let inbox = inbox::run()?;
    if name == inbox.as_str() { Ok(inbox) } else { Ok(engine.find_run(name)?) }
}

/// Returns whether all agents of a run share one session: the phases of a workflow are one
/// conversation, the tasks of a plan are not.
pub(super) fn in_one_session(engine: &Engine<'_>, run: &RunId) -> Result<bool, EarlyExit> {
    Ok(source(engine, run)?.is_some_and(|source| source.info().one_session))
}

pub(super) fn source(engine: &Engine<'_>, run: &RunId) -> Result<Option<Source>, EarlyExit> {
    if is_inbox(run) {
        return Ok(Some(engine.inbox_source()?));
    }
    let (runs, _) = engine.shown()?;
    let found = runs.into_iter().find(|shown| shown.id == *run);
    Ok(found.map(|shown| shown.source))
}

/// Returns the forge of a pull request's run.
pub(super) fn forge<'p>(
    engine: &Engine<'_>,
    place: &'p Place,
    environment: &'p [(OsString, OsString)],
    run: &RunId,
) -> Result<Option<GitHub<'p>>, EarlyExit> {
    if !source(engine, run)?.is_some_and(|source| source.info().needs_forge) {
        return Ok(None);
    }
    let forge = GitHub::of(&place.root, &local(&place.root)?, environment, engine.review_number()?);
    forge
        .map(Some)
        .map_err(|error| Fault::new(Exit::Failed, Code::Refused, error.to_string()).into())
}

/// Notes which parts of a pull request's loop the chosen agent does because the name in the file is
/// no host.
pub(super) fn stand_ins(engine: &Engine<'_>, options: &Options) -> Result<Vec<String>, EarlyExit> {
    let metadata = engine.review_metadata()?;
    let review_loop = metadata.known().and_then(|known| known.review_loop.as_ref());
    let is_host = |name: &str| Host::from_name(name).is_some();
    let free = options.seats.first().map_or("nobody", |seat| seat.name.as_str());
    let stands_in = |part: TurnRole| {
        let name = review_loop?.agent(part)?;
        let is_other = options.called(name).is_none() && !is_host(name);
        is_other.then(|| format!("{free} works as {}: `{name}` is no host", part.as_str()))
    };
    Ok(TurnRole::ALL.into_iter().filter_map(stands_in).collect())
}

/// Notes other runs whose agents change the same files now; agents in worktrees do not.
pub(super) fn beside(
    engine: &Engine<'_>,
    run: &RunId,
    agents: usize,
) -> Result<Vec<String>, EarlyExit> {
    if is_inbox(run) || apart(engine, run, agents)?.is_some() {
        return Ok(Vec::new());
    }
    let others = engine.driven_here(run)?.into_iter();
    let said = |(id, by)| format!("{id} is driven here, too ({by}): both change the same files");
    Ok(others.map(said).collect())
}

/// Returns the run whose worktrees the agents use, if they use any. A single agent works in the
/// project itself, and so do workflow phases and pull request loops: these run one agent at a time,
/// and they push the branch that is checked out here.
fn apart(engine: &Engine<'_>, run: &RunId, agents: usize) -> Result<Option<RunId>, EarlyExit> {
    let source = source(engine, run)?;
    if agents < 2 || source.as_ref().is_some_and(|source| !source.info().worktrees) {
        return Ok(None);
    }
    // All assignments share one branch, even those that a person resumes alone.
    let is_inbox = source.is_some_and(|source| source.info().is_assigned);
    if is_inbox { Ok(Some(inbox::run()?)) } else { Ok(Some(run.clone())) }
}

/// Returns the worktrees for concurrent agents.
pub(super) fn worktrees(
    engine: &Engine<'_>,
    run: &RunId,
    agents: usize,
) -> Result<Option<Worktrees>, EarlyExit> {
    let Some(run) = apart(engine, run, agents)? else { return Ok(None) };
    let config = engine.drive_config()?;
    let deed = engine.deed();
    let bench = engine.drive_bench(&deed, config.checks);
    let worktrees = Worktrees::planned(&bench, &run, &config.worktree);
    let worktrees = worktrees.map_err(|error| super::wrong(error.into()))?;
    Ok(Some(worktrees.noted(engine.drive_brought(&run)?)))
}

/// Holds a run that needs an unapproved command before any agent starts, and returns the hold. The
/// inbox itself cannot be held.
pub(super) fn unapproved(
    engine: &Engine<'_>,
    run: &RunId,
    agents: usize,
) -> Result<Option<Hold>, EarlyExit> {
    let mut asked = engine.drive_commands(run)?;
    if apart(engine, run, agents)?.is_some() {
        asked.extend(set_up_asks(&engine.drive_config()?.worktree));
    }
    let asked = engine.drive_unapproved(asked)?;
    if asked.is_empty() {
        return Ok(None);
    }
    if is_inbox(run) {
        let message = format!("`{}` is not yet allowed to run here", together(&asked));
        let fault = Fault::new(Exit::NeedsPerson, Code::Refused, message);
        return Err(fault.help("look at it in `.sprag/config.yaml`; `--yes` allows it").into());
    }
    Ok(Some(engine.drive_untrusted(run, &asked)?))
}

/// Returns whether the user allows the commands that a run needs; asks if possible.
pub(super) fn may_run(
    call: &CommandContext,
    engine: &Engine<'_>,
    run: &RunId,
    (kept, yes): (&RunOptions, bool),
    ear: &Ear,
) -> Result<bool, EarlyExit> {
    let mut asked = engine.drive_commands(run)?;
    asked.extend(kept.asks(engine)?);
    let asked = engine.drive_unapproved(asked)?;
    if asked.is_empty() {
        return Ok(true);
    }
    if !yes {
        if !ask::can_ask(call) {
            // An unapproved command holds the run, and the hold names the way on.
            return Ok(true);
        }
        for one in &asked {
            say(call, &format!("{:>12} {}\n", "Allow", call.look.clean(&one.what)))?;
        }
        let said = ask::heard_or_interrupted(ear, "Let this run on your machine? [y/N] ")?;
        if !said.is_some_and(|said| matches!(said.as_str(), "y" | "Y" | "yes")) {
            say(call, &format!("{:>12} nothing was started\n", "Refused"))?;
            return Ok(false);
        }
    }
    engine.drive_approve(&asked)?;
    Ok(true)
}
