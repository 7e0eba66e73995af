//! The table of each local host's abilities, from what the dialects know.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_engine::init::hosts::HostState;
use sprag_hosts::{Ability, Grade};

use crate::style::{StreamStyle, Tone};

/// The width of the column of abilities.
const NAMES: usize = 25;
/// The sign for an ability that the host has but that is not set up.
const MISSING: &str = "!";
/// The width of a host's column.
const HOST: usize = 10;

/// Returns the table with a legend below it.
pub(super) fn text(look: StreamStyle, hosts: &[HostState]) -> String {
    let mut out = String::new();
    if hosts.is_empty() {
        return out;
    }
    let _ = write!(out, "\n   {:<NAMES$}", "");
    for standing in hosts {
        let _ = write!(out, "{:<HOST$}", standing.host.name());
    }
    out.truncate(out.trim_end().len());
    let _ = write!(out, "\n   {:<NAMES$}", "observed at");
    for standing in hosts {
        let _ = write!(out, "{:<HOST$}", standing.host.observed());
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    for ability in Ability::ALL {
        let _ = write!(out, "   {:<NAMES$}", ability.name());
        for (at, standing) in hosts.iter().enumerate() {
            let sign = match standing.lacks(ability) {
                Some(_) => look.paint(Tone::Bad, MISSING),
                None => sign(look, standing.host.grade(ability)),
            };
            let last = at + 1 == hosts.len();
            let pad = if last { String::new() } else { " ".repeat(HOST - 1) };
            let _ = write!(out, "{sign}{pad}");
        }
        out.push('\n');
    }
    let grades = [Grade::Enforced, Grade::BestEffort, Grade::Impossible];
    let legend = grades.map(|grade| format!("{} {}", sign(look, grade), word(grade)));
    let _ = writeln!(out, "   {}; why: docs/hosts.md, --json", legend.join(", "));
    if hosts.iter().any(|one| Ability::ALL.iter().any(|of| one.lacks(*of).is_some())) {
        let sign = look.paint(Tone::Bad, MISSING);
        let _ = writeln!(out, "   {sign} would be, but an entry of ours is missing or turned off");
    }
    out
}

fn sign(look: StreamStyle, grade: Grade) -> String {
    match grade {
        Grade::Enforced => look.paint(Tone::Good, look.sign("✓", "+")),
        Grade::BestEffort => look.paint(Tone::Note, "~"),
        Grade::Impossible => look.paint(Tone::Quiet, look.sign("✗", "x")),
    }
}

const fn word(grade: Grade) -> &'static str {
    match grade {
        Grade::Enforced => "enforced",
        Grade::BestEffort => "best effort",
        Grade::Impossible => "impossible",
    }
}

/// Returns the hosts' abilities as JSON, with each limit as a sentence.
pub(super) fn object(hosts: &[HostState]) -> Value {
    hosts.iter().map(of_host).collect()
}

fn of_host(standing: &HostState) -> Value {
    let session = |(name, seen): &(String, sprag_core::Time)| json!({ "id": name, "seen": seen });
    let program = standing.program.as_ref();
    json!({
        "host": standing.host.name(),
        "version": program.and_then(|found| found.version.as_ref()),
        "path": program.map(|found| found.path.display().to_string()),
        "observed": standing.host.observed(),
        "file": standing.file,
        "missing": standing.missing,
        "twice": standing.twice,
        "other_stops": standing.other_stops.iter().map(|(_, stop)| stop).collect::<Vec<_>>(),
        "seen": standing.seen(),
        "sessions": standing.sessions.iter().map(session).collect::<Vec<_>>(),
        "abilities": abilities(standing),
    })
}

fn abilities(standing: &HostState) -> Value {
    let one = |ability: Ability| {
        let name = ability.name();
        if let Some(why) = standing.lacks(ability) {
            return json!({ "ability": name, "grade": "missing", "why": why });
        }
        let limit = standing.host.limits().iter().find(|limit| limit.of == ability);
        let grade = word(standing.host.grade(ability));
        json!({ "ability": name, "grade": grade, "why": limit.map(|limit| limit.says) })
    };
    Ability::ALL.into_iter().map(one).collect()
}
