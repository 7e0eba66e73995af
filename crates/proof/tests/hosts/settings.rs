//! The hook entries through which a host calls sprag, in the host's format.

use serde_json::{Map, Value, json};

use crate::world::World;

/// How long a host may wait for the answer to a stop.
const WAIT_SECONDS: u64 = 630;

/// Returns the entries for `events` in groups, each made by `entry`.
pub(crate) fn grouped(events: &[&str], entry: impl Fn(&str) -> Value) -> Value {
    let groups = events
        .iter()
        .map(|event| ((*event).to_owned(), json!([{ "matcher": "*", "hooks": [entry(event)] }])));
    groups.collect::<Map<_, _>>().into()
}

/// Returns the shell command that calls sprag.
pub(crate) fn line(world: &World, host: &str, event: &str) -> String {
    format!("{} hook {host} {event}", world.sprag())
}

/// Returns the host's timeout in seconds.
pub(crate) const fn seconds() -> u64 {
    WAIT_SECONDS
}

/// Returns the host's timeout in milliseconds.
pub(crate) const fn milliseconds() -> u64 {
    WAIT_SECONDS * 1000
}
