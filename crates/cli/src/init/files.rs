//! Lists the changes to the hosts' files. Entries and bridges have a line each. The tools and the
//! slash commands of all hosts share a line, so that everything fits on a screen.

use std::fmt::Write as _;

use sprag_engine::init::setting::{FileChange, SettingPlan};
use sprag_hosts::PathBase;
use sprag_hosts::install::Component;

use super::text::{entries, file};
use crate::style::count;

/// The subject of a file, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matter {
    Entries,
    Bridge,
    Tools,
    Commands,
    /// pi-workflows is replaced.
    Switch,
}

/// The subjects that share one line, and its text.
const TOGETHER: [(Matter, &str); 2] = [
    (Matter::Tools, "the tools of `sprag mcp`"),
    (Matter::Commands, "/sprag:until, start, why, pause, ok"),
];

/// Returns a verb and its object for each line.
pub(super) fn lines(settings: &[SettingPlan]) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    for setting in settings {
        if matches!(matter(setting), Matter::Entries | Matter::Bridge | Matter::Switch) {
            alone(setting, &mut lines);
        }
    }
    for (matter, about) in TOGETHER {
        together(settings, matter, about, &mut lines);
    }
    lines
}

fn matter(setting: &SettingPlan) -> Matter {
    match setting.parts.first() {
        None => Matter::Switch,
        Some(Component::Entries) => Matter::Entries,
        Some(Component::Server | Component::ServerHere) => Matter::Tools,
        Some(Component::Bridge) => Matter::Bridge,
        // It belongs to the bridge beside it.
        Some(Component::Ignore) if setting.spot.host.bridge().is_some() => Matter::Bridge,
        Some(Component::Command(_) | Component::Ignore) => Matter::Commands,
    }
}

fn alone(setting: &SettingPlan, lines: &mut Vec<(&'static str, String)>) {
    let shown = &setting.shown;
    match &setting.change {
        FileChange::Already | FileChange::Write(_) if setting.parts == [Component::Ignore] => {}
        FileChange::Already => {
            let instead = setting.instead_of.as_ref();
            let about = instead.map(|meant| format!("so {meant} is left alone"));
            lines.push(("Already", file(shown, &about.unwrap_or_default())));
            if setting.unshared {
                lines.push(("Note", format!("that file is yours alone{}", to_share(setting))));
            }
        }
        FileChange::Keep { why } => lines.push(("Keep", file(shown, why))),
        FileChange::Cannot { why } => lines.push(("Cannot", file(shown, why))),
        FileChange::Write(_) => lines.push((verb(setting), file(shown, &about(setting)))),
    }
    if let Some(other) = setting.other_stops.first() {
        let many = count(setting.other_stops.len(), "other stop");
        let both = setting.spot.host.both_refuse();
        lines.push(("Note", format!("{many} there (`{other}`): {both}")));
    }
}

/// Explains how others get an entry that is in the user's own file.
fn to_share(setting: &SettingPlan) -> &'static str {
    match setting.spot.at {
        PathBase::Project => "; to share it: sprag init --undo, then sprag init --shared",
        // It applies to all the user's projects; a second one in this project would call sprag
        // twice.
        PathBase::Home => ": team mates run sprag init themselves",
    }
}

fn verb(setting: &SettingPlan) -> &'static str {
    if setting.before.is_some() { "Merge" } else { "Write" }
}

fn about(setting: &SettingPlan) -> String {
    let FileChange::Write(done) = &setting.change else { return String::new() };
    let mut about = Vec::new();
    match matter(setting) {
        Matter::Switch => about.push("without pi-workflows".to_owned()),
        Matter::Bridge if done.mended > 0 => about.push("the bridge, as it is now".to_owned()),
        Matter::Bridge => about.push("the bridge".to_owned()),
        Matter::Entries | Matter::Tools | Matter::Commands => {
            if done.added > 0 {
                about.push(format!("+{}", entries(done.added)));
            }
            if done.mended > 0 {
                about.push(format!("{} of ours mended", done.mended));
            }
            if done.kept > 0 {
                about.push(format!("your {} kept", done.kept));
            }
            if setting.parts.contains(&Component::Server) {
                about.push("the tools of `sprag mcp`".to_owned());
            }
        }
    }
    let mut about = about.join(", ");
    let (host, form) = (setting.spot.host.name(), setting.spot.host.form());
    if let Some(review) = form.and_then(|form| form.review) {
        let _ = write!(about, "; {host} asks you to review them: {review}");
    }
    if setting.spot.at == PathBase::Project && setting.spot.host.asks_for_trust() {
        let _ = write!(about, "; {host} uses it once you trust this folder there");
    }
    about
}

/// Summarizes a subject of all hosts in one line; skipped files have lines of their own.
fn together(
    settings: &[SettingPlan],
    matter: Matter,
    about: &str,
    lines: &mut Vec<(&'static str, String)>,
) {
    let of_matter = || settings.iter().filter(|setting| self::matter(setting) == matter);
    let places = |wanted: fn(&SettingPlan) -> bool| {
        let mut places: Vec<String> = Vec::new();
        for setting in of_matter().filter(|setting| wanted(setting)) {
            let place = place(setting, matter);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places.join(", ")
    };
    let written = places(|setting| matches!(setting.change, FileChange::Write(_)));
    let merged = of_matter()
        .any(|setting| matches!(setting.change, FileChange::Write(_)) && setting.before.is_some());
    let already = places(|setting| matches!(setting.change, FileChange::Already));
    if !written.is_empty() {
        let verb = if merged { "Merge" } else { "Write" };
        lines.push((verb, file(&written, about)));
    } else if !already.is_empty() {
        lines.push(("Already", file(&already, about)));
    }
    for setting in of_matter() {
        match &setting.change {
            FileChange::Keep { why } => lines.push(("Keep", file(&setting.shown, why))),
            FileChange::Cannot { why } => lines.push(("Cannot", file(&setting.shown, why))),
            FileChange::Already | FileChange::Write(_) => {}
        }
    }
}

/// Returns the name to show: the file, or the folder of many files.
fn place(setting: &SettingPlan, matter: Matter) -> String {
    match (matter, setting.shown.rsplit_once('/')) {
        // A plugin provides them, and this file enables it.
        (Matter::Commands, _) if setting.instead_of.is_some() => setting.shown.clone(),
        (Matter::Commands, Some((folder, _))) => format!("{folder}/"),
        (Matter::Commands, None)
        | (Matter::Entries | Matter::Bridge | Matter::Tools | Matter::Switch, _) => {
            setting.shown.clone()
        }
    }
}
