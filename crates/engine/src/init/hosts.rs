//! The state of this machine's hosts in a project, for `sprag doctor`.

use std::path::Path;

use sprag_core::Time;
use sprag_hosts::install::{calls, survey};
use sprag_hosts::{Ability, Host, Setting};
use sprag_world::root;

use super::program::{self, HostProgram};
use super::spot::HostFile;
use super::variable;
use crate::engine::Engine;

/// The state of one host.
#[derive(Clone, Debug)]
pub struct HostState {
    pub host: Host,
    /// Its program, if it is on the search path.
    pub program: Option<HostProgram>,
    /// The file that has our entries, or is our bridge.
    pub file: Option<String>,
    /// The events without an entry of ours.
    pub missing: Vec<&'static str>,
    /// The switch that turns all host hooks off, and its file.
    pub off: Option<(String, String)>,
    /// An unreadable file, with the error.
    pub unreadable: Option<(String, String)>,
    /// Other commands that run at its stops, and the file that lists them.
    pub other_stops: Vec<(String, String)>,
    /// The events at which it would call us more than once.
    pub twice: Vec<&'static str>,
    /// When our entries were last written.
    pub written: Option<Time>,
    /// Its sessions here with the time of their last call, newest first.
    pub sessions: Vec<(String, Time)>,
}

impl HostState {
    /// Returns when one of its sessions last called us here.
    pub fn seen(&self) -> Option<Time> {
        self.sessions.first().map(|(_, seen)| *seen)
    }

    /// Returns why an ability does not work here although we have entries.
    pub fn lacks(&self, ability: Ability) -> Option<String> {
        let (file, event) = (self.file.as_ref()?, self.host.form()?.event_of(ability)?);
        if let Some((switch, file)) = &self.off {
            return Some(format!("`{switch}` in {file} turns all host hooks off"));
        }
        self.missing.contains(&event).then(|| format!("{event} is missing in {file}"))
    }

    /// Records the contents of one of its files.
    fn takes(&mut self, shown: &str, text: &str, called: &mut Vec<&'static str>) {
        match survey(text, self.host) {
            Ok(found) => {
                if found.missing.len() < self.missing.len() {
                    self.missing = found.missing;
                    self.file = Some(shown.to_owned());
                }
                let stops = found.other_stops.into_iter();
                self.other_stops.extend(stops.map(|stop| (shown.to_owned(), stop)));
                let off = found.off.map(|switch| (switch, shown.to_owned()));
                self.off = self.off.take().or(off);
                called.extend(calls(text, self.host).unwrap_or_default());
            }
            Err(refused) => self.unreadable = Some((shown.to_owned(), refused.why)),
        }
    }
}

impl Engine<'_> {
    /// Returns every host that is on this machine or has entries of ours.
    pub fn hosts(&self) -> Vec<HostState> {
        let mut programs = program::hosts(self.hosts, &self.place.root, self.environment);
        let standing = |host: Host| {
            let at = programs.iter().position(|found| found.host == host);
            let program = at.map(|at| programs.swap_remove(at));
            let standing = self.standing(host, program);
            let here = standing.program.is_some() || standing.file.is_some();
            here.then_some(standing)
        };
        self.hosts.iter().copied().filter_map(standing).collect()
    }

    /// Returns the hosts that have entries of ours but let every stop pass, with the reason.
    pub fn unheld(&self) -> Vec<(Host, String)> {
        let unheld = |host: Host| Some((host, self.standing(host, None).lacks(Ability::Stops)?));
        self.hosts.iter().copied().filter_map(unheld).collect()
    }

    fn standing(&self, host: Host, program: Option<HostProgram>) -> HostState {
        let mut standing = HostState {
            host,
            program,
            file: None,
            missing: host.form().map_or_else(Vec::new, |form| form.events.to_vec()),
            off: None,
            unreadable: None,
            other_stops: Vec::new(),
            twice: Vec::new(),
            written: None,
            sessions: self.sessions_of(host),
        };
        let home = variable(self.environment, "HOME").map(Path::new);
        let mut called = Vec::new();
        for spot in HostFile::all(host, self.place, self.environment) {
            let shown = spot.shown(self.place, home);
            match spot.read() {
                Ok(Some(text)) => standing.takes(&shown, &text, &mut called),
                Ok(None) => {}
                Err(why) => standing.unreadable = Some((shown.clone(), why)),
            }
            if standing.file.as_ref() == Some(&shown) {
                standing.written = spot.path().metadata().ok().and_then(|found| modified(&found));
            }
        }
        if host.form().is_none() {
            standing.file = self.bridge(host, home);
        }
        let events = host.form().map_or(&[][..], |form| form.events).iter();
        let twice = |event: &&&str| called.iter().filter(|one| one == event).count() > 1;
        standing.twice = events.filter(twice).copied().collect();
        standing
    }

    /// Returns our bridge in a host that runs no commands: a plugin under our name next to its
    /// other plugins.
    fn bridge(&self, host: Host, home: Option<&Path>) -> Option<String> {
        host.settings().iter().filter(|setting| setting.path.ends_with('/')).find_map(|setting| {
            let folder = Setting { path: setting.path.trim_end_matches('/'), ..*setting };
            let spot = HostFile::at(host, folder, self.place, self.environment)?;
            let mut entries = std::fs::read_dir(spot.path()).ok()?.filter_map(Result::ok);
            let names = |entry: std::fs::DirEntry| entry.file_name().into_string().ok();
            let name =
                entries.by_ref().filter_map(names).find(|name| name.starts_with("sprag."))?;
            Some(format!("{}/{name}", spot.shown(self.place, home)))
        })
    }

    /// Returns the sessions of a host with the modification time of each file, which is its last
    /// call.
    fn sessions_of(&self, host: Host) -> Vec<(String, Time)> {
        let folder = self.place.state.join(root::STATE).join("sessions");
        let begins = format!("{}-", host.name());
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let session = |entry: std::fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let id = name.strip_suffix(".json").filter(|id| id.starts_with(&begins))?.to_owned();
            Some((id, modified(&entry.metadata().ok()?)?))
        };
        let mut sessions: Vec<_> = entries.filter_map(session).collect();
        sessions.sort_by_key(|(_, seen)| std::cmp::Reverse(*seen));
        sessions
    }
}

fn modified(found: &std::fs::Metadata) -> Option<Time> {
    let since = found.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Time::from_millis)
}
