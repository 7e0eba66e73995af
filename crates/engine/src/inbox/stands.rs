//! Where an agent's own document stands, against what we know of it.

use sprag_core::event::AssignmentPutBack;
use sprag_core::inbox::{Drift, Holder, Slot, drift};
use sprag_core::{Agent, DocPath};
use sprag_formats::chipset::Hook;
use sprag_store::View;

use super::seat::{read_ours, text, unreadable, wrong};
use super::{paths, turns};
use crate::engine::EngineError;

/// What stands in an agent's document, and what we know of it.
pub(super) struct Stands {
    pub(super) hook: Option<(String, Hook)>,
    pub(super) holder_text: Option<String>,
    pub(super) holder: Holder,
    /// What counts: what stands there, unless it was not the writer's to decide.
    pub(super) found: Slot,
    /// Whether somebody else took a step.
    pub(super) adopted: bool,
    /// What does not count, and is put back.
    pub(super) put_back: Vec<AssignmentPutBack>,
}

/// What it means that work which somebody worked on was taken off without a word of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emptied {
    /// Nobody knows whether it is done, so a person must look at it.
    Unknown,
    /// A person says that it is over.
    Accepted,
}

/// Reads an agent's assignment and compares it with what we know; what no single step explains, and
/// what is missing although we wrote it, cannot be read.
pub(super) fn stands(
    view: &View<'_>,
    agent: &Agent,
    emptied: Emptied,
) -> Result<Stands, EngineError> {
    let hook = read_hook(view, agent)?;
    let (holder_text, holder) = read_ours::<Holder>(view, &paths::holder(agent)?)?;
    let found = hook.as_ref().map_or(Slot::Empty, |(_, hook)| hook.slot.clone());
    let known = holder.known.as_ref();
    let at = paths::hook(agent)?;
    if hook.is_none() {
        missing(view, &at, known)?;
    }
    let mut stands =
        Stands { hook, holder_text, holder, found, adopted: false, put_back: Vec::new() };
    let Some(known) = stands.holder.known.clone() else {
        stands.adopted = stands.found.unit().is_some();
        return Ok(stands);
    };
    match drift(Some(&known), &stands.found) {
        Drift::None => {}
        Drift::Legal if stands.found == Slot::Empty && turns::is_open(view)? => {
            // That work is over is not for an agent to say.
            view.leave_unsaid(&at);
            stands.put_back.push(AssignmentPutBack {
                agent: agent.to_string(),
                found: stands.found.to_string(),
                restored: known.to_string(),
            });
            stands.found = known;
        }
        Drift::Legal => stands.adopted = true,
        Drift::Emptied if emptied == Emptied::Accepted => stands.adopted = true,
        Drift::Emptied => {
            let why = format!(
                "somebody else made `empty` of `{known}`; if it is over: `sprag agent clear {agent}`"
            );
            view.leave_unsaid(&at);
            return Err(unreadable(&at, why));
        }
        Drift::Strange { why } => return Err(unreadable(&at, why)),
    }
    Ok(stands)
}

/// Refuses a document that is missing, although work stood in it. One of an agent that had nothing
/// says as much by its absence.
fn missing(view: &View<'_>, at: &DocPath, known: Option<&Slot>) -> Result<(), EngineError> {
    let is_lost = view.is_lost(at);
    match known {
        Some(known) if known.unit().is_some() => {
            Err(unreadable(at, format!("it is missing, and `{known}` stood in it")))
        }
        None if is_lost => Err(unreadable(at, super::lost::MISSING)),
        Some(_) | None => Ok(()),
    }
}

fn read_hook(view: &View<'_>, agent: &Agent) -> Result<Option<(String, Hook)>, EngineError> {
    let path = paths::hook(agent)?;
    let Some(text) = text(view, &path)? else { return Ok(None) };
    let hook = Hook::read(&text).map_err(|fault| wrong(&path, &fault))?;
    if hook.agent != agent.as_str() {
        let why = format!("it says that it is `{}`'s", hook.agent.escape_debug());
        return Err(unreadable(&path, why));
    }
    Ok(Some((text, hook)))
}
