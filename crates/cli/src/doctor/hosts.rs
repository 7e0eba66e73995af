//! What doctor says of the hosts: whether they call us here, and when one last did.

use sprag_core::Time;
use sprag_engine::engine::Engine;
use sprag_engine::init::hosts::Standing;
use sprag_hosts::install::NO_BRIDGE;
use sprag_store::Place;

use super::{Check, Mark};
use crate::env;
use crate::look::age;

/// Looks at every host on this machine.
pub(super) fn look(place: &Place, now: Time) -> Vec<Check> {
    let environment = env::all();
    // Why it cannot be opened is said already.
    let Ok(engine) = Engine::open(place, &environment) else { return Vec::new() };
    engine.hosts().iter().flat_map(|standing| checks(standing, now)).collect()
}

fn checks(standing: &Standing, now: Time) -> Vec<Check> {
    let mut checks = vec![entries(standing, now)];
    if let Some((switch, file)) = &standing.off
        && standing.file.is_some()
    {
        let said = format!("{}: `{switch}` in {file} turns them all off", standing.host.name());
        checks.push(Check::new(Mark::Bad, said).fix("take that switch out"));
    }
    if let Some((file, why)) = &standing.unreadable {
        let said = format!("{}: {file} cannot be used", standing.host.name());
        checks.push(Check::new(Mark::Note, said).more(why.clone()));
    }
    // Whether it was reviewed is the host's secret; that it called us is not.
    let review = standing.host.form().and_then(|form| form.review);
    if let (Some(review), Some(_), None) = (review, &standing.file, standing.seen) {
        let host = standing.host.name();
        let said = format!("{host} skips host hooks that you have not reviewed");
        checks.push(Check::new(Mark::Note, said).more(format!("start {host}, then {review}")));
    }
    checks
}

fn entries(standing: &Standing, now: Time) -> Check {
    let version = standing.program.as_ref().map(|found| found.version.as_deref());
    let name = match version {
        Some(Some(version)) => format!("{} {version}", standing.host.name()),
        Some(None) => standing.host.name().to_owned(),
        None => format!("{} (not on the search path)", standing.host.name()),
    };
    if standing.host.form().is_none() {
        return Check::new(Mark::Note, format!("{name}: {NO_BRIDGE}"));
    }
    let Some(file) = &standing.file else {
        let said = format!("{name}: no host hooks of ours");
        return Check::new(Mark::Note, said).fix("sprag init");
    };
    if !standing.missing.is_empty() {
        let missing = standing.missing.join(", ");
        let said = format!("{name}: host hooks missing in {file}");
        return Check::new(Mark::Bad, said).more(missing).fix("sprag init");
    }
    let seen = match standing.seen {
        Some(seen) => format!("last called {} ago", age(now.since(seen))),
        None => "not called yet".to_owned(),
    };
    Check::new(Mark::Good, format!("{name}: host hooks in {file}, {seen}"))
}
