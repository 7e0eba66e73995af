//! `sprag`: shows the active runs, what waits for the user, and the next command.

use std::ffi::OsString;

use sprag_core::{RunId, RunStatus, SessionId};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::status::{Status, What};
use sprag_engine::waits::{ListedRun, Wait};
use sprag_hosts::Host;
use sprag_run::worktrees::take_overs;
use sprag_store::Place;

use crate::context::{CommandContext, LATER, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Next};
use crate::screen;
use crate::style::WIDTH;
use crate::{belongs, env};

mod board;
mod object;
mod text;

pub(crate) use object::limits_object;
use object::object;
use text::{SHOWN, text};

/// Shows the current project.
pub(crate) fn show(call: &CommandContext) -> Result<Exit, EarlyExit> {
    let Some((place, belongs)) = call.shown()? else {
        match call.answer {
            OutputFormat::Text => screen::print(&nothing(call))?,
            OutputFormat::Json => screen::print_json(&object(None))?,
        }
        return Ok(Exit::Done);
    };
    let status = Status::of(&place)?;
    let seen = ProjectStatus::of(status, &place);
    match call.answer {
        OutputFormat::Text => screen::print(&text(call.look, &seen))?,
        OutputFormat::Json => {
            let mut object = object(Some(&seen));
            belongs::mark(&mut object, &belongs);
            screen::print_json(&object)?;
        }
    }
    let is_bad = !seen.status.unknown.is_empty() || !seen.trouble.is_empty();
    Ok(if is_bad { Exit::Unreadable } else { Exit::Done })
}

/// Returns the current project's status as text.
pub(crate) fn page(call: &CommandContext) -> Result<String, EarlyExit> {
    Ok(match call.place()? {
        None => nothing(call),
        Some(place) => text(call.look, &ProjectStatus::of(Status::of(&place)?, &place)),
    })
}

/// The project and its runs.
struct ProjectStatus {
    status: Status,
    runs: Vec<ListedRun>,
    /// Runs that are unusable although their files are readable.
    trouble: Vec<String>,
    /// Sessions that the user released.
    free: Vec<SessionId>,
    /// The hosts whose sessions should be held but are not, and why.
    unheld: Vec<(Host, String)>,
    /// Branches left by ended runs.
    unmerged: Vec<Unmerged>,
}

/// A branch of an ended run whose work is not in the history of HEAD.
struct Unmerged {
    run: RunId,
    branch: String,
    /// The command that takes it over; `None` if there were too many branches to ask git about.
    command: Option<String>,
}

impl ProjectStatus {
    fn of(status: Status, place: &Place) -> Self {
        let unheld = unheld(&status, place);
        let (runs, trouble, free, unmerged) = (vec![], vec![], vec![], vec![]);
        let mut seen = Self { status, runs, trouble, free, unheld, unmerged };
        if seen.status.last.is_none_or(|last| last.0 == 0) {
            return seen;
        }
        if let Err(error) = seen.look(place) {
            seen.trouble.push(error.to_string());
        }
        // Unreadable files are already reported, with their position.
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
        if let Some(board) = &mut self.status.board {
            engine.leave_to_driver(&mut board.waits)?;
        }
        let mut over: Vec<_> = self.runs.iter().filter(|run| run.ended.is_some()).collect();
        over.sort_by_key(|run| std::cmp::Reverse(run.ended));
        let over: Vec<RunId> = over.into_iter().map(|run| run.id.clone()).collect();
        self.unmerged = to_take(place, &environment, engine.unmerged(&over)?);
        Ok(())
    }

    fn waits(&self) -> impl Iterator<Item = &Wait> {
        let work = self.status.board.iter().flat_map(|board| &board.waits);
        self.runs.iter().flat_map(|run| &run.waits).chain(work)
    }

    /// Returns the runs that are active or can be; an idle guard is not listed.
    fn live(&self) -> impl Iterator<Item = &ListedRun> {
        let rests = |run: &ListedRun| {
            run.source.info().is_automatic && run.life == RunStatus::Ready && run.owner.is_some()
        };
        self.runs
            .iter()
            .filter(move |run| run.ended.is_none() && (!rests(run) || !run.stale.is_empty()))
    }
}

