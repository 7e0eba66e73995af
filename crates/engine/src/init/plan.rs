//! Plans what `init` would do, without doing it.

use sprag_hosts::Host;
use sprag_hosts::install::Scope;
use sprag_world::trust;

use super::config::Configuring;
use super::foreign::{self, Foreign};
use super::program::{self, HostProgram};
use super::setting;
use super::setting::{FileChange, SettingPlan};
use crate::engine::{Engine, EngineError};
use crate::usual_checks::{self, Candidate};
use crate::{config, gate};

/// A person's request.
#[derive(Clone, Copy, Debug)]
pub struct InitRequest<'a> {
    /// The gates to set up; if empty, the project's own check.
    pub gates: &'a [Vec<String>],
    /// The hosts to set up; if empty, those on this machine.
    pub hosts: &'a [Host],
    /// Whose settings are changed.
    pub scope: Scope,
    /// The name with which hosts call us.
    pub program: &'a str,
    /// Whether our bridge replaces pi-workflows in pi.
    pub switch: bool,
}

#[derive(Clone, Debug)]
pub struct InitPlan {
    /// The hosts on this machine.
    pub hosts: Vec<HostProgram>,
    /// Hosts that are not set up, with the reason.
    pub closed: Vec<(Host, String)>,
    /// The checks that the project has, best first.
    pub checks: Vec<Candidate>,
    /// The state of other systems.
    pub foreign: Vec<Foreign>,
    pub config: Configuring,
    /// The files of hosts.
    pub files: Vec<SettingPlan>,
    /// Commands that a person has not approved here yet.
    pub untrusted: Vec<Vec<String>>,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum NoPlan {
    /// No host was found on this machine, or none can be set up.
    #[error("no host was found on the search path that sprag can enter{}", reasons(closed))]
    NoHost {
        /// The hosts that cannot be set up, with the reason.
        closed: Vec<(Host, String)>,
    },
    /// The project's own check was not found.
    #[error("no check was found here: looked for {}", usual_checks::LOOKED_FOR)]
    NoCheck,
    /// There is no folder to store a person's approvals in.
    #[error("neither HOME nor XDG_STATE_HOME is set, so nothing could be remembered")]
    NoState,
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl InitPlan {
    /// Looks at everything and decides.
    pub fn make(engine: &Engine<'_>, wish: &InitRequest<'_>) -> Result<Self, NoPlan> {
        engine.deeds().ok_or(NoPlan::NoState)?;
        let root = &engine.place.root;
        let checks = usual_checks::find(root);
        let found = checks.first().map(|check| check.argv.as_slice());
        let now = engine.look(|view| Ok(config::load_own(view)?))?;
        let config = Configuring::plan(now, wish.gates, found)?;
        if config.gates().is_empty() {
            return Err(NoPlan::NoCheck);
        }
        let hosts = program::hosts(engine.hosts, root, engine.environment);
        let (mut files, mut closed) = (Vec::new(), Vec::new());
        for host in chosen(&hosts, wish) {
            match setting::of_host(engine, host, wish, &config) {
                Ok(of_host) => files.extend(of_host),
                Err(why) => closed.push((host, why)),
            }
        }
        if files.is_empty() {
            return Err(NoPlan::NoHost { closed });
        }
        let untrusted = untrusted(engine, &config);
        let foreign = foreign::find(root);
        Ok(Self { hosts, closed, checks, foreign, config, files, untrusted })
    }

    /// Returns whether there is nothing to write.
    pub fn is_done(&self) -> bool {
        let rests = |file: &SettingPlan| {
            matches!(file.change, FileChange::Already | FileChange::Keep { .. })
        };
        self.config.after.is_none() && self.untrusted.is_empty() && self.files.iter().all(rests)
    }
}

/// Returns the hosts that a person means.
fn chosen(hosts: &[HostProgram], wish: &InitRequest<'_>) -> Vec<Host> {
    if wish.hosts.is_empty() {
        return hosts.iter().map(|host| host.host).collect();
    }
    wish.hosts.to_vec()
}

fn reasons(closed: &[(Host, String)]) -> String {
    let each = closed.iter().map(|(host, why)| format!("; {}: {why}", host.name()));
    each.collect::<Vec<_>>().concat()
}

/// Returns the commands of the gates that are not approved here.
fn untrusted(engine: &Engine<'_>, config: &Configuring) -> Vec<Vec<String>> {
    let deed = engine.deed();
    let mut commands: Vec<Vec<String>> = Vec::new();
    for spec in config.gates() {
        for argv in gate::commands(&spec.gate.check) {
            let covered = deed.covers(trust::digest(argv, "", &[]));
            if !covered && !commands.iter().any(|known| known == argv) {
                commands.push(argv.to_vec());
            }
        }
    }
    commands
}
