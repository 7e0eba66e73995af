//! The commands for persons only: approve, pause, resume, cancel. Agents are rejected.

use std::time::Duration;

use serde_json::json;
use sprag_core::{Hold, Id, RunId, SessionId, UnitId};
use sprag_engine::drive::{SEAT, is_inbox};
use sprag_engine::engine::Engine;
use sprag_engine::waits::{ListedRun, Still, Wait};
use sprag_formats::duration;
use sprag_store::Place;
use sprag_world::caller::{Caller, caller};

use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::doubts;
use crate::env;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault, Next};
use crate::run::After;
use crate::screen;

/// Rejects agents; returns the user's name for the journal.
pub(crate) fn only(verb: &str) -> Result<String, EarlyExit> {
    if let Caller::Agent { mark } = caller(env::is_set) {
        let message =
            format!("only a person may run `sprag {verb}`, and this looks like an agent ({mark})");
        return Err(Fault::new(Exit::NeedsPerson, Code::PersonsOnly, message)
            .help(format!("ask your person to run `sprag {verb}`"))
            .human(&format!("sprag {verb}"))
            .into());
    }
    Ok(name())
}

/// Returns the user's name for the journal.
pub(crate) fn name() -> String {
    let user = env::get(env::USER).and_then(|name| name.into_string().ok());
    user.unwrap_or_else(|| "person".to_owned())
}

/// Approves a waiting question, or waives a gate.
pub(crate) fn approve(
    call: &CommandContext,
    what: Option<&str>,
    (gate, waive): (Option<&str>, Option<&str>),
    yes: bool,
) -> Result<Exit, EarlyExit> {
    let by = only("approve")?;
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    if gate.is_none()
        && waive.is_none()
        && let Some((run, settled)) = doubts::agree(call, &engine, what, yes, &by)?
    {
        // A run that waited only for this continues.
        let held = engine.waits()?.into_iter().any(|wait| wait.run == run);
        let more = if held { engine.approve(&run, None, &by).ok() } else { None };
        let said = more.map_or(settled.clone(), |more| format!("{settled}\n{more}"));
        return tell_answered(call, &engine, &said, Some(&run));
    }
    let (said, run) = if let Some(why) = waive {
        let (run, gate) = gate_of(&engine, what, gate)?;
        (engine.waive(&run, &gate, why, &by)?, Some(run))
    } else if let Some(name) = work(&engine, what)?.filter(|_| gate.is_none()) {
        (go_on(&engine, &name, &by)?, None)
    } else if let Some(text) = gate {
        let (run, _) = waiting(&engine, what)?;
        (engine.answer(&run, text, &by)?, Some(run))
    } else {
        let (run, shown) = waiting(&engine, what)?;
        (engine.approve(&run, shown.as_ref(), &by)?, Some(run))
    };
    tell_answered(call, &engine, &said, run.as_ref())
}

/// Holds a run, or releases a session.
pub(crate) fn pause(
    call: &CommandContext,
    what: Option<&str>,
    length: Option<&str>,
    why: Option<&str>,
) -> Result<Exit, EarlyExit> {
    let by = only("pause")?;
    let length = length.map(read_length).transpose()?;
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let why = why.unwrap_or("by a person");
    let said = match target(&engine, what)? {
        CommandTarget::Run(run) => engine.pause(&run, why, length, &by)?,
        CommandTarget::Session(session) => engine.pause_session(&session, why, length, &by)?,
    };
    tell(call, &said)
}

/// Resumes a run, or holds a session again.
pub(crate) fn resume(
    call: &CommandContext,
    what: Option<&str>,
    budget: &[String],
    apart: bool,
) -> Result<Exit, EarlyExit> {
    let by = only("resume")?;
    let budget = crate::run::typed_budget(budget)?;
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let free = engine.free_sessions()?.into_iter().next();
    let (said, run) = match (what, free) {
        (None, Some(session)) => return tell(call, &engine.resume_session(&session, &by)?),
        (what, _) => match work(&engine, what)? {
            Some(name) => (go_on(&engine, &name, &by)?, None),
            None => resume_named(&engine, &place, what, budget.is_some() || apart, &by)?,
        },
    };
    if let Some(budget) = &budget {
        crate::run::raise(&engine, run.as_ref(), budget)?;
    }
    let Some(run) = run else { return tell_answered(call, &engine, &said, None) };
    // A driver that ends right now does not continue it.
    if let Some(driver) = engine.driven_by(&run, SEAT)? {
        return tell(call, &format!("{said}, driven by {driver}"));
    }
    // A run that had an outside driver is driven again.
    match crate::run::go_on(call, &place, &environment, &run, apart)? {
        Some(exit) => Ok(exit),
        None => tell(call, &said),
    }
}

