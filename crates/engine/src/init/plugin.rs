//! Checks whether an enabled plugin of Claude Code with our name really is ours.
//!
//! Any plugin can be called `sprag`. So its files are found through Claude Code's list of installed
//! plugins, and it counts only if it calls us at every event. If it cannot be found, it does not
//! count: superfluous entries show up in `sprag doctor` and are easily removed, but a session
//! without entries goes unnoticed.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sprag_hosts::install::survey;
use sprag_hosts::{Host, PathBase, Setting};

use super::spot::HostFile;
use crate::engine::Engine;

/// Claude Code's list of installed plugins.
const INSTALLED: Setting =
    Setting { at: PathBase::Home, path: ".claude/plugins/installed_plugins.json" };
/// The file with a plugin's entries.
const ENTRIES: &str = "hooks/hooks.json";

/// Returns whether one of these plugins, by their names in `enabledPlugins`, has all our entries.
pub(super) fn is_ours(engine: &Engine<'_>, names: &[String]) -> bool {
    let folders = |name: &String| installed(engine, name);
    names.iter().flat_map(folders).any(|folder| calls_us(&folder))
}

/// Returns the folders of a plugin that is installed for this project.
fn installed(engine: &Engine<'_>, name: &str) -> Vec<PathBuf> {
    let list = HostFile::at(Host::CLAUDE, INSTALLED, engine.place, engine.environment);
    let text = list.and_then(|list| list.read().ok()?);
    let list: Value = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    // One object, or a list with one for each project.
    let entries = match &list["plugins"][name] {
        Value::Array(entries) => entries.iter().collect(),
        one @ Value::Object(_) => vec![one],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let path = |entry: &Value, key: &str| entry[key].as_str().map(PathBuf::from);
    let is_here = |entry: &&Value| {
        path(entry, "projectPath").is_none_or(|project| project == engine.place.root)
    };
    let entries = entries.into_iter().filter(is_here);
    entries.filter_map(|entry| path(entry, "installPath")).collect()
}

/// Returns whether a plugin calls us at every event.
fn calls_us(folder: &Path) -> bool {
    let entries = HostFile::within(Host::CLAUDE, folder, ENTRIES);
    let text = entries.and_then(|entries| entries.read().ok()?);
    let found = text.and_then(|text| survey(&text, Host::CLAUDE).ok());
    found.is_some_and(|found| found.missing.is_empty())
}
