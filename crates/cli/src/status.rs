//! `sprag`: what is going on here, what waits for you, and the one next command.

use sprag_engine::engine::Engine;
use sprag_engine::status::{Status, What};
use sprag_engine::waits::{Shown, Wait};
use sprag_store::Place;

use crate::call::{Answer, Call};
use crate::env;
use crate::exit::Exit;
use crate::fault::{Next, Stop};
use crate::look::WIDTH;
use crate::screen;

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
}

impl Seen {
    fn of(status: Status, place: &Place) -> Self {
        if status.last.is_none() || status.runs.is_empty() {
            return Self { status, runs: Vec::new(), trouble: Vec::new() };
        }
        let environment = env::all();
        let shown = Engine::open(place, &environment).and_then(|engine| engine.shown());
        let (runs, trouble) = shown.unwrap_or_else(|error| (vec![], vec![error.to_string()]));
        // What cannot be read is already said, with its place.
        let is_new = |line: &String| !status.unknown.iter().any(|one| line.contains(&one.path));
        let trouble = trouble.into_iter().filter(is_new).collect();
        Self { status, runs, trouble }
    }

    fn waits(&self) -> impl Iterator<Item = &Wait> {
        self.runs.iter().flat_map(|run| &run.waits)
    }

    fn live(&self) -> impl Iterator<Item = &Shown> {
        self.runs.iter().filter(|run| run.ended.is_none())
    }
}

fn nothing(call: &Call) -> String {
    let folder = call.look.clip(&call.folder.display().to_string(), WIDTH - 20);
    format!("no project here: {folder}\nNext: sprag demo\n")
}

/// Says what anybody, or only a person, can do next; the first of all is the one that is shown.
fn next(seen: Option<&Seen>) -> Next {
    let one = |command: &str| vec![command.to_owned()];
    let human: Vec<String> =
        seen.iter().flat_map(|seen| seen.waits()).map(|wait| wait.command.clone()).collect();
    match seen.map(|seen| &seen.status) {
        None => Next { safe: one("sprag demo"), human: vec![] },
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
