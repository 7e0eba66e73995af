//! What is run: a workflow, a plan, a milestone tree, a pull request, or a task.

use sprag_core::Id;
use sprag_engine::engine::Engine;
use sprag_engine::run_file::Source;

use super::{Asked, ask, say};
use crate::call::Call;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};

/// Starts what was asked for, or finds the run of it that goes on.
pub(super) fn start(engine: &Engine<'_>, asked: &Asked) -> Result<Id, Stop> {
    let task = asked.more.as_deref().map(str::trim).filter(|task| !task.is_empty());
    if let Some(until) = asked.until.as_ref().filter(|_| asked.mode.is_none()) {
        if let Some(more) = task {
            let message = format!("with --until there is one task, and `{more}` is another word");
            let fault = Fault::new(Exit::Usage, Code::Usage, message);
            return Err(fault.help("put the whole task into quotes").into());
        }
        return Ok(engine.start_task(&asked.what, until, asked.max)?);
    }
    match asked.what.as_str() {
        "plan" => {
            let run = engine.plan_start(task)?;
            if let Some(mode) = &asked.mode {
                engine.drive_mode(&run, mode)?;
            }
            Ok(run)
        }
        _ if asked.mode.is_some() => {
            let fault = Fault::new(Exit::Usage, Code::Usage, "only a plan has modes");
            Err(fault.help("leave out `--mode`").into())
        }
        "gsd" => Ok(engine.milestones(None)?),
        "pr" => Ok(engine.review_run("run")?),
        name => {
            let Some(task) = task else {
                let message = format!("`{name}` has no task");
                let help = format!(
                    "a workflow: sprag run {name} \"what is to be done\"; a task: sprag run \
                     \"what is to be done\" --until CMD"
                );
                return Err(Fault::new(Exit::Usage, Code::Usage, message).help(help).into());
            };
            let begun = engine.start(name, task, None)?;
            Ok(Id::parse(begun.run.as_str()).map_err(sprag_engine::engine::EngineError::from)?)
        }
    }
}

/// Returns whether the agents of a run go on in one session: the phases of a workflow are one
/// conversation, the tasks of a plan are not.
pub(super) fn in_one_session(engine: &Engine<'_>, run: &Id) -> Result<bool, Stop> {
    let (runs, _) = engine.shown()?;
    let source = runs.into_iter().find(|shown| shown.id == *run).map(|shown| shown.source);
    Ok(match source {
        Some(Source::Workflow(_) | Source::Task) => true,
        Some(
            Source::Guard
            | Source::Until
            | Source::Plan(_)
            | Source::Loop
            | Source::Gsd
            | Source::Pr,
        )
        | None => false,
    })
}

/// Returns whether a person lets the commands of a run run; asks, where there is somebody to ask.
pub(super) fn may_run(call: &Call, engine: &Engine<'_>, run: &Id, yes: bool) -> Result<bool, Stop> {
    let commands = engine.drive_untrusted(run)?;
    if commands.is_empty() {
        return Ok(true);
    }
    let shown: Vec<_> = commands.iter().map(|argv| call.look.clean(&argv.join(" "))).collect();
    if !yes {
        if !ask::can_ask(call) {
            // The gates hold the run, and say what to do.
            return Ok(true);
        }
        for command in &shown {
            say(call, &format!("{:>12} {command}\n", "Allow"))?;
        }
        let said = ask::heard("Let these commands run on your machine? [y/N] ")?;
        if !said.is_some_and(|said| matches!(said.as_str(), "y" | "Y" | "yes")) {
            return Ok(false);
        }
    }
    engine.drive_trust(&commands)?;
    Ok(true)
}
