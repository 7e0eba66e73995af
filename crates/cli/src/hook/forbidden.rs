//! What no agent may do, whatever it works on: a person's verbs, our state, the hosts' settings.
//!
//! It is judged from the call alone, before anything of the project is read.

use std::path::{Path, PathBuf};

use sprag_engine::trust;
use sprag_hosts::edits::{self, Ground};
use sprag_hosts::{Call, Heard, Typed, shell};
use sprag_store::Place;

use crate::env;

/// Returns why a tool may not be used by any agent, whatever it works on.
pub(super) fn forbidden(place: &Place, heard: &Heard, call: &Call) -> Option<String> {
    // A timer of the agent's own comes back as a prompt that looks like a person's.
    if call.prompt.as_deref().and_then(Typed::read).is_some() {
        return Some("commands that begin with `/sprag:` are a person's to type".to_owned());
    }
    let by_shell = call.command.as_deref().and_then(|text| shell::forbidden(heard.host, text));
    if let Some(forbidden) = by_shell {
        return Some(forbidden.to_string());
    }
    let home = env::get(env::HOME).map(PathBuf::from);
    let cwd = heard.cwd.as_ref().map_or(place.root.as_path(), Path::new);
    let ground = Ground { root: &place.root, cwd, home: home.as_deref() };
    let state = Ground { root: &place.state, ..ground };
    let trusted = trust::folder(env::get(env::STATE_HOME).as_deref(), home.as_deref());
    call.writes().iter().find_map(|path| {
        let real = real(&cwd.join(path));
        let seen = [path.as_str(), real.as_deref().unwrap_or(path)];
        let is_trust =
            |path: &str| trusted.as_ref().is_some_and(|folder| cwd.join(path).starts_with(folder));
        let is_ours = |path: &&str| {
            is_trust(path)
                || edits::protected(heard.host, path, ground).is_some()
                || edits::protected(heard.host, path, state).is_some()
        };
        seen.iter().any(is_ours).then(|| format!("`{path}` is not for agents to change"))
    })
}

/// Returns where a path leads through links, as far as it exists.
fn real(path: &Path) -> Option<String> {
    let mut rest = Vec::new();
    let mut at = path;
    loop {
        if let Ok(found) = std::fs::canonicalize(at) {
            let whole = rest.iter().rev().fold(found, |whole, name| whole.join(name));
            return whole.to_str().map(str::to_owned);
        }
        rest.push(at.file_name()?);
        at = at.parent()?;
    }
}
