//! What is said of a folder in which nothing counts, because no person here has agreed to it.

use std::path::PathBuf;

use serde_json::{Value, json};
use sprag_engine::deed::{self, Belongs};
use sprag_engine::root;
use sprag_store::Place;

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::{env, screen};

/// The command with which a person agrees.
const ADOPT: &str = "sprag adopt";

/// Finds out whose project a place is.
pub(crate) fn of(place: &Place) -> Belongs {
    let home = env::get(env::HOME).map(PathBuf::from);
    let folder = deed::folder(env::get(env::STATE_HOME).as_deref(), home.as_deref());
    Belongs::of(place, folder.as_deref())
}

/// Returns in one sentence why nothing counts, where nothing does.
pub(crate) fn why(belongs: &Belongs) -> Option<String> {
    match belongs {
        Belongs::Here(_) | Belongs::Moved(_) | Belongs::New => None,
        Belongs::Elsewhere => Some("this folder brings settings from elsewhere".to_owned()),
        Belongs::Copy { of } => Some(format!("this folder is a copy of `{}`", of.display())),
        Belongs::Unknown { why } => Some(format!("it cannot be told whose folder this is: {why}")),
    }
}

/// Returns the one line that a person is told, where nothing counts.
pub(crate) fn line(belongs: &Belongs) -> Option<String> {
    let why = why(belongs)?;
    Some(format!("sprag: {why}. None of its settings apply until you agree: {ADOPT}"))
}

/// Says on standard error where nothing counts of what is shown.
pub(crate) fn note(belongs: &Belongs) {
    if let Some(line) = line(belongs) {
        screen::complain(&format!("{line}\n"));
    }
}

/// Adds to an object where nothing counts of what it shows.
pub(crate) fn mark(object: &mut Value, belongs: &Belongs) {
    let word = match belongs {
        Belongs::Here(_) | Belongs::Moved(_) | Belongs::New => return,
        Belongs::Elsewhere => "elsewhere",
        Belongs::Copy { .. } => "copy",
        Belongs::Unknown { .. } => "unknown",
    };
    object["belongs"] = json!(word);
}

/// Refuses where nothing counts.
pub(crate) fn counts(belongs: &Belongs) -> Result<(), Fault> {
    let Some(why) = why(belongs) else { return Ok(()) };
    let fault = Fault::new(Exit::NeedsPerson, Code::NotAdopted, why);
    Err(fault.help(format!("look at it and agree first: `{ADOPT}`")).human(ADOPT))
}

/// Refuses where nothing counts, unless somebody begins what they name: that is their yes to it, and
/// not to runs and sessions that came with it.
pub(crate) fn may_begin(place: &Place, belongs: &Belongs) -> Result<(), Fault> {
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
