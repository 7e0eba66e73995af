//! `sprag start` and `sprag step`: start a workflow, and let its agent move it.

use serde_json::json;
use sprag_core::{HostSession, RunId, SessionId};
use sprag_engine::engine::Engine;
use sprag_engine::session;
use sprag_engine::start::TREE;
use sprag_engine::step::{Stepped, WorkflowActor};
use sprag_hosts::row::SessionVariable;
use sprag_hosts::session_file;
use sprag_world::caller::{Caller, caller};

use crate::args::StepCommand;
use crate::codes::Code;
use crate::context::{Begins, CommandContext, OutputFormat};
use crate::env;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault, Next};
use crate::screen;

/// The answer to an agent that wants to end its workflow.
pub(crate) const CANCEL: &str =
    "Only a person ends a workflow: ask yours to run `sprag cancel` (in pi: /cancel-workflow).";

/// Starts a workflow in the current session.
pub(crate) fn start(call: &CommandContext, name: &str, task: &str) -> Result<Exit, EarlyExit> {
    if task.trim().is_empty() && name != TREE {
        let fault = Fault::new(Exit::Usage, Code::Usage, "there is no task");
        return Err(fault.help(format!("sprag start {name} \"what is to be done\"")).into());
    }
    let place = call.place_to_begin(Begins::Source)?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?.begun_by(caller(env::is_set));
    let begun = engine.start(name, task, session(&engine).as_ref())?;
    match call.answer {
        OutputFormat::Text => {
            let who = if begun.driven {
                String::new()
            } else {
                "The next session here takes it up.\n".to_owned()
            };
            let head = format!("Started {} ({})\n{who}", begun.run, begun.workflow);
            screen::print(&format!("{head}\n{}\n", begun.message))?;
        }
        OutputFormat::Json => screen::print_json(&json!({
            "ok": true,
            "run": begun.run.as_str(),
            "workflow": begun.workflow,
            "driven": begun.driven,
            "message": begun.message,
            "next": Next { safe: vec!["sprag step status".to_owned()], human: vec![] },
        }))?,
    }
    Ok(Exit::Done)
}

/// Moves the current workflow, or shows its state.
pub(crate) fn step(call: &CommandContext, step: &StepCommand) -> Result<Exit, EarlyExit> {
    if let StepCommand::Cancel { run } = step {
        return crate::person::cancel(call, run.as_deref());
    }
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let session = session(&engine);
    let who = match (&session, caller(env::is_set)) {
        (Some(session), _) => WorkflowActor::Session(session),
        (None, Caller::Person) => WorkflowActor::Person,
        (None, Caller::Agent { .. }) => WorkflowActor::Stranger,
    };
    let stepped = match step {
        StepCommand::Next { run, summary } => {
            let run = at_hand(&engine, run.as_deref(), session.as_ref())?;
            engine.step_next(&run, who, summary.as_deref())?
        }
        StepCommand::Loop { run } => {
            let run = at_hand(&engine, run.as_deref(), session.as_ref())?;
            engine.step_loop(&run, who)?
        }
        StepCommand::Status { run } => {
            let run = at_hand(&engine, run.as_deref(), session.as_ref())?;
            Stepped::Moved { text: engine.step_status(&run)? }
        }
        StepCommand::Cancel { .. } => return Ok(Exit::Done),
    };
    told(call, &stepped)
}

/// Runs the gates of a run; an internal command.
pub(crate) fn gate(call: &CommandContext, run: &str) -> Result<Exit, EarlyExit> {
    let place = call.project()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let run = engine.find_run(run)?;
    engine.gate(&run)?;
    if call.answer == OutputFormat::Json {
        screen::print_json(&json!({ "ok": true, "run": run }))?;
    }
    Ok(Exit::Done)
}