/// Resumes the named target, or the only one that waits. Returns its run, if it is a run.
fn resume_named(
    engine: &Engine<'_>,
    place: &Place,
    what: Option<&str>,
    has_options: bool,
    by: &str,
) -> Result<(String, Option<RunId>), EarlyExit> {
    let target = match what {
        None => Ok(CommandTarget::Run(waiting(engine, None)?.0)),
        Some(name) => target(engine, Some(name)),
    };
    match (target, what) {
        (Ok(CommandTarget::Run(run)), _) => {
            crate::run::is_here(engine, place, &run)?;
            // Its driver resumes a run that a person held, with the options it began with.
            if has_options {
                crate::run::nobody_changes(engine, &run)?;
            }
            let driver = engine.driven_by(&run, SEAT)?;
            if driver.is_some() && !engine.stands_still(&run)? {
                return Ok((format!("{run}: goes on already"), Some(run)));
            }
            Ok((engine.resume(&run, by)?, Some(run)))
        }
        (Ok(CommandTarget::Session(session)), _) => {
            Ok((engine.resume_session(&session, by)?, None))
        }
        // There is no such run; an agent or a unit of work may have that name.
        (Err(none), name) => match name.and_then(|name| Id::parse(name).ok()) {
            Some(name) => Ok((go_on_named(engine, &name, by)?.ok_or(none)?, None)),
            None => Err(none),
        },
    }
}

/// Opens the unit with that name, or resumes the agent's assignment.
fn go_on_named(engine: &Engine<'_>, name: &Id, by: &str) -> Result<Option<String>, EarlyExit> {
    let unit = UnitId::parse(name.as_str()).ok();
    match unit.map(|unit| engine.work_open(&unit, by)).transpose()?.flatten() {
        Some(said) => Ok(Some(said)),
        None => Ok(engine.resume_work(name, by)?),
    }
}

/// Resumes work of the inbox.
fn go_on(engine: &Engine<'_>, name: &RunId, by: &str) -> Result<String, EarlyExit> {
    if let Some(said) = engine.resume_work(name.as_ref(), by)? {
        return Ok(said);
    }
    // The inbox as a whole is resumed by driving it.
    let mut waits = engine.waits()?.into_iter().filter(|_| is_inbox(name));
    if let Some(wait) = waits.find(|wait| wait.run == *name) {
        let fault = Fault::new(Exit::Failed, Code::Refused, format!("{name}: {}", wait.hold));
        return Err(fault.help(format!("type `{}`", wait.command)).human(&wait.command).into());
    }
    let message = format!("{name} does not wait for you any more");
    Err(Fault::new(Exit::NotFound, Code::NoRun, message).help("`sprag` lists what does").into())
}

/// Returns the agent or unit that is meant, if that waits rather than a run. It is found by its
/// name, by its number in the list, or because nothing else waits.
fn work(engine: &Engine<'_>, what: Option<&str>) -> Result<Option<RunId>, EarlyExit> {
    let waits = engine.waits()?;
    let meant = match what.map(|name| (name, name.parse::<usize>())) {
        None => waits.first().filter(|_| waits.len() == 1),
        Some((_, Ok(number))) => number.checked_sub(1).and_then(|at| waits.get(at)),
        Some((name, Err(_))) => waits.iter().find(|wait| wait.run.as_str() == name),
    };
    Ok(meant.filter(|wait| wait.still == Still::Work).map(|wait| wait.run.clone()))
}

