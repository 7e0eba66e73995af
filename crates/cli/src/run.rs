//! `sprag run`: drives agents until the work is done.

mod args;
mod kept;
mod progress;
mod seats;
mod signals;
mod source;
mod summary;
mod unseen;

use std::ffi::OsString;

use sprag_core::{Hold, Id};
use sprag_engine::engine::Engine;
use sprag_engine::forge::Forge;
use sprag_engine::root;
use sprag_run::{Outcome, RunError, Runner};
use sprag_store::Place;

use crate::call::{Answer, Call};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};
use crate::{env, person, screen};

pub(crate) use args::{Asked, command, read};
use kept::Kept;
use progress::Progress;
pub(crate) use unseen::Unseen;

/// Starts a run and drives it.
pub(crate) fn perform(call: &Call, asked: &Asked) -> Result<Exit, Stop> {
    person::only("run")?;
    let place = match call.place()? {
        Some(place) => place,
        None => Place::of(root::new(&call.folder)),
    };
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let kept = Kept::of(&engine, asked, &environment)?;
    let run = source::start(&engine, asked, &kept.json())?;
    if !source::may_run(call, &engine, &run, &kept, asked.yes)? {
        engine.cancel(&run, &person::name())?;
        return Ok(Exit::NeedsPerson);
    }
    go(call, &place, &environment, &run, &kept)
}

/// Goes on with a run that was driven before; nothing where it never was.
pub(crate) fn go_on(
    call: &Call,
    place: &Place,
    environment: &[(OsString, OsString)],
    run: &Id,
) -> Result<Option<Exit>, Stop> {
    let engine = Engine::open(place, environment)?;
    let Some(kept) = engine.drive_kept(run)? else { return Ok(None) };
    let kept = Kept::read(&kept)?;
    go(call, place, environment, run, &kept).map(Some)
}

fn go(
    call: &Call,
    place: &Place,
    environment: &[(OsString, OsString)],
    run: &Id,
    kept: &Kept,
) -> Result<Exit, Stop> {
    let engine = Engine::open(place, environment)?;
    let progress = Progress::begin(call, &engine, run)?;
    let options = kept.options(&engine)?;
    let one_session = source::in_one_session(&engine, run)?;
    let yard = source::yard(&engine, run, options.agents)?;
    let forge = source::forge(&engine, place, environment, run)?;
    let forge = forge.as_ref().map(|forge| forge as &(dyn Forge + Sync));
    let watch = &progress;
    let runner = Runner { place, environment, options, watch, yard, forge, one_session };
    let outcome = runner.drive(run, signals::listen);
    match outcome {
        Ok(outcome) => summary::tell(call, &engine, run, &outcome),
        Err(error) => Err(wrong(error)),
    }
}

fn wrong(error: RunError) -> Stop {
    match error {
        RunError::Engine(error) => error.into(),
        RunError::Driven { .. } => {
            let fault = Fault::new(Exit::Conflict, Code::Refused, error.to_string());
            fault.help("wait for it, or end it with Ctrl-C there").into()
        }
        RunError::Yard(_) | RunError::Restless | RunError::NoPipe(_) => {
            Fault::new(Exit::Failed, Code::Refused, error.to_string()).into()
        }
        RunError::NotStarted { .. } => {
            let fault = Fault::new(Exit::NotFound, Code::Refused, error.to_string());
            fault.help("`--host` names another one; `sprag doctor` lists what is here").into()
        }
    }
}

/// Returns what the shell is told of how far a run came.
const fn exit(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Done => Exit::Done,
        Outcome::Cancelled => Exit::Failed,
        Outcome::Spent { .. } | Outcome::Held(Hold::Exhausted { .. } | Hold::NoProgress { .. }) => {
            Exit::Limit
        }
        Outcome::Held(Hold::Unreadable { .. }) => Exit::Unreadable,
        Outcome::Held(
            Hold::Person { .. }
            | Hold::Asked { .. }
            | Hold::Until { .. }
            | Hold::Unproven { .. }
            | Hold::Untrusted { .. },
        )
        | Outcome::Paused => Exit::NeedsPerson,
    }
}

/// Prints a line, where somebody reads lines.
fn say(call: &Call, text: &str) -> Result<(), Stop> {
    match call.answer {
        Answer::Text => screen::print(text),
        Answer::Json => Ok(()),
    }
}
