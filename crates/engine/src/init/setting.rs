//! Plans the change of one host file.
//!
//! A host may read the same entries from several files, and would then call us twice. So an entry
//! that exists in another of its files is not written again.

use std::path::{Path, PathBuf};

use sprag_hosts::install::{Component, Entered, FileSpec, Scope, Survey, Wanted, enter, survey};
use sprag_hosts::{Host, PathBase};
use sprag_world::root;

use super::config::Configuring;
use super::plan::InitRequest;
use super::spot::HostFile;
use super::{plugin, rival, variable};
use crate::engine::Engine;

/// The planned change of one file.
#[derive(Clone, Debug)]
pub struct SettingPlan {
    pub spot: HostFile,
    /// Our parts of the file.
    pub parts: Vec<Component>,
    /// The display path.
    pub shown: String,
    /// The current text.
    pub before: Option<String>,
    pub change: FileChange,
    /// The intended file, if this other file has our part already.
    pub instead_of: Option<String>,
    /// Whether that other file is personal although a shared one was requested.
    pub unshared: bool,
    /// Other commands that run at a stop, from any file.
    pub other_stops: Vec<String>,
}

/// The change of a file.
#[derive(Clone, Debug)]
pub enum FileChange {
    /// None: it has everything already.
    Already,
    Write(Entered),
    /// It stays as it is: a person edited it.
    Keep {
        why: &'static str,
    },
    /// It cannot be changed.
    Cannot {
        why: String,
    },
}

/// The reason why an edited file of ours stays as it is.
const THEIRS: &str = "it was edited, so it stays; remove it for a new one";

/// Plans the changes of all of a host's files. An error explains why the host is not set up.
pub(super) fn of_host(
    engine: &Engine<'_>,
    host: Host,
    wish: &InitRequest<'_>,
    config: &Configuring,
) -> Result<Vec<SettingPlan>, String> {
    let mut settings = Vec::new();
    settings.extend(rival::switched(engine, host, wish)?);
    let desk = HostInputs { engine, host, wish, config, root: key(engine) };
    for piece in host.pieces(wish.scope) {
        settings.extend(desk.setting(piece));
    }
    let made = settings.iter().filter(|one| is_new(one)).filter_map(folder);
    let made: Vec<PathBuf> = made.map(Path::to_path_buf).collect();
    let beside =
        |one: &SettingPlan| folder(one).is_some_and(|own| made.iter().any(|one| one == own));
    settings.retain(|one| one.parts != [Component::Ignore] || beside(one));
    Ok(settings)
}

/// Returns whether the plan creates a file that must stay out of the project's history.
fn is_new(setting: &SettingPlan) -> bool {
    let made = matches!(setting.change, FileChange::Write(_)) && setting.before.is_none();
    made && setting.parts != [Component::Ignore]
}

fn folder(setting: &SettingPlan) -> Option<&Path> {
    Path::new(&setting.shown).parent()
}

/// Returns the path by which a host identifies the project.
pub(super) fn key(engine: &Engine<'_>) -> String {
    root::top(&engine.place.root).to_string_lossy().into_owned()
}

/// Returns the display path of a file.
pub(super) fn shown(engine: &Engine<'_>, spot: &HostFile) -> String {
    spot.shown(engine.place, variable(engine.environment, "HOME").map(Path::new))
}

/// Returns the other commands that run at a host's stops, from all files.
fn other_stops(engine: &Engine<'_>, host: Host) -> Vec<String> {
    let mut all = HostFile::all(host, engine.place, engine.environment);
    if let Some(form) = host.form() {
        if form.reads_folder {
            all = all.iter().flat_map(HostFile::beside).collect();
        }
        for other in form.also_reads {
            let theirs = HostFile::all(*other, engine.place, engine.environment);
            all.extend(theirs.into_iter().filter(|spot| spot.at == PathBase::Project));
        }
    }
    all.iter().filter_map(seen).flat_map(|seen| seen.other_stops).collect()
}

/// Surveys our entries in a file, if it is readable.
fn seen(spot: &HostFile) -> Option<Survey> {
    survey(&spot.read().ok()??, spot.host).ok()
}

/// The inputs that all files of a host share.
struct HostInputs<'a> {
    engine: &'a Engine<'a>,
    host: Host,
    wish: &'a InitRequest<'a>,
    config: &'a Configuring,
    root: String,
}

