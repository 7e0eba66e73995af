//! Rules for all agents, whatever they work on: no user-only commands, no changes to sprag's state
//! or the hosts' settings.
//!
//! They depend only on the call, before anything of the project is read.

use std::path::{Path, PathBuf};

use sprag_hosts::edits::{self, EditContext};
use sprag_hosts::{HookCall, SlashCommand, ToolCall, shell};
use sprag_store::Place;
use sprag_world::state_home;

use super::cwd;
use super::written::HookOutputText;
use crate::env;

/// Returns why no agent may make this call, or `None`.
pub(super) fn forbidden(
    place: &Place,
    heard: &HookCall,
    call: &ToolCall,
    writes: &[HookOutputText<'_>],
) -> Option<String> {
    // A timer that the agent sets comes back as a prompt that looks like the user's.
    if call.prompt.as_deref().and_then(SlashCommand::read).is_some() {
        return Some("commands that begin with `/sprag:` are a person's to type".to_owned());
    }
    let by_shell = call.command.as_deref().and_then(|text| shell::forbidden(heard.host, text));
    if let Some(forbidden) = by_shell {
        return Some(forbidden.to_string());
    }
    let home = env::get(env::HOME).map(PathBuf::from);
    let cwd = cwd(place, heard);
    let ground = EditContext { root: &place.root, cwd, home: home.as_deref() };
    // In a linked worktree the state is elsewhere.
    let state =
        Some(EditContext { root: &place.state, ..ground }).filter(|_| place.state != place.root);
    let agreed = state_home::folder(env::get(env::STATE_HOME).as_deref(), home.as_deref());
    let is_ours = |path: &str| {
        let mut grounds = [Some(ground), state].into_iter().flatten();
        agreed.as_ref().is_some_and(|folder| Path::new(path).starts_with(folder))
            || grounds.any(|ground| edits::protected(heard.host, path, ground).is_some())
    };
    let found = writes
        .iter()
        .find(|written| written.leads.iter().any(|lead| is_ours(&lead.to_string_lossy())));
    found.map(|written| format!("`{}` is not for agents to change", written.path))
}
