//! `sprag`: what is going on here, what waits for you, and the one next command.

use sprag_core::Life;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::run_file::Source;
use sprag_engine::session::SessionId;
use sprag_engine::status::{Status, What};
use sprag_engine::waits::{Shown, Wait};
use sprag_hosts::Host;
use sprag_store::Place;

use crate::call::{Answer, Call, LATER};
use crate::env;
use crate::exit::Exit;
use crate::fault::{Next, Stop};
use crate::look::WIDTH;
use crate::screen;

mod board;
mod object;
mod text;

use object::object;
use text::text;

/// Shows the project this is in.
pub(crate) fn show(call: &Call) -> Result<Exit, Stop> {
    let Some(place) = call.place()? else {
        match call.answer {
            Answer::Text => screen::print(&nothing(call))?,
            Answer::Json => screen::print_json(&object(None))?,
        }
        return Ok(Exit::Done);
    };
    let status = Status::of(&place)?;
    let seen = Seen::of(status, &place);
    match call.answer {
        Answer::Text => screen::print(&text(call.look, &seen))?,
        Answer::Json => screen::print_json(&object(Some(&seen)))?,
    }
    let is_bad = !seen.status.unknown.is_empty() || !seen.trouble.is_empty();
    Ok(if is_bad { Exit::Unreadable } else { Exit::Done })
}

/// Returns what a person reads of the project this is in.
pub(crate) fn page(call: &Call) -> Result<String, Stop> {
    Ok(match call.place()? {
        None => nothing(call),
        Some(place) => text(call.look, &Seen::of(Status::of(&place)?, &place)),
    })
}

/// The project and the runs in it.
struct Seen {
    status: Status,
    runs: Vec<Shown>,
    /// Runs that cannot be used, though their files can be read.
    trouble: Vec<String>,
    /// Sessions that a person set free.
    free: Vec<SessionId>,
    /// The hosts whose sessions are not held though they should be, and why.
    unheld: Vec<(Host, String)>,
}

impl Seen {
    fn of(status: Status, place: &Place) -> Self {
        let unheld = unheld(&status, place);
        let mut seen = Self { status, runs: vec![], trouble: vec![], free: vec![], unheld };
        if seen.status.last.is_none_or(|last| last.0 == 0) {
            return seen;
        }
        if let Err(error) = seen.look(place) {
            seen.trouble.push(error.to_string());
        }
        // What cannot be read is already said, with its place.
        let unknown = &seen.status.unknown;
        seen.trouble.retain(|line| !unknown.iter().any(|one| line.contains(&one.path)));
        seen
    }

    fn look(&mut self, place: &Place) -> Result<(), EngineError> {
        let environment = env::all();
        let engine = Engine::open(place, &environment)?;
        self.free = engine.free_sessions()?;
        if !self.status.runs.is_empty() {
            (self.runs, self.trouble) = engine.shown()?;
        }
        Ok(())
    }

    fn waits(&self) -> impl Iterator<Item = &Wait> {
        let work = self.status.board.iter().flat_map(|board| &board.waits);
        self.runs.iter().flat_map(|run| &run.waits).chain(work)
    }

    /// Returns the runs in which something goes on or can; a guard at rest is not worth a line.
    fn live(&self) -> impl Iterator<Item = &Shown> {
        let rests = |run: &Shown| {
            run.source == Source::Guard && run.life == Life::Ready && run.owner.is_some()
        };
        self.runs
            .iter()
            .filter(move |run| run.ended.is_none() && (!rests(run) || !run.stale.is_empty()))
    }
}

/// Looks whether the hosts that were asked to tell us of stops still are, where there is a guard.
fn unheld(status: &Status, place: &Place) -> Vec<(Host, String)> {
    if status.guard.is_empty() {
        return Vec::new();
    }
    let environment = env::all();
    // Why it cannot be opened is said already.
    Engine::open(place, &environment).map_or_else(|_| Vec::new(), |engine| engine.unheld())
}

fn nothing(call: &Call) -> String {
    let folder = call.look.clip(&call.folder.display().to_string(), WIDTH - 20);
    if call.folder.join(LATER).is_dir() {
        return format!("{LATER} is of opti-gsd 2 or 3: {folder}\nNext: sprag check\n");
    }
    // The home directory is never a project.
    let home = env::get(env::HOME).is_some_and(|home| call.folder == std::path::Path::new(&home));
    let next = if home { "sprag demo" } else { "sprag init" };
    format!("no project here: {folder}\nNext: {next}\n")
}

/// Says what anybody, or only a person, can do next; the first of all is the one that is shown.
fn next(seen: Option<&Seen>) -> Next {
    let one = |command: &str| vec![command.to_owned()];
    let human: Vec<String> =
        seen.iter().flat_map(|seen| seen.waits()).map(|wait| wait.command.clone()).collect();
    match seen.map(|seen| &seen.status) {
        None => Next { safe: one("sprag demo"), human: one("sprag init") },
        Some(status) if status.unknown.iter().any(|one| one.what == What::Journal) => {
            Next { safe: one("sprag doctor"), human: one("sprag doctor --fix") }
        }
        Some(status)
            if !status.unknown.is_empty()
                || !status.notes.is_empty()
                || !status.pending.is_empty()
                || !status.let_go.is_empty() =>
        {
            Next { safe: one("sprag doctor"), human }
        }
        Some(_) if !human.is_empty() => Next { safe: one("sprag why"), human },
        Some(_) if seen.is_some_and(|seen| !seen.unheld.is_empty()) => {
            Next { safe: one("sprag doctor"), human: one("sprag init") }
        }
        // Nothing was held yet: whether the host calls us at all is what to look at.
        Some(status) if status.runs.is_empty() && !status.guard.is_empty() => {
            Next { safe: one("sprag doctor"), human }
        }
        Some(_) => Next { safe: one("sprag log"), human },
    }
}

fn is_off() -> bool {
    env::get(env::SWITCH).is_some_and(|value| value == "off")
}

fn name(status: &Status) -> String {
    let name = status.root.file_name().unwrap_or(status.root.as_os_str());
    name.to_string_lossy().into_owned()
}
