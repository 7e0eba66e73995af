//! Handles pi-workflows, an extension of pi: it and our bridge would drive the same workflows, so
//! only one of them may be installed.
//!
//! If it is installed, pi is left alone and the person learns about the switch: `init --switch`
//! removes it from pi's list of packages and installs our bridge. `--undo` reverts that.

use sprag_formats::{Document, Edit, Fault, Format, Node, Value};
use sprag_hosts::install::Entered;
use sprag_hosts::{Host, PathBase, Setting as Place};

use super::plan::InitRequest;
use super::setting;
use super::setting::{FileChange, SettingPlan};
use super::spot::HostFile;
use crate::engine::Engine;

/// The part of a package's name that identifies the extension.
const NAME: &str = "pi-workflows";
/// The lists in pi's settings that may contain it.
const LISTS: [&str; 2] = ["packages", "extensions"];

/// pi's settings: the person's and the project's.
pub(super) const SETTINGS: [Place; 2] = [
    Place { at: PathBase::Home, path: ".pi/agent/settings.json" },
    Place { at: PathBase::Project, path: ".pi/settings.json" },
];

/// The folders from which pi loads extensions without a setting.
const FOLDERS: [Place; 2] = [
    Place { at: PathBase::Home, path: ".pi/agent/extensions" },
    Place { at: PathBase::Project, path: ".pi/extensions" },
];

/// Returns the settings to change so that our bridge can replace the extension. An error explains
/// why the host cannot be set up next to it.
pub(super) fn switched(
    engine: &Engine<'_>,
    host: Host,
    wish: &InitRequest<'_>,
) -> Result<Vec<SettingPlan>, String> {
    if host != Host::PI {
        return Ok(Vec::new());
    }
    if let Some(path) = FOLDERS.iter().find_map(|folder| in_folder(engine, *folder)) {
        return Err(format!("{NAME} is installed ({path}): take it out, and init again"));
    }
    let mut settings = Vec::new();
    for place in SETTINGS {
        let Some(spot) = spot(engine, place) else { continue };
        let shown = setting::shown(engine, &spot);
        // An unreadable file may list the extension.
        let unknown = |why: &str| format!("{shown} may have {NAME}, and cannot be read: {why}");
        let Some(before) = spot.read().map_err(|why| unknown(&why))? else { continue };
        let after = without(&before).map_err(|fault| unknown(&fault.what))?;
        let Some(after) = after else { continue };
        if !wish.switch {
            return Err(format!(
                "{NAME} is installed ({shown}): `sprag init --switch` replaces it"
            ));
        }
        settings.push(SettingPlan {
            spot,
            parts: Vec::new(),
            shown,
            before: Some(before),
            change: FileChange::Write(Entered { text: after, ..Entered::default() }),
            instead_of: None,
            unshared: false,
            other_stops: Vec::new(),
        });
    }
    Ok(settings)
}

/// Returns one of pi's files.
pub(super) fn spot(engine: &Engine<'_>, place: Place) -> Option<HostFile> {
    HostFile::at(Host::PI, place, engine.place, engine.environment)
}

/// Returns the display path of the extension in one of pi's folders.
fn in_folder(engine: &Engine<'_>, place: Place) -> Option<String> {
    let spot = spot(engine, place)?;
    let mut entries = std::fs::read_dir(spot.path()).ok()?.filter_map(Result::ok);
    let found = entries.find(|entry| entry.file_name().to_string_lossy().contains(NAME))?;
    let name = found.file_name().to_string_lossy().into_owned();
    Some(format!("{}/{name}", setting::shown(engine, &spot)))
}

/// Returns pi's settings without the extension; `None` if they do not list it.
fn without(text: &str) -> Result<Option<String>, Fault> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let document = Document::parse(Format::Json, text)?;
    let mut edits = Vec::new();
    for list in LISTS {
        let Some(Value::List(items)) = document.root().child(list).map(|node| &node.value) else {
            continue;
        };
        let named = items.iter().enumerate().rev().filter(|(_, item)| names_it(item));
        edits.extend(named.map(|(at, _)| Edit::remove([list, at.to_string().as_str()])));
    }
    if edits.is_empty() {
        return Ok(None);
    }
    Ok(sprag_core::apply(text, &document.edit(&edits)?).ok())
}

/// Returns whether a list's item is the extension: its source, or a map with the source.
fn names_it(item: &Node) -> bool {
    let source = item.child("source").unwrap_or(item);
    match &source.value {
        Value::String(source) => source.contains(NAME),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_extension_goes_from_the_lists() {
        let before = "{\n  \"packages\": [\n    \"npm:a\",\n    \"npm:@harms-haus/pi-workflows@1.0.0\",\n    {\"source\": \"git:github.com/x/pi-workflows\", \"skills\": []}\n  ],\n  \"extensions\": [\"./mine.ts\"]\n}\n";
        let after =
            "{\n  \"packages\": [\n    \"npm:a\"\n  ],\n  \"extensions\": [\"./mine.ts\"]\n}\n";
        assert_eq!(without(before).unwrap().as_deref(), Some(after));
        for none in ["{}", "", "{\"packages\": {}}", "{\"packages\": [1, {\"x\": 2}, \"npm:b\"]}"] {
            assert_eq!(without(none).unwrap(), None, "{none}");
        }
        assert!(without("{").is_err());
    }
}
