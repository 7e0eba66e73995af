//! `sprag pr`: the review loop of the pull request at hand.

mod args;
mod configured;
mod meta;
mod show;

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::json;
use sprag_engine::engine::Engine;
use sprag_engine::forge::GitHub;
use sprag_engine::git::Git;
use sprag_engine::pr::{Beginning, Local, Refreshed, local};
use sprag_engine::root::{self, Start};
use sprag_formats::pr::LoopConfig;
use sprag_store::Place;

use crate::call::{Answer, Call};
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};
use crate::{env, person, screen};

pub(crate) use args::{Asked, What, command, read};
pub(crate) use show::next;

/// Does what is asked.
pub(crate) fn perform(call: &Call, asked: &Asked) -> Result<Exit, Stop> {
    let place = place(call, asked)?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    match &asked.what {
        What::Status => show::status(call, &engine),
        What::Meta { op, words } => meta::perform(&engine, &place, &environment, op, words),
        What::Refresh => {
            let found = refresh(&engine, &place, &environment)?;
            said(call, &shown(&found))
        }
        What::Init(given) => {
            let config = configured::find(call, &place, given)?;
            refresh(&engine, &place, &environment)?;
            engine.review_begin(&Beginning { config })?;
            said(call, "the loop is begun; `sprag next pr` says what comes first")
        }
        What::Pause => {
            person::only("pr pause")?;
            engine.review_pause()?;
            let root = place.root.display();
            said(call, &format!("Loop paused. Resume with: sprag pr resume --worktree {root}"))
        }
        What::Resume(given) => {
            person::only("pr resume")?;
            let config: LoopConfig = configured::find(call, &place, given)?;
            engine.review_resume(&config)?;
            said(call, "the loop goes on")
        }
        What::Complete => {
            person::only("pr complete")?;
            engine.review_complete()?;
            said(call, "the loop is over")
        }
    }
}

/// Asks the forge; the file is as it was where that fails.
fn refresh(
    engine: &Engine<'_>,
    place: &Place,
    environment: &[(OsString, OsString)],
) -> Result<Refreshed, Stop> {
    let here: Local = local(&place.root)?;
    let forge = GitHub::of(&place.root, &here, environment)
        .map_err(|error| Fault::new(Exit::Failed, Code::Refused, error.to_string()))?;
    Ok(engine.review_refresh(&forge, "person")?)
}

fn shown(found: &Refreshed) -> String {
    match found {
        Refreshed::Pull(number) => format!("pull request #{number} is as the forge says"),
        Refreshed::None => "the branch has no open pull request".to_owned(),
    }
}

fn said(call: &Call, text: &str) -> Result<Exit, Stop> {
    match call.answer {
        Answer::Text => screen::print(&format!("{text}\n"))?,
        Answer::Json => screen::print_json(&json!({ "ok": true, "said": text }))?,
    }
    Ok(Exit::Done)
}

/// Returns the project of the working tree that is meant; it must be one of git.
fn place(call: &Call, asked: &Asked) -> Result<Place, Stop> {
    let named = asked.worktree.as_ref().map(|folder| call.folder.join(folder));
    let folder: PathBuf = named.unwrap_or_else(|| call.folder.clone());
    if !matches!(Git::around(&folder), Ok(Some(_))) {
        let shown = asked.worktree.as_deref().unwrap_or(&call.folder).display();
        let message = format!("Error: '{shown}' is not a git repository");
        return Err(Fault::new(Exit::Usage, Code::Usage, message).into());
    }
    let (home, root) = (env::get(env::HOME), env::get(env::ROOT));
    let start = Start {
        folder: &folder,
        home: home.as_ref().map(AsRef::as_ref),
        named: root.as_ref().filter(|_| asked.worktree.is_none()).map(AsRef::as_ref),
    };
    Ok(root::find(start)?.unwrap_or_else(|| Place::of(root::new(&folder))))
}
