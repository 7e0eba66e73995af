//! Chooses the agents: hosts by name, and any other program by its command.

use std::ffi::OsString;

use sprag_core::{quoted, typed};
use sprag_engine::drive::{UnapprovedItem, host_asks};
use sprag_engine::engine::Engine;
use sprag_engine::init::program;
use sprag_formats::{HostConfig, words};
use sprag_hosts::{HOSTS, Host};
use sprag_run::Seat;
use sprag_run::agent::AgentKind;

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// Returns the named agents, else the first installed host.
pub(super) fn chosen(
    named: &[String],
    environment: &[(OsString, OsString)],
) -> Result<Vec<String>, EarlyExit> {
    if !named.is_empty() {
        for name in named {
            is_here(name, environment)?;
        }
        return Ok(named.to_vec());
    }
    let here = |host: &Host| program::find(host.name(), environment).is_some();
    let first = HOSTS.into_iter().find(here);
    first.map(|host| vec![host.name().to_owned()]).ok_or_else(|| {
        let known: Vec<_> = HOSTS.iter().map(|host| host.name()).collect();
        let message = format!("no host is here: {}", known.join(", "));
        let fault = Fault::new(Exit::NotFound, Code::Refused, message);
        fault.help("install one, or give `--host` a program that reads the task").into()
    })
}

/// Rejects a missing program before a run is begun.
fn is_here(name: &str, environment: &[(OsString, OsString)]) -> Result<(), EarlyExit> {
    let program = match argv(name)?.into_iter().next() {
        Some(program) => program,
        None => name.to_owned(),
    };
    let is_path = program.contains('/');
    if is_path || program::find(&program, environment).is_some() {
        // A path may only exist once the work does; starting it reports any error.
        return Ok(());
    }
    let names: Vec<_> = HOSTS.iter().map(|host| host.name()).collect();
    let message = format!("`{}` is not here", program.escape_debug());
    let fault = Fault::new(Exit::NotFound, Code::Refused, message);
    Err(fault.help(format!("`--host` takes {} or a program", names.join(", "))).into())
}

fn argv(name: &str) -> Result<Vec<String>, EarlyExit> {
    words(name).map_err(|bad| {
        let message = format!("`--host {}`: {}", name.escape_debug(), bad.why);
        Fault::new(Exit::Usage, Code::Usage, message).help(bad.help).into()
    })
}

/// Returns the seats for the chosen agents.
pub(super) fn of(engine: &Engine<'_>, names: &[String]) -> Result<Vec<Seat>, EarlyExit> {
    let config = engine.drive_config()?;
    // A cloned project must not decide where the user's host sends its keys.
    if let Some(one) = engine.drive_unapproved(asks(names, &config.hosts))?.into_iter().next() {
        let message = format!("{} is not yet allowed here", one.what);
        let fault = Fault::new(Exit::NeedsPerson, Code::Refused, message);
        return Err(fault.help("look at it in `.sprag/config.yaml`; `--yes` allows it").into());
    }
    let deed = engine.deed();
    let is_unknown = |name: &&String| Host::from_name(name).is_none() && !deed.has_host(name);
    if let Some(name) = names.iter().find(is_unknown) {
        let message = format!("you never named `{}` as a host here", name.escape_debug());
        let fault = Fault::new(Exit::NeedsPerson, Code::Refused, message);
        let help = format!("`sprag run RUN --host {}` does, if you mean it", quoted(name));
        return Err(fault.help(help).into());
    }
    let mut seats: Vec<Seat> = Vec::new();
    for name in names {
        let mut seat = seat(name, &config.hosts)?;
        // `sh a.sh` and `sh b.sh` are different hosts, each with its own clock.
        if let AgentKind::Command(argv) = &seat.kind
            && seats.iter().any(|other| other.name == seat.name)
        {
            seat.name = typed(argv);
        }
        seats.push(seat);
    }
    Ok(seats)
}

/// Returns installed hosts that were not chosen: a workflow may name one for its reviews. Hosts
/// with unapproved project settings are left out.
pub(super) fn others(
    engine: &Engine<'_>,
    names: &[String],
    environment: &[(OsString, OsString)],
) -> Result<Vec<Seat>, EarlyExit> {
    let config = engine.drive_config()?;
    let mut seats = Vec::new();
    for name in HOSTS.into_iter().map(|host| host.name().to_owned()) {
        let is_here = program::find(&name, environment).is_some();
        let own = asks(std::slice::from_ref(&name), &config.hosts);
        if is_here && !names.contains(&name) && engine.drive_unapproved(own)?.is_empty() {
            seats.push(seat(&name, &config.hosts)?);
        }
    }
    Ok(seats)
}

/// Returns the settings of these hosts that need a person's approval.
pub(super) fn asks(names: &[String], configured: &[(String, HostConfig)]) -> Vec<UnapprovedItem> {
    let used = configured.iter().filter(|(name, _)| names.contains(name)).cloned();
    host_asks(&used.collect::<Vec<_>>())
}

fn seat(name: &str, configured: &[(String, HostConfig)]) -> Result<Seat, EarlyExit> {
    if let Some(host) = Host::from_name(name) {
        let own = configured.iter().find(|(known, _)| known == name).map(|(_, own)| own.clone());
        let HostConfig { argv, env } = own.unwrap_or_default();
        let (kind, name) = (AgentKind::Host(host), name.to_owned());
        return Ok(Seat { kind, name, extra: argv, environment: env });
    }
    let argv = argv(name)?;
    let short = argv.first().and_then(|program| program.rsplit('/').next()).unwrap_or(name);
    let name = short.to_owned();
    let (extra, environment) = (Vec::new(), Vec::new());
    Ok(Seat { kind: AgentKind::Command(argv), name, extra, environment })
}