/// Returns the session in which this command was started, if its host passes it on.
pub(crate) fn session(engine: &Engine<'_>) -> Option<SessionId> {
    let named = env::get(env::SESSION).and_then(|name| name.into_string().ok());
    if let Some(session) = named.as_deref().and_then(session::named) {
        return Some(session);
    }
    env::of_sessions().find_map(|(host, how, variable)| {
        let value = env::get(variable)?;
        match how {
            SessionVariable::Id(_) => {
                let id = HostSession::parse(&value.into_string().ok()?).ok()?;
                Some(session_file(host, &id))
            }
            SessionVariable::OnlyOne(_) => {
                let name = format!("{}-", host.name());
                only_session(engine, |id| id.as_str().starts_with(&name))
            }
            SessionVariable::None => None,
        }
    })
}

/// Returns the only session of a kind, if there is exactly one.
pub(crate) fn only_session(
    engine: &Engine<'_>,
    kind: impl Fn(&SessionId) -> bool,
) -> Option<SessionId> {
    let mut sessions = engine.sessions().ok()?.into_iter().filter(kind);
    let one = sessions.next()?;
    sessions.next().is_none().then_some(one)
}

/// Finds the current workflow: the one named, the one in `SPRAG_RUN`, the one that this session
/// drives, or the only one.
pub(crate) fn at_hand(
    engine: &Engine<'_>,
    name: Option<&str>,
    session: Option<&SessionId>,
) -> Result<RunId, EarlyExit> {
    let told = env::get(env::RUN).and_then(|run| run.into_string().ok());
    if let Some(name) = name.or(told.as_deref()) {
        return Ok(engine.find_run(name)?);
    }
    let (runs, trouble) = engine.shown()?;
    let live = runs.into_iter().filter(|run| run.ended.is_none());
    let live: Vec<_> = live.filter(|run| run.source.info().has_phases).collect();
    let own = |owner: &SessionId| session == Some(owner);
    let owned: Vec<_> = live.iter().filter(|run| run.owner.as_ref().is_some_and(own)).collect();
    match (owned.as_slice(), live.as_slice()) {
        ([one], _) => Ok(one.id.clone()),
        ([], [one]) => Ok(one.id.clone()),
        // An unreadable run may be the one that is meant.
        ([], []) if !trouble.is_empty() => {
            let message = format!("a run cannot be read: {}", trouble.join("; "));
            let fault = Fault::new(Exit::Unreadable, Code::Document, message);
            Err(fault.help("`sprag doctor` says where").safe("sprag doctor").into())
        }
        ([], []) => {
            let message = "No active workflow. Use sprag start NAME \"task\" to start one.";
            let fault = Fault::new(Exit::NotFound, Code::NoRun, message);
            Err(fault.help("`sprag check` lists the workflows").safe("sprag check").into())
        }
        (_, more) => {
            let names: Vec<_> = more.iter().map(|run| run.id.as_str()).collect();
            let message = format!("more than one workflow goes on: {}", names.join(", "));
            Err(Fault::new(Exit::Usage, Code::Usage, message).help("name one of them").into())
        }
    }
}

fn told(call: &CommandContext, stepped: &Stepped) -> Result<Exit, EarlyExit> {
    let (text, exit, how) = match stepped {
        Stepped::Moved { text } => (text.clone(), Exit::Done, "moved"),
        Stepped::Failed { text } => (text.clone(), Exit::Failed, "failed"),
        Stepped::Held { hold } => (format!("Held: {hold}"), Exit::NeedsPerson, "held"),
    };
    let next = match stepped {
        Stepped::Moved { .. } | Stepped::Failed { .. } => {
            Next { safe: vec!["sprag step next".to_owned()], human: vec![] }
        }
        Stepped::Held { hold } => {
            Next { safe: vec![], human: vec![hold.ways().first().verb().to_owned()] }
        }
    };
    match call.answer {
        OutputFormat::Text => screen::print(&format!("{text}\n"))?,
        OutputFormat::Json => {
            let ok = exit == Exit::Done;
            let object = json!({ "ok": ok, "how": how, "said": text, "next": next });
            screen::print_json(&object)?;
        }
    }
    Ok(exit)
}
