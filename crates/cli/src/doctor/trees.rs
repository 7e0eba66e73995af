//! What doctor says of the branches and worktrees that runs have left, and how to remove them.

use sprag_engine::gate::typed;
use sprag_run::yard::{Leftover, YardError, leftovers};
use sprag_store::Place;

use super::{Check, Mark};
use crate::env;
use crate::look::size;

/// Says what is left of each run.
pub(super) fn look(place: &Place) -> Vec<Check> {
    match leftovers(place, &env::all()) {
        Ok(found) => found.iter().map(check).collect(),
        // A git that is missing is said already.
        Err(YardError::NoProgram) => Vec::new(),
        Err(error) => {
            let said = "what runs left in git cannot be listed";
            vec![Check::new(Mark::Note, said).more(error.to_string())]
        }
    }
}

fn check(one: &Leftover) -> Check {
    let state = match (one.is_merged, one.is_clean) {
        (true, true) => "merged",
        (false, true) => "not merged",
        (_, false) => "with changes that are not committed",
    };
    let place = match &one.folder {
        Some(folder) => format!(", {} in {}", size(one.bytes), folder.display()),
        None => ", no worktree".to_owned(),
    };
    let check = Check::new(Mark::Note, format!("branch {}: {state}{place}", one.branch));
    let check =
        if one.is_safe() { check } else { check.more("there is work in it that is nowhere else") };
    check.fix(removal(one))
}

/// Returns the command that removes it, as it would be typed.
fn removal(one: &Leftover) -> String {
    let command =
        |words: &[&str]| typed(&words.iter().copied().map(str::to_owned).collect::<Vec<_>>());
    // `-d` would ask whether it is merged into the branch at hand, which a run's work need not be.
    let branch = command(&["git", "branch", "-D", &one.branch]);
    let Some(folder) = &one.folder else { return branch };
    let folder = folder.display().to_string();
    let tree = if one.is_clean {
        command(&["git", "worktree", "remove", &folder])
    } else {
        command(&["git", "worktree", "remove", "--force", &folder])
    };
    format!("{tree} && {branch}")
}