/// Ends a run for good.
pub(crate) fn cancel(call: &CommandContext, what: Option<&str>) -> Result<Exit, EarlyExit> {
    let by = only("cancel")?;
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let run = match what {
        Some(name) => named(&engine, name)?.0,
        None => only_run(&engine, "cancel")?,
    };
    tell(call, &engine.cancel(&run, &by)?)
}

/// The target of a command.
enum CommandTarget {
    Run(RunId),
    Session(SessionId),
}

/// Finds a run or a session; without a name the only session, else the only run.
fn target(engine: &Engine<'_>, name: Option<&str>) -> Result<CommandTarget, EarlyExit> {
    if let Some(name) = name {
        return match SessionId::parse(name) {
            Ok(session) if engine.knows_session(&session)? => Ok(CommandTarget::Session(session)),
            Ok(_) | Err(_) => Ok(CommandTarget::Run(named(engine, name)?.0)),
        };
    }
    let mut names = engine.sessions()?.into_iter();
    match (names.next(), names.next()) {
        (Some(one), None) => Ok(CommandTarget::Session(one)),
        (Some(one), Some(other)) => {
            let all: Vec<_> = [one, other].into_iter().chain(names).collect();
            let all: Vec<_> = all.iter().map(SessionId::as_str).collect();
            Err(several("more than one session is here", &all, "pause"))
        }
        (None, _) => only_run(engine, "pause").map(CommandTarget::Run),
    }
}

/// Finds a run by its name, by a prefix, or by its number in the list of waits. A number also
/// selects the specific hold.
pub(crate) fn named(engine: &Engine<'_>, name: &str) -> Result<(RunId, Option<Hold>), EarlyExit> {
    if let Ok(number) = name.parse::<usize>() {
        let waits = engine.waits()?;
        let found = number.checked_sub(1).and_then(|at| waits.get(at));
        return found.map(|wait| (wait.run.clone(), Some(wait.hold.clone()))).ok_or_else(|| {
            let message = format!("{} wait for you, so there is no number {number}", waits.len());
            Fault::new(Exit::NotFound, Code::NoRun, message).help("`sprag` lists them").into()
        });
    }
    Ok((engine.find_run(name)?, None))
}

/// Finds the run that waits for a person; without a name there must be only one.
pub(crate) fn waiting(
    engine: &Engine<'_>,
    name: Option<&str>,
) -> Result<(RunId, Option<Hold>), EarlyExit> {
    if let Some(name) = name {
        return named(engine, name);
    }
    let waits = engine.waits()?;
    let mut runs: Vec<&RunId> = waits.iter().map(|wait: &Wait| &wait.run).collect();
    runs.dedup();
    match runs.as_slice() {
        [] => {
            all_can_be_read(&engine.shown()?.1)?;
            let fault = Fault::new(Exit::NotFound, Code::NoRun, "nothing waits for you");
            Err(fault.help("`sprag` shows what is going on").safe("sprag").into())
        }
        [one] => Ok(((*one).clone(), None)),
        more => {
            let names: Vec<_> = more.iter().map(|id| id.as_str()).collect();
            Err(several("more than one thing waits for you", &names, "approve"))
        }
    }
}

/// Finds the gate to waive and its run: `GATE`, `RUN`, or `RUN GATE`.
fn gate_of(
    engine: &Engine<'_>,
    what: Option<&str>,
    gate: Option<&str>,
) -> Result<(RunId, String), EarlyExit> {
    if let (Some(run), Some(gate)) = (what, gate) {
        return Ok((named(engine, run)?.0, gate.to_owned()));
    }
    let (runs, _) = engine.shown()?;
    let live: Vec<ListedRun> = runs.into_iter().filter(|run| run.ended.is_none()).collect();
    let name = what.unwrap_or_default();
    let has = |run: &&ListedRun| run.gates.iter().any(|gate| gate == name);
    let with: Vec<_> = live.iter().filter(has).collect();
    // If several runs have the gate, the waiting one is meant.
    let still: Vec<_> = with.iter().copied().filter(|run| !run.waits.is_empty()).collect();
    match (with.as_slice(), still.as_slice()) {
        ([one], _) | (_, [one]) => return Ok((one.id.clone(), name.to_owned())),
        ([], _) => {}
        (more, _) => {
            let names: Vec<_> = more.iter().map(|run| run.id.as_str()).collect();
            return Err(several("more than one run has this gate", &names, "approve"));
        }
    }
    let (run, _) = waiting(engine, what)?;
    let gates = live.iter().find(|one| one.id == run).map_or(&[][..], |one| &one.gates);
    match gates {
        [] => {
            let message = format!("{run} has no gate that could be waived");
            let fault = Fault::new(Exit::NotFound, Code::NoRun, message);
            Err(fault.help(format!("mend what it waits for, then `sprag resume {run}`")).into())
        }
        [one] => Ok((run, one.clone())),
        more => {
            let names: Vec<_> = more.iter().map(|gate| format!("{run} '{gate}'")).collect();
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            Err(several("it has more than one gate", &names, "approve"))
        }
    }
}

