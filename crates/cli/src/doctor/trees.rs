//! `sprag doctor` on the branches and worktrees that runs left: how to take over work that exists
//! nowhere else, and how to remove the rest. Those that a run still needs get neither.

use sprag_core::{RunId, typed};
use sprag_engine::drive::{Needed, again};
use sprag_engine::engine::{Engine, EngineError};
use sprag_run::worktrees::{Leftover, WorktreesError, leftovers};
use sprag_store::Place;

use super::{Check, CheckMark};
use crate::env;
use crate::style::size;

/// Reports what each run left.
pub(super) fn look(place: &Place) -> Vec<Check> {
    let environment = env::all();
    match leftovers(place, &environment) {
        Ok(found) if found.is_empty() => Vec::new(),
        Ok(found) => {
            let needed = Engine::open(place, &environment).and_then(|engine| engine.needed());
            found.iter().map(|one| check(one, &needed)).collect()
        }
        // Another check reports that git is missing.
        Err(WorktreesError::NoProgram) => Vec::new(),
        Err(error) => {
            let said = "what runs left in git cannot be listed";
            vec![Check::new(CheckMark::Note, said).more(error.to_string())]
        }
    }
}

fn check(one: &Leftover, needed: &Result<Vec<(RunId, Needed)>, EngineError>) -> Check {
    let state = match (one.is_merged, one.is_clean) {
        (true, true) => "merged",
        (false, true) if one.is_applied => "not merged, and you took all of its work over",
        (false, true) => "not merged",
        (_, false) => "with changes that are not committed",
    };
    let place = match &one.folder {
        Some(folder) => format!(", {} in {}", size(one.bytes), folder.display()),
        None => ", no worktree".to_owned(),
    };
    let check = Check::new(CheckMark::Note, format!("branch {}: {state}{place}", one.branch));
    let by = match needed {
        Ok(runs) => runs.iter().find(|(run, _)| one.is_of(run)),
        Err(error) => return check.more(format!("whether a run needs it is not known: {error}")),
    };
    if let Some((run, why)) = by {
        return check.more(needs(run, why));
    }
    if one.is_safe() {
        return check.fix(removal(one));
    }
    let (look, keep) = keeping(one);
    check.more("there is work in it that is nowhere else").more(format!("look: {look}")).fix(keep)
}

/// Explains why a run still needs its branches and worktrees.
fn needs(run: &RunId, why: &Needed) -> String {
    match why {
        Needed::Driven(driver) => format!("in use by {run}: {driver}, drives it"),
        Needed::Open => format!("{run} is not over: {} continues it", again(run)),
        Needed::Unreadable => format!("{run} cannot be read, so it may not be over"),
    }
}

/// Returns the commands that show, and take over, work that exists nowhere else.
fn keeping(one: &Leftover) -> (String, String) {
    let take_over = one.take_over.clone();
    match one.folder.as_ref().filter(|_| !one.is_clean) {
        None => {
            let range = one.range.iter().map(String::as_str);
            (command(&["git", "diff"].into_iter().chain(range).collect::<Vec<_>>()), take_over)
        }
        Some(folder) => {
            let folder = folder.display().to_string();
            let there = |words: &[&str]| command(&[&["git", "-C", &folder], words].concat());
            let keep = [there(&["add", "-A"]), there(&["commit", "-m", "Work"]), take_over];
            (there(&["status"]), keep.join(" && "))
        }
    }
}

/// Quotes words as a shell command.
fn command(words: &[&str]) -> String {
    typed(&words.iter().copied().map(str::to_owned).collect::<Vec<_>>())
}

/// Returns the command that removes a leftover without losing work.
fn removal(one: &Leftover) -> String {
    // `-d` would require that it is merged into the current branch, which a run's work need not be.
    let branch = command(&["git", "branch", "-D", &one.branch]);
    let Some(folder) = &one.folder else { return branch };
    let folder = folder.display().to_string();
    let tree = command(&["git", "worktree", "remove", &folder]);
    format!("{tree} && {branch}")
}
