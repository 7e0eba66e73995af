//! How the hosts of this machine stand to a project: for `sprag doctor`.

use std::path::Path;

use sprag_core::Time;
use sprag_hosts::Host;
use sprag_hosts::install::survey;

use super::program::{self, Found};
use super::spot::Spot;
use super::variable;
use crate::engine::Engine;
use crate::root;

/// A host and what is known of it here.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Which one.
    pub host: Host,
    /// Its program, where it is on the search path.
    pub program: Option<Found>,
    /// The file that has our entries.
    pub file: Option<String>,
    /// The events that nobody tells us of.
    pub missing: Vec<&'static str>,
    /// A switch that turns all host hooks off, and the file it stands in.
    pub off: Option<(String, String)>,
    /// A file that cannot be read, and why.
    pub unreadable: Option<(String, String)>,
    /// When one of its sessions was last seen here.
    pub seen: Option<Time>,
}

impl Engine<'_> {
    /// Returns every host that is on this machine, or has entries of ours.
    pub fn hosts(&self) -> Vec<Standing> {
        let mut programs = program::hosts(&self.place.root, self.environment);
        let standing = |host: Host| {
            let at = programs.iter().position(|found| found.host == host);
            let program = at.map(|at| programs.swap_remove(at));
            let standing = self.standing(host, program);
            let here = standing.program.is_some() || standing.file.is_some();
            here.then_some(standing)
        };
        Host::ALL.into_iter().filter_map(standing).collect()
    }

    fn standing(&self, host: Host, program: Option<Found>) -> Standing {
        let mut standing = Standing {
            host,
            program,
            file: None,
            missing: host.form().map_or_else(Vec::new, |form| form.events.to_vec()),
            off: None,
            unreadable: None,
            seen: self.last_seen(host),
        };
        let home = variable(self.environment, "HOME").map(Path::new);
        for spot in Spot::all(host, self.place, self.environment) {
            let shown = spot.shown(self.place, home);
            let text = match spot.read() {
                Ok(Some(text)) => text,
                Ok(None) => continue,
                Err(why) => {
                    standing.unreadable = Some((shown, why));
                    continue;
                }
            };
            match survey(&text, host) {
                Ok(found) => {
                    if found.missing.len() < standing.missing.len() {
                        standing.missing = found.missing;
                        standing.file = Some(shown.clone());
                    }
                    standing.off = standing.off.or(found.off.map(|switch| (switch, shown)));
                }
                Err(refused) => standing.unreadable = Some((shown, refused.why)),
            }
        }
        standing
    }

    /// Returns when a session of a host was last seen: the time of its file.
    fn last_seen(&self, host: Host) -> Option<Time> {
        let folder = self.place.state.join(root::STATE).join("sessions");
        let begins = format!("{}-", host.name());
        let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
        let own = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&begins));
        own.filter_map(|entry| entry.metadata().ok()?.modified().ok())
            .filter_map(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
            .filter_map(|since| i64::try_from(since.as_millis()).ok())
            .max()
            .map(Time::from_millis)
    }
}
