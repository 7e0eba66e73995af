//! `sprag doctor` on the hosts: whether their hooks are installed and were called, and what
//! interferes.

use sprag_core::Time;
use sprag_engine::engine::Engine;
use sprag_engine::init::hosts::HostState;
use sprag_engine::latency::{self, LAST, Latency};
use sprag_hosts::Ability;
use sprag_store::Place;

use super::{Check, CheckMark};
use crate::env;
use crate::style::{age, count};

/// Sessions silent for longer than this, in milliseconds, count as gone.
const LATELY: i64 = 24 * 60 * 60 * 1000;

/// Finds every host on this machine.
pub(super) fn find(place: &Place) -> Vec<HostState> {
    let environment = env::all();
    // Another check reports why it cannot be opened.
    Engine::open(place, &environment).map_or_else(|_| Vec::new(), |engine| engine.hosts())
}

/// Reports on each host.
pub(super) fn look(place: &Place, hosts: &[HostState], now: Time) -> Vec<Check> {
    let speed = latency::read(place).map(|measured| quickness(&measured));
    speed.into_iter().chain(hosts.iter().flat_map(|one| checks(one, now))).collect()
}

fn checks(standing: &HostState, now: Time) -> Vec<Check> {
    let mut checks = vec![entries(standing, now)];
    let name = standing.host.name();
    if let Some((switch, file)) = &standing.off
        && standing.file.is_some()
    {
        let said = format!("{name}: `{switch}` in {file} turns them all off");
        checks.push(Check::new(CheckMark::Bad, said).fix("take that switch out"));
    }
    if let Some((file, why)) = &standing.unreadable {
        let said = format!("{name}: {file} cannot be used");
        checks.push(Check::new(CheckMark::Note, said).more(why.clone()));
    }
    checks.extend(unreviewed(standing));
    checks.extend(conflicts(standing));
    checks
}

fn entries(standing: &HostState, now: Time) -> Check {
    let version = standing.program.as_ref().map(|found| found.version.as_deref());
    let name = match version {
        Some(Some(version)) => format!("{} {version}", standing.host.name()),
        Some(None) => standing.host.name().to_owned(),
        None => format!("{} (not on the search path)", standing.host.name()),
    };
    let seen = match standing.seen() {
        Some(seen) => format!("last called {} ago", age(now.since(seen))),
        None => "not called yet".to_owned(),
    };
    let (what, none) = match standing.host.form() {
        Some(_) => ("host hooks", "no host hooks of ours"),
        None => ("bridge", "no bridge of ours"),
    };
    let Some(file) = &standing.file else {
        // A plugin has hook entries of its own, which are not searched here.
        let lately = standing.seen().filter(|seen| now.since(*seen) < LATELY);
        if lately.is_some() {
            let said = format!("{name}: {none} in its settings, but {seen}");
            return heartbeat(Check::new(CheckMark::Good, said), standing, now);
        }
        return Check::new(CheckMark::Note, format!("{name}: {none}")).fix("sprag init");
    };
    if !standing.missing.is_empty() {
        let missing = standing.missing.join(", ");
        let said = format!("{name}: host hooks missing in {file}");
        return Check::new(CheckMark::Bad, said).more(missing).fix("sprag init");
    }
    let said = format!("{name}: {what} in {file}, {seen}");
    if standing.seen().is_none() {
        // Installed entries are no proof that they are called.
        let check = Check::new(CheckMark::Note, said);
        return silence(standing).into_iter().fold(check, Check::more);
    }
    heartbeat(Check::new(CheckMark::Good, said), standing, now)
}

/// Adds the number of other recent sessions, if there are any.
fn heartbeat(check: Check, standing: &HostState, now: Time) -> Check {
    let lately = standing.sessions.iter().filter(|(_, seen)| now.since(*seen) < LATELY);
    let lately: Vec<_> = lately.collect();
    let Some(more) = lately.len().checked_sub(1).filter(|more| *more > 0) else { return check };
    let (newest, _) = lately[0];
    let others = count(more, "other session");
    check.more(format!("{newest} and {others} in the last day"))
}

/// Returns why a host with our entries may not have called them.
fn silence(standing: &HostState) -> Vec<String> {
    let host = standing.host.name();
    let mut why = Vec::new();
    if let Some(review) = standing.host.form().and_then(|form| form.review) {
        why.push(format!("it skips host hooks that you have not reviewed: {review} in {host}"));
    }
    let in_project = standing.file.as_ref().is_some_and(|file| !file.starts_with("~/"));
    let limit = standing.host.limits().iter().find(|limit| limit.of == Ability::Calls);
    why.extend(limit.filter(|_| in_project).map(|limit| limit.says.to_owned()));
    why.push(format!("start {host} here once, then sprag doctor"));
    why
}

/// Reports entries written after the host's last call: some hosts require a new review then.
fn unreviewed(standing: &HostState) -> Option<Check> {
    let review = standing.host.form().and_then(|form| form.review)?;
    let (seen, written) = (standing.seen()?, standing.written?);
    let host = standing.host.name();
    let said = format!("{host}: its host hooks changed since it last called");
    (written > seen).then(|| {
        Check::new(CheckMark::Note, said)
            .more(format!("it skips them until you review them: {review}"))
    })
}

/// Reports other hooks that act at a stop, and entries through which sprag would be called twice.
fn conflicts(standing: &HostState) -> Vec<Check> {
    let host = standing.host.name();
    let mut checks = Vec::new();
    if standing.file.is_none() {
        return checks;
    }
    for (file, stop) in &standing.other_stops {
        let said = format!("{host}: another host hook speaks at a stop, in {file}");
        let both = "both are asked; where one refuses, the agent goes on";
        checks.push(Check::new(CheckMark::Note, said).more(format!("`{stop}`")).more(both));
    }
    if !standing.twice.is_empty() {
        let said = format!("{host}: sprag would be called twice");
        let events = format!("{}: every refusal would count double", standing.twice.join(", "));
        checks.push(Check::new(CheckMark::Bad, said).more(events).fix("keep one of the entries"));
    }
    checks
}

/// `host hooks took 1.3 ms, one of a hundred longer than 3.9 ms (last 500)`
fn quickness(measured: &Latency) -> Check {
    let millis = |micros: u64| format!("{}.{} ms", micros / 1000, micros % 1000 / 100);
    let Latency { count, p50, p99 } = *measured;
    let of = if count == LAST { format!("last {count}") } else { format!("{count} so far") };
    let said =
        format!("host hooks: p50 {}, p99 {} ({of}, without stops)", millis(p50), millis(p99));
    Check::new(CheckMark::Good, said)
}