/// Returns the only active run.
fn only_run(engine: &Engine<'_>, verb: &str) -> Result<RunId, EarlyExit> {
    let (runs, trouble) = engine.shown()?;
    let mut live = runs.into_iter().filter(|run| run.ended.is_none()).map(|run| run.id);
    match (live.next(), live.next()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) => {
            let all: Vec<_> = [one, other].into_iter().chain(live).collect();
            let all: Vec<_> = all.iter().map(RunId::as_str).collect();
            Err(several("more than one run goes on", &all, verb))
        }
        (None, _) => {
            all_can_be_read(&trouble)?;
            let fault = Fault::new(Exit::NotFound, Code::NoRun, "no run goes on here");
            Err(fault.help("`sprag log` shows what happened").safe("sprag log").into())
        }
    }
}

/// Fails if a run cannot be read: it may be the one that is meant.
fn all_can_be_read(trouble: &[String]) -> Result<(), EarlyExit> {
    let Some(first) = trouble.first() else { return Ok(()) };
    let fault = Fault::new(Exit::Unreadable, Code::State, first.clone());
    Err(fault.help("`sprag doctor` says more").safe("sprag doctor").into())
}

/// Returns the error that asks for a choice.
fn several(message: &str, names: &[&str], verb: &str) -> EarlyExit {
    let message = format!("{message}: {}", names.join(", "));
    let mut fault = Fault::new(Exit::Usage, Code::Usage, message).help("name one of them");
    for name in names {
        fault = fault.human(&format!("sprag {verb} {name}"));
    }
    fault.into()
}

fn read_length(text: &str) -> Result<Duration, EarlyExit> {
    duration(text).ok_or_else(|| {
        let message = format!("`{}` is no length of time", text.escape_debug());
        Fault::new(Exit::Usage, Code::Usage, message).help("write `90s`, `10m`, `1h30m`").into()
    })
}

/// Confirms an answer, and shows who continues the run or what to type next: an answer starts no
/// agents. `run` is `None` for work of the inbox.
fn tell_answered(
    call: &CommandContext,
    engine: &Engine<'_>,
    said: &str,
    run: Option<&RunId>,
) -> Result<Exit, EarlyExit> {
    match crate::run::after_answer(engine, run)? {
        After::Driven(driver) => tell(call, &format!("{said}\n{driver}, continues it")),
        After::Type(command) => tell_next(call, said, Some(command)),
        After::Nothing => tell(call, said),
    }
}

/// Confirms an action.
fn tell(call: &CommandContext, said: &str) -> Result<Exit, EarlyExit> {
    tell_next(call, said, None)
}

/// Confirms an action and shows the next command.
fn tell_next(
    call: &CommandContext,
    said: &str,
    command: Option<String>,
) -> Result<Exit, EarlyExit> {
    match call.answer {
        OutputFormat::Text => {
            let next = command.map_or_else(String::new, |command| format!("Next: {command}\n"));
            screen::print(&format!("{said}\n{next}"))?;
        }
        OutputFormat::Json => {
            let human = command.into_iter().collect();
            let next = Next { safe: vec!["sprag".to_owned()], human };
            screen::print_json(&json!({ "ok": true, "said": said, "next": next }))?;
        }
    }
    Ok(Exit::Done)
}
