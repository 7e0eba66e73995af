//! What is run: a workflow, a plan, a milestone tree, a pull request, or a task.

use std::io::{BufRead as _, IsTerminal as _};

use sprag_core::Id;
use sprag_engine::engine::Engine;
use sprag_engine::run_file::Source;

use super::{Asked, say};
use crate::call::{Answer, Call};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};
use crate::screen;

/// Starts what was asked for, or finds the run of it that goes on: one that a session began, by
/// its name, or the one there is of a tree or a pull request.
pub(super) fn start(engine: &Engine<'_>, asked: &Asked) -> Result<Id, Stop> {
    let task = asked.more.as_deref().map(str::trim).filter(|task| !task.is_empty());
    if let Some(until) = &asked.until {
        if let Some(more) = task {
            let message = format!("with --until there is one task, and `{more}` is another word");
            let fault = Fault::new(Exit::Usage, Code::Usage, message);
            return Err(fault.help("put the whole task into quotes").into());
        }
        return Ok(engine.start_task(&asked.what, until, asked.max)?);
    }
    match asked.what.as_str() {
        "plan" => Ok(engine.plan_start(task)?),
        "gsd" => Ok(engine.milestones(None)?),
        "pr" => Ok(engine.review_run("run")?),
        name => {
            if task.is_none() && name.starts_with("r-") {
                return Ok(engine.find_run(name)?);
            }
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
        let can_ask = call.answer == Answer::Text && std::io::stdin().is_terminal();
        if !can_ask {
            // The gates hold the run, and say what to do.
            return Ok(true);
        }
        for command in &shown {
            say(call, &format!("{:>12} {command}\n", "Allow"))?;
        }
        if !is_agreed()? {
            return Ok(false);
        }
    }
    engine.drive_trust(&commands)?;
    Ok(true)
}

fn is_agreed() -> Result<bool, Stop> {
    screen::print("Let these commands run on your machine? [y/N] ")?;
    let mut line = String::new();
    let heard = std::io::stdin().lock().read_line(&mut line);
    Ok(heard.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}
