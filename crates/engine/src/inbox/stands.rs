//! Compares an agent's own document with our record about it.

use sprag_core::event::AssignmentPutBack;
use sprag_core::inbox::{AgentRecord, Drift, Slot, drift};
use sprag_core::{Agent, DocPath};
use sprag_formats::chipset::Hook;
use sprag_store::View;

use super::assignment_files::{read_ours, text, unreadable, wrong};
use super::{paths, turns};
use crate::engine::EngineError;

/// An agent's document, and our record about it.
pub(super) struct Stands {
    pub(super) hook: Option<(String, Hook)>,
    pub(super) holder_text: Option<String>,
    pub(super) holder: AgentRecord,
    /// The slot that counts: the document's, unless its writer was not allowed to change it.
    pub(super) found: Slot,
    /// Whether another tool changed the assignment.
    pub(super) adopted: bool,
    /// Changes that do not count and are reverted.
    pub(super) put_back: Vec<AssignmentPutBack>,
}

/// How to treat work in progress that another tool cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emptied {
    /// It may not be done, so a person must look at it.
    Unknown,
    /// A person accepts that it is over.
    Accepted,
}

/// Reads an agent's assignment and compares it with our record. A change that no single step
/// explains, and a missing document that we wrote, are errors.
pub(super) fn stands(
    view: &View<'_>,
    agent: &Agent,
    emptied: Emptied,
) -> Result<Stands, EngineError> {
    let hook = read_hook(view, agent)?;
    let (holder_text, holder) = read_ours::<AgentRecord>(view, &paths::holder(agent)?)?;
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
            // An agent may not decide that the work is over.
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
                "another process changed `{known}` to `empty`; if it is over: `sprag agent clear {agent}`"
            );
            view.leave_unsaid(&at);
            return Err(unreadable(&at, why));
        }
        Drift::Strange { why } => return Err(unreadable(&at, why)),
    }
    Ok(stands)
}

/// Refuses a missing document whose slot had work. For an agent without work, a missing document
/// means an empty slot.
fn missing(view: &View<'_>, at: &DocPath, known: Option<&Slot>) -> Result<(), EngineError> {
    let is_lost = view.is_lost(at);
    match known {
        Some(known) if known.unit().is_some() => {
            Err(unreadable(at, format!("it is missing, and it held `{known}`")))
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