/// Returns the branches whose work the user's files lack. git compares files only for as many
/// branches as are shown.
fn to_take(
    place: &Place,
    environment: &[(OsString, OsString)],
    found: Vec<(RunId, String)>,
) -> Vec<Unmerged> {
    let asked: Vec<&str> = found.iter().take(SHOWN).map(|(_, branch)| branch.as_str()).collect();
    // A git failure here is no problem of the project.
    let Ok(commands) = take_overs(place, &asked, environment) else { return Vec::new() };
    let mut commands = commands.into_iter();
    let one = |(run, branch)| match commands.next() {
        Some(command) => command.map(|command| Unmerged { run, branch, command: Some(command) }),
        None => Some(Unmerged { run, branch, command: None }),
    };
    found.into_iter().filter_map(one).collect()
}

/// Returns the hosts that no longer report stops although they were set up to, if there is a guard.
fn unheld(status: &Status, place: &Place) -> Vec<(Host, String)> {
    if status.guard.is_empty() {
        return Vec::new();
    }
    let environment = env::all();
    // Another check reports why it cannot be opened.
    Engine::open(place, &environment).map_or_else(|_| Vec::new(), |engine| engine.unheld())
}

fn nothing(call: &CommandContext) -> String {
    let folder = call.look.clip(&call.folder.display().to_string(), WIDTH - 20);
    if call.folder.join(LATER).is_dir() {
        return format!("{LATER} is of opti-gsd 2 or 3: {folder}\nNext: sprag check\n");
    }
    // The home directory is never a project.
    let home = env::get(env::HOME).is_some_and(|home| call.folder == std::path::Path::new(&home));
    let next = if home { "sprag demo" } else { "sprag init" };
    format!("no project here: {folder}\nNext: {next}\n")
}

/// Returns the next commands, for anyone and for a person only; the first of all is shown.
fn next(seen: Option<&ProjectStatus>) -> Next {
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
        // No session has been held yet, so the first question is whether the host calls sprag at
        // all.
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

#[cfg(test)]
mod tests {
    use sprag_testkit::TestEnv;

    use super::*;

    #[test]
    fn git_is_asked_of_no_more_branches_than_are_shown() {
        let env = TestEnv::new();
        env.write(".sprag/config.yaml", "v: 1\n");
        env.git(&["init", "-q"]);
        env.git(&["commit", "-q", "--allow-empty", "-m", "first"]);
        let found: Vec<_> = (0..SHOWN + 2).map(|at| format!("r-{at}")).collect();
        for run in &found {
            env.git(&["checkout", "-qb", &format!("sprag/{run}"), "main"]);
            env.write(format!("{run}.txt"), "work\n");
            env.git(&["add", format!("{run}.txt").as_str()]);
            env.git(&["commit", "-qm", "work"]);
        }
        env.git(&["checkout", "-q", "main"]);
        env.write("r-1.txt", "work\n");
        let folder = env.project();
        let start =
            sprag_world::root::RootSearch { folder: &folder, home: None, named: Some(&folder) };
        let place = sprag_world::root::find(start).unwrap().unwrap();
        let one = |run: &String| (RunId::parse(run.as_str()).unwrap(), format!("sprag/{run}"));
        let left = to_take(&place, &env::all(), found.iter().map(one).collect());
        let command = |at: usize| left[at].command.as_deref();
        assert_eq!(left.len(), SHOWN + 1, "one is in the files");
        assert_eq!(command(0), Some("git merge sprag/r-0"));
        assert_eq!(command(SHOWN - 2), Some("git merge sprag/r-9"));
        assert_eq!(command(SHOWN - 1), None);
        let mut out = String::new();
        text::unmerged(&mut out, crate::style::StreamStyle::PLAIN, &left);
        assert!(out.ends_with("     git merge sprag/r-9\n  and 2 older: sprag doctor\n"), "{out}");
        assert!(!out.contains("r-1\n"), "{out}");
    }
}
