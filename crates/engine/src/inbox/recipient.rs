//! Resolves the recipients of mail and nudges: a name that belongs to no agent is refused and gets
//! no mailbox.

use sprag_core::Agent;
use sprag_core::inbox::Who;
use sprag_formats::nearest;
use sprag_store::{Doc, Listing, View};

use super::board::agents;
use super::mail::mailbox;
use super::paths;
use crate::engine::{Engine, EngineError};

/// The roles whose mailbox exists before an agent has the role.
pub(super) const STANDING: [&str; 3] = ["mayor", "witness", "refinery"];
/// The roles that several agents share.
const SHARED: [&str; 2] = ["polecat", "crew"];

/// A mailbox to send to.
#[derive(Debug)]
pub(super) struct Recipient {
    pub(super) to: String,
    /// A note for the sender.
    pub(super) note: Option<String>,
}

impl Engine<'_> {
    /// Returns the agent that a sender means, and a note for the sender.
    pub fn recipient(&self, name: &Agent) -> Result<(Agent, Option<String>), EngineError> {
        self.look(|view| {
            let Recipient { to, note } = recipient(view, name.as_str())?;
            Ok((Agent::parse(&to)?, note))
        })
    }
}

/// Returns the mailbox that a sender means. A shared role means its only agent; messages to all are
/// refused. A future agent has a mailbox, as in the original.
pub(super) fn recipient(view: &View<'_>, name: &str) -> Result<Recipient, EngineError> {
    let to = mailbox(view, name)?;
    if STANDING.contains(&name) || name == Who::Person.name() || is_known(view, &to)? {
        return Ok(Recipient { to, note: None });
    }
    let all = agents(view)?;
    if SHARED.contains(&name) {
        return the_only(name, &all);
    }
    let names: Vec<&str> = all.iter().map(Agent::as_str).collect();
    let near = nearest(name, &names).map(|near| format!("; did you mean `{near}`?"));
    let near = near.unwrap_or_default();
    let is_role = |role: &str| STANDING.contains(&role) || SHARED.contains(&role);
    if name.split_once('-').is_some_and(|(role, _)| is_role(role)) {
        let note = Some(format!("no agent {to} is known yet{near}"));
        return Ok(Recipient { to, note });
    }
    // A mailbox that the original's tools use has an owner.
    if !matches!(view.list(&paths::folder(&format!("mail/{to}"))?), Listing::Absent) {
        return Ok(Recipient { to, note: None });
    }
    let what = format!("there is no agent `{to}`, and nothing is sent to all{near}");
    Err(EngineError::NotFound { what })
}

/// Returns the only agent of a role, by its name.
fn the_only(role: &str, all: &[Agent]) -> Result<Recipient, EngineError> {
    let begins =
        |agent: &&Agent| agent.as_str().split_once('-').is_some_and(|(own, _)| own == role);
    let names: Vec<String> = all.iter().filter(begins).map(ToString::to_string).collect();
    match names.as_slice() {
        [one] => Ok(Recipient { to: one.clone(), note: None }),
        [] => Err(EngineError::NotFound { what: format!("no agent is a {role} yet") }),
        [_, _, ..] => {
            let what = format!("more than one agent is a {role}");
            Err(EngineError::Several { what, names })
        }
    }
}

fn is_known(view: &View<'_>, name: &str) -> Result<bool, EngineError> {
    let agent = Agent::parse(name)?;
    let files = [paths::agent(&agent)?, paths::hook(&agent)?, paths::holder(&agent)?];
    Ok(files.iter().any(|file| view.read(file) != Doc::Absent))
}