impl HostInputs<'_> {
    fn setting(&self, piece: &FileSpec) -> Option<SettingPlan> {
        let spot = self.spot(piece)?;
        let own = shown(self.engine, &spot);
        let elsewhere = |part: &Component| self.elsewhere(*part, &spot);
        let other = piece.parts.iter().find_map(elsewhere);
        let parts: Vec<Component> =
            piece.parts.iter().copied().filter(|part| elsewhere(part).is_none()).collect();
        let other_stops = match piece.parts {
            [Component::Entries, ..] => other_stops(self.engine, self.host),
            _ => Vec::new(),
        };
        if let (true, Some(other)) = (parts.is_empty(), other) {
            let (shown, instead_of) = (shown(self.engine, &other), Some(own));
            let (before, change, parts) = (None, FileChange::Already, piece.parts.to_vec());
            let unshared = self.wish.scope == Scope::Shared
                && self.file(Scope::Personal).is_some_and(|mine| mine == other);
            return Some(SettingPlan {
                spot: other,
                parts,
                shown,
                before,
                change,
                instead_of,
                unshared,
                other_stops,
            });
        }
        let (before, change) = match spot.read() {
            Err(why) => (None, FileChange::Cannot { why }),
            Ok(before) => {
                let change = self.change(before.as_deref(), &parts);
                (before, self.without_doubles(change, &parts, &spot))
            }
        };
        let (instead_of, unshared) = (None, false);
        Some(SettingPlan {
            spot,
            parts,
            shown: own,
            before,
            change,
            instead_of,
            unshared,
            other_stops,
        })
    }

    /// Avoids entries that another file already has: the host would call us twice.
    fn without_doubles(
        &self,
        change: FileChange,
        parts: &[Component],
        own: &HostFile,
    ) -> FileChange {
        if !parts.contains(&Component::Entries) || !matches!(change, FileChange::Write(_)) {
            return change;
        }
        let all = HostFile::all(self.host, self.engine.place, self.engine.environment);
        let others = all.into_iter().filter(|other| other != own);
        let mut calls = others.filter_map(|other| {
            let events = seen(&other)?.present;
            (!events.is_empty()).then_some((other, events))
        });
        let Some((other, events)) = calls.next() else { return change };
        let is = |scope| self.file(scope).is_some_and(|file| file == other);
        let way = match (is(Scope::Personal), is(Scope::Shared)) {
            (true, _) => "`sprag init` completes that file",
            (false, true) => "`sprag init --shared` completes that file",
            (false, false) => "take that out first",
        };
        let (file, events) = (shown(self.engine, &other), events.join(", "));
        FileChange::Cannot { why: format!("{file} calls sprag already at {events}; {way}") }
    }

    /// Returns the host's file for entries of a scope.
    fn file(&self, scope: Scope) -> Option<HostFile> {
        HostFile::of(self.host, scope, self.engine.place, self.engine.environment)
    }

    fn change(&self, before: Option<&str>, parts: &[Component]) -> FileChange {
        match enter(before, parts, &self.wanted(self.wish.scope)) {
            Err(refused) => FileChange::Cannot { why: refused.why },
            // The file that keeps ours out of the history is useful, but not worth mentioning.
            Ok(done) if done.theirs && parts == [Component::Ignore] => FileChange::Already,
            Ok(done) if done.theirs => FileChange::Keep { why: THEIRS },
            Ok(done) if Some(done.text.as_str()) == before => FileChange::Already,
            Ok(done) => FileChange::Write(done),
        }
    }

    fn wanted(&self, scope: Scope) -> Wanted<'_> {
        let (program, limit) = (self.wish.program, self.config.limit());
        Wanted { host: self.host, program, limit, scope, root: &self.root }
    }

    fn spot(&self, piece: &FileSpec) -> Option<HostFile> {
        HostFile::at(self.host, piece.setting, self.engine.place, self.engine.environment)
    }

    /// Returns another file of the host that has a whole part, or that enables a plugin which has
    /// it.
    fn elsewhere(&self, part: Component, own: &HostFile) -> Option<HostFile> {
        let all = HostFile::all(self.host, self.engine.place, self.engine.environment);
        let plugin = |spot: &&HostFile| {
            seen(spot).is_some_and(|seen| plugin::is_ours(self.engine, &seen.plugins))
        };
        if let Some(plugged) = all.iter().find(plugin) {
            return Some(plugged.clone());
        }
        if part == Component::Entries {
            let serves = |spot: &HostFile| seen(spot).is_some_and(|seen| seen.missing.is_empty());
            return all.into_iter().find(|other| other != own && serves(other));
        }
        let other = match self.wish.scope {
            Scope::Personal => Scope::Shared,
            Scope::Shared => Scope::Personal,
        };
        let mut pieces = self.host.pieces(other).iter();
        pieces.find_map(|piece| {
            let same = piece.parts.iter().copied().find(|one| alike(*one, part))?;
            let spot = self.spot(piece).filter(|spot| spot != own)?;
            let text = spot.read().ok()??;
            let done = enter(Some(&text), &[same], &self.wanted(other)).ok()?;
            (done.text == text && !done.theirs).then_some(spot)
        })
    }
}

/// Returns whether two parts do the same for a session here.
fn alike(one: Component, other: Component) -> bool {
    let server = |part| matches!(part, Component::Server | Component::ServerHere);
    one == other && one != Component::Ignore || server(one) && server(other)
}

/// Returns whether a file applies to all projects of a person.
pub(super) fn holds_everywhere(spot: &HostFile, parts: &[Component]) -> bool {
    spot.at == PathBase::Home && !parts.contains(&Component::ServerHere)
}

/// Returns whether a file is entirely ours.
pub(super) fn is_whole(parts: &[Component]) -> bool {
    parts.iter().all(|part| match part {
        Component::Bridge | Component::Command(_) | Component::Ignore => true,
        Component::Entries | Component::Server | Component::ServerHere => false,
    })
}
