//! The messages about a folder whose settings have no effect because no local user has agreed to
//! them.

use std::path::PathBuf;

use serde_json::{Value, json};
use sprag_store::Place;
use sprag_world::root;
use sprag_world::state_home;
use sprag_world::trust::Belongs;

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::{env, screen};

/// The command with which a user agrees.
const ADOPT: &str = "sprag adopt";

/// Determines whether a project belongs to this user.
pub(crate) fn of(place: &Place) -> Belongs {
    let home = env::get(env::HOME).map(PathBuf::from);
    let folder = state_home::folder(env::get(env::STATE_HOME).as_deref(), home.as_deref());
    Belongs::of(place, folder.as_deref())
}

/// Returns in one sentence why the folder's settings have no effect, or `None` if they have.
pub(crate) fn why(belongs: &Belongs) -> Option<String> {
    match belongs {
        Belongs::Here(_) | Belongs::Moved(_) | Belongs::New => None,
        Belongs::Elsewhere => Some("this folder brings settings from elsewhere".to_owned()),
        Belongs::Copy { of } => Some(format!("this folder is a copy of `{}`", of.display())),
        Belongs::Unknown { why } => Some(format!("it cannot be told whose folder this is: {why}")),
    }
}

/// Returns the one-line note for a folder whose settings have no effect.
pub(crate) fn line(belongs: &Belongs) -> Option<String> {
    let why = why(belongs)?;
    let until = match belongs {
        Belongs::Unknown { .. } => "then".to_owned(),
        Belongs::Here(_)
        | Belongs::Moved(_)
        | Belongs::New
        | Belongs::Elsewhere
        | Belongs::Copy { .. } => format!("you agree: {ADOPT}"),
    };
    Some(format!("sprag: {why}. None of its settings apply until {until}"))
}

/// Prints a note on standard error if the displayed settings have no effect.
pub(crate) fn note(belongs: &Belongs) {
    if let Some(line) = line(belongs) {
        screen::complain(&format!("{line}\n"));
    }
}

/// Marks a JSON object if the displayed settings have no effect.
pub(crate) fn mark(object: &mut Value, belongs: &Belongs) {
    let word = match belongs {
        Belongs::Here(_) | Belongs::Moved(_) | Belongs::New => return,
        Belongs::Elsewhere => "elsewhere",
        Belongs::Copy { .. } => "copy",
        Belongs::Unknown { .. } => "unknown",
    };
    object["belongs"] = json!(word);
}

/// Rejects a folder whose settings have no effect.
pub(crate) fn counts(belongs: &Belongs) -> Result<(), EarlyExit> {
    let Some(why) = why(belongs) else { return Ok(()) };
    let fault = Fault::new(Exit::NeedsPerson, Code::NotAdopted, why);
    let fault = match belongs {
        Belongs::Unknown { .. } => fault.help("mend that, then try again"),
        Belongs::Here(_)
        | Belongs::Moved(_)
        | Belongs::New
        | Belongs::Elsewhere
        | Belongs::Copy { .. } => {
            fault.help(format!("look at it and agree first: `{ADOPT}`")).human(ADOPT)
        }
    };
    Err(fault.into())
}

/// Rejects a folder whose settings have no effect, unless the user starts a source that they name.
/// By naming it they agree to it, but not to runs and sessions that came with the folder.
pub(crate) fn may_begin(place: &Place, belongs: &Belongs) -> Result<(), EarlyExit> {
    match belongs {
        Belongs::Elsewhere if !root::has_state(place) => Ok(()),
        Belongs::Here(_)
        | Belongs::Moved(_)
        | Belongs::New
        | Belongs::Elsewhere
        | Belongs::Copy { .. }
        | Belongs::Unknown { .. } => counts(belongs),
    }
}
