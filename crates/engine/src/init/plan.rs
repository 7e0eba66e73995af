//! What `init` would do: found, decided, and not yet done.

use std::path::Path;

use sprag_hosts::Host;
use sprag_hosts::install::{Installed, Scope, Survey, Wanted, install, survey};

use super::check::{self, Candidate};
use super::config::Configuring;
use super::foreign::{self, Foreign};
use super::program::{self, Found};
use super::spot::Spot;
use super::{memory, variable};
use crate::engine::{Engine, EngineError};
use crate::{config, gate, trust};

/// What a person asks for.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// Gates that they name; without any, the project's own check is found.
    pub gates: &'a [Vec<String>],
    /// Hosts that they name; without any, those on this machine.
    pub hosts: &'a [Host],
    /// Whose settings are changed.
    pub scope: Scope,
    /// How hosts call us.
    pub program: &'a str,
}

/// What will be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The hosts on this machine.
    pub hosts: Vec<Found>,
    /// Hosts that need a bridge, and so cannot be entered.
    pub closed: Vec<Host>,
    /// The checks that the project has, best first.
    pub checks: Vec<Candidate>,
    /// State of other systems.
    pub foreign: Vec<Foreign>,
    /// The configuration.
    pub config: Configuring,
    /// The settings of hosts.
    pub files: Vec<Setting>,
    /// Commands that a person has not approved here yet.
    pub untrusted: Vec<Vec<String>>,
}

/// What will be done with one settings file.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The file.
    pub spot: Spot,
    /// Its path, as people say it.
    pub shown: String,
    /// Its text now.
    pub before: Option<String>,
    /// What will be done.
    pub change: Change,
    /// The file that was meant, where this other one has our entries already.
    pub instead_of: Option<String>,
    /// What else runs at a stop, whichever file says so.
    pub other_stops: Vec<String>,
}

/// What will be done with a file.
#[derive(Clone, Debug)]
pub enum Change {
    /// Nothing: everything is there.
    Already,
    /// It is written.
    Write(Installed),
    /// It cannot be changed.
    Cannot {
        /// Why not.
        why: String,
    },
}

/// Why there is nothing to plan.
#[derive(Debug, thiserror::Error)]
pub enum NoPlan {
    /// There is no host on this machine, or none that can be entered.
    #[error("no host was found on the search path that this version can enter")]
    NoHost,
    /// Nobody knows how the project checks itself.
    #[error("no check was found here: looked for {}", check::LOOKED_FOR)]
    NoCheck,
    /// There is nowhere to keep what a person trusts.
    #[error("neither HOME nor XDG_STATE_HOME is set, so nothing could be remembered")]
    NoState,
    /// Something could not be read.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Plan {
    /// Looks at everything and decides.
    pub fn make(engine: &Engine<'_>, wish: &Wish<'_>) -> Result<Self, NoPlan> {
        memory::folder(engine.environment).ok_or(NoPlan::NoState)?;
        let root = &engine.place.root;
        let checks = check::find(root);
        let found = checks.first().map(|check| check.argv.as_slice());
        let now = engine.look(|view| Ok(config::load(view)?))?;
        let config = Configuring::plan(now, wish.gates, found)?;
        if config.gates().is_empty() {
            return Err(NoPlan::NoCheck);
        }
        let hosts = program::hosts(root, engine.environment);
        let (open, closed) = chosen(&hosts, wish);
        if open.is_empty() {
            return Err(NoPlan::NoHost);
        }
        let files = open.iter().filter_map(|host| setting(engine, *host, wish, &config));
        let files = files.collect();
        let untrusted = untrusted(engine, &config);
        let foreign = foreign::find(root);
        Ok(Self { hosts, closed, checks, foreign, config, files, untrusted })
    }

    /// Returns whether nothing is to be written.
    pub fn is_done(&self) -> bool {
        let already = |file: &Setting| matches!(file.change, Change::Already);
        self.config.after.is_none() && self.untrusted.is_empty() && self.files.iter().all(already)
    }
}

/// Returns the hosts that are entered, and those that cannot be.
fn chosen(hosts: &[Found], wish: &Wish<'_>) -> (Vec<Host>, Vec<Host>) {
    let wanted: Vec<Host> = if wish.hosts.is_empty() {
        hosts.iter().map(|host| host.host).collect()
    } else {
        wish.hosts.to_vec()
    };
    wanted.into_iter().partition(|host| host.form().is_some())
}

fn setting(
    engine: &Engine<'_>,
    host: Host,
    wish: &Wish<'_>,
    config: &Configuring,
) -> Option<Setting> {
    let environment = engine.environment;
    let spot = Spot::of(host, wish.scope, engine.place, environment)?;
    let home = variable(environment, "HOME").map(Path::new);
    let shown = spot.shown(engine.place, home);
    let all = Spot::all(host, engine.place, environment);
    let other_stops = all.iter().filter_map(seen).flat_map(|seen| seen.other_stops).collect();
    // Entries in another of its files would be called as well.
    let serves = |spot: &Spot| seen(spot).is_some_and(|seen| seen.missing.is_empty());
    if let Some(other) = all.into_iter().find(|other| *other != spot && serves(other)) {
        let instead_of = Some(shown);
        let shown = other.shown(engine.place, home);
        let (before, change) = (None, Change::Already);
        return Some(Setting { spot: other, shown, before, change, instead_of, other_stops });
    }
    let wanted = Wanted { host, program: wish.program, limit: config.limit(), scope: wish.scope };
    let (before, change) = match spot.read() {
        Err(why) => (None, Change::Cannot { why }),
        Ok(before) => {
            let change = match install(before.as_deref(), &wanted) {
                Err(refused) => Change::Cannot { why: refused.why },
                Ok(done) if Some(&done.text) == before.as_ref() => Change::Already,
                Ok(done) => Change::Write(done),
            };
            (before, change)
        }
    };
    Some(Setting { spot, shown, before, change, instead_of: None, other_stops })
}

/// Returns what a file says of us, where it can be read.
fn seen(spot: &Spot) -> Option<Survey> {
    survey(&spot.read().ok()??, spot.host).ok()
}

/// Returns the commands of the gates that nobody has approved here.
fn untrusted(engine: &Engine<'_>, config: &Configuring) -> Vec<Vec<String>> {
    let trust = engine.trust();
    let mut commands: Vec<Vec<String>> = Vec::new();
    for spec in config.gates() {
        for argv in gate::commands(&spec.gate.check) {
            let covered = trust.covers(&engine.place.state, trust::digest(argv, "", &[]));
            if !covered && !commands.iter().any(|known| known == argv) {
                commands.push(argv.to_vec());
            }
        }
    }
    commands
}
