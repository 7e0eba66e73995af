//! `sprag pr`: the review loop of the current pull request.

mod below;
mod configured;
mod meta;
mod rehearsed;
mod show;
mod tags;

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::json;
use sprag_engine::engine::Engine;
use sprag_engine::pr::{Beginning, Posting, Refreshed, Synced, local};
use sprag_store::Place;
use sprag_world::caller::caller;
use sprag_world::forge::{GitHub, Local};
use sprag_world::git::Git;
use sprag_world::root::{self, RootSearch};

use crate::args::pr::{PrArgs, What};
use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::run::signals;
use crate::{belongs, env, person, screen};

pub(crate) use show::next;

pub(crate) fn perform(call: &CommandContext, asked: &PrArgs) -> Result<Exit, EarlyExit> {
    let asked = spelled_out(asked)?;
    let place = place(call, &asked)?;
    signals::end_together();
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?.begun_by(caller(env::is_set));
    let (engine, posting) =
        if asked.dry_run { (engine.rehearsing(), Posting::Show) } else { (engine, Posting::Send) };
    let exit = act(call, &asked, &place, &engine, &environment, posting)?;
    if asked.dry_run {
        rehearsed::show(call, &engine)?;
    }
    Ok(exit)
}

fn act(
    call: &CommandContext,
    asked: &PrArgs,
    place: &Place,
    engine: &Engine<'_>,
    environment: &[(OsString, OsString)],
    posting: Posting,
) -> Result<Exit, EarlyExit> {
    let refresh = || refresh(engine, place, environment, posting);
    let said = |synced: &Synced, text: &str| match posting {
        Posting::Send => said(call, synced, text),
        // The planned changes are shown afterwards.
        Posting::Show => Ok(Exit::Done),
    };
    match &asked.what {
        What::Status => show::status(call, engine),
        What::Meta { op, words } => meta::perform(engine, place, environment, op, words),
        What::Refresh => {
            let synced = refresh()?;
            said(&synced, &shown(synced.found))
        }
        What::Init(given) => {
            if engine.review_metadata()?.known().is_some_and(|known| known.review_loop.is_some()) {
                // Restarting would reset the round counter.
                person::only("pr init")?;
            }
            let config = configured::find(call, place, given)?;
            let synced = refresh()?;
            // For a new file, only the forge's state can be shown so far.
            if posting == Posting::Send || engine.review_number()?.is_some() {
                engine.review_begin(&Beginning { config })?;
            }
            said(&synced, "the loop is begun; `sprag next pr` shows its first step")
        }
        What::Pause => {
            person::only("pr pause")?;
            engine.review_pause()?;
            let root = place.root.display();
            let text = format!("Loop paused. Resume with: sprag pr resume --worktree {root}");
            said(&Synced::default(), &text)
        }
        What::Resume(given) => {
            person::only("pr resume")?;
            let config = configured::find(call, place, given)?;
            engine.review_resume(&config)?;
            said(&Synced::default(), "the loop goes on")
        }
        What::Complete => {
            person::only("pr complete")?;
            engine.review_complete()?;
            let figures = show::figures(&engine.review_metadata()?);
            said(&Synced::default(), &format!("the loop is over{figures}"))
        }
    }
}

/// Synchronizes the file with the forge; on failure the file stays as it was.
fn refresh(
    engine: &Engine<'_>,
    place: &Place,
    environment: &[(OsString, OsString)],
    posting: Posting,
) -> Result<Synced, EarlyExit> {
    let here: Local = local(&place.root)?;
    let known = engine.review_number()?;
    let forge = GitHub::of(&place.root, &here, environment, known)
        .map_err(|error| Fault::new(Exit::Failed, Code::Refused, error.to_string()))?;
    Ok(engine.review_sync(&forge, posting, "person")?)
}

fn shown(found: Refreshed) -> String {
    match found {
        Refreshed::Pull(number) => format!("pull request #{number} is as the forge says"),
        Refreshed::None => "the branch has no open pull request".to_owned(),
    }
}

/// Prints the posts, then the result.
fn said(call: &CommandContext, synced: &Synced, text: &str) -> Result<Exit, EarlyExit> {
    match call.answer {
        OutputFormat::Text => {
            for note in &synced.notes {
                screen::complain(&format!("{note}\n"));
            }
            for post in synced.posted.iter().filter(|post| post.sent) {
                let first = post.body.lines().next().unwrap_or_default();
                screen::print(&format!("posted to #{}: {first}\n", post.number))?;
            }
            screen::print(&format!("{text}\n"))?;
        }
        OutputFormat::Json => {
            let sent = synced.posted.iter().filter(|post| post.sent).count();
            let notes = &synced.notes;
            screen::print_json(
                &json!({ "ok": true, "said": text, "posted": sent, "notes": notes }),
            )?;
        }
    }
    Ok(Exit::Done)
}

/// Merges positional words into the options; options win.
fn spelled_out(asked: &PrArgs) -> Result<PrArgs, EarlyExit> {
    let mut asked = asked.clone();
    let wrong = |message: String| Fault::new(Exit::Usage, Code::Usage, message);
    match &mut asked.what {
        What::Init(given) | What::Resume(given) => {
            let said = tags::read(&given.words).map_err(wrong)?;
            asked.worktree = asked.worktree.or(said.worktree);
            *given = given.clone().or(said.given);
        }
        What::Meta { words, .. } => {
            if words.first().is_some_and(|first| tags::is_folder(first)) {
                let first = tags::folder(&words.remove(0));
                asked.worktree = asked.worktree.or(Some(first));
            }
        }
        What::Status | What::Pause | What::Complete | What::Refresh => {}
    }
    Ok(asked)
}

/// Returns the project of the selected working tree, which must be in a git repository.
fn place(call: &CommandContext, asked: &PrArgs) -> Result<Place, EarlyExit> {
    let named = asked.worktree.as_ref().filter(|folder| !folder.as_os_str().is_empty());
    let named = named.map(|folder| call.folder.join(folder).components().collect::<PathBuf>());
    let folder: PathBuf = named.clone().unwrap_or_else(|| call.folder.clone());
    if !matches!(Git::around(&folder), Ok(Some(_))) {
        let shown = asked.worktree.as_deref().unwrap_or(&call.folder).display();
        let message = format!("Error: '{shown}' is not a git repository");
        return Err(Fault::new(Exit::Usage, Code::Usage, message).into());
    }
    let (home, root) = (env::get(env::HOME), env::get(env::ROOT));
    let start = RootSearch {
        folder: &folder,
        home: home.as_ref().map(AsRef::as_ref),
        named: root.as_ref().filter(|_| named.is_none()).map(AsRef::as_ref),
    };
    let place = root::find_or_new(start)?;
    let place = match (&asked.what, &named) {
        (What::Resume(_), None) => below::find(place)?,
        (_, _) => place,
    };
    let belongs = belongs::of(&place);
    match &asked.what {
        What::Status => belongs::note(&belongs),
        What::Meta { op, .. } if op == "read" => belongs::note(&belongs),
        What::Init(_) | What::Refresh => belongs::may_begin(&place, &belongs)?,
        What::Pause | What::Resume(_) | What::Complete | What::Meta { .. } => {
            belongs::counts(&belongs)?;
        }
    }
    Ok(place)
}
