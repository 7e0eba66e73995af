//! Who works: hosts by their names, and any other program by its words.

use std::ffi::OsString;

use sprag_engine::engine::Engine;
use sprag_engine::init::program;
use sprag_formats::words;
use sprag_hosts::Host;
use sprag_run::Seat;
use sprag_run::agent::Kind;

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{Fault, Stop};

/// Returns who is to work: those who were named, else the first host that is here.
pub(super) fn chosen(
    named: &[String],
    environment: &[(OsString, OsString)],
) -> Result<Vec<String>, Stop> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let here = |host: &Host| program::find(host.name(), environment).is_some();
    let first = Host::ALL.into_iter().find(here);
    first.map(|host| vec![host.name().to_owned()]).ok_or_else(|| {
        let names: Vec<_> = Host::ALL.iter().map(|host| host.name()).collect();
        let message = format!("no host is here: {}", names.join(", "));
        let fault = Fault::new(Exit::NotFound, Code::Refused, message);
        fault.help("install one, or give `--host` a program that reads the task").into()
    })
}

/// Returns what is started for each of them.
pub(super) fn of(
    engine: &Engine<'_>,
    names: &[String],
    environment: &[(OsString, OsString)],
) -> Result<Vec<Seat>, Stop> {
    let _ = (engine, environment);
    names.iter().map(|name| seat(name)).collect()
}

/// Returns the hosts that are here and were not chosen: a workflow may name one for its reviews.
pub(super) fn others(seats: &[Seat], environment: &[(OsString, OsString)]) -> Vec<Seat> {
    let is_other = |host: &Host| {
        !seats.iter().any(|seat| seat.name == host.name())
            && program::find(host.name(), environment).is_some()
    };
    Host::ALL.into_iter().filter(is_other).map(of_host).collect()
}

fn of_host(host: Host) -> Seat {
    let (kind, name) = (Kind::Host(host), host.name().to_owned());
    Seat { kind, name, extra: Vec::new(), environment: Vec::new() }
}

fn seat(name: &str) -> Result<Seat, Stop> {
    if let Some(host) = Host::ALL.into_iter().find(|host| host.name() == name) {
        return Ok(of_host(host));
    }
    let argv = words(name).map_err(|bad| {
        let message = format!("`--host {}`: {}", name.escape_debug(), bad.why);
        Fault::new(Exit::Usage, Code::Usage, message).help(bad.help)
    })?;
    let short = argv.first().and_then(|program| program.rsplit('/').next()).unwrap_or(name);
    let name = short.to_owned();
    let (extra, environment) = (Vec::new(), Vec::new());
    Ok(Seat { kind: Kind::Command(argv), name, extra, environment })
}
