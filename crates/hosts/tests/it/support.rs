//! What the tests share: the recorded payloads, and how long something took.

use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns name and bytes of every recorded payload of Claude Code, in order.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hosts/claude");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    found.sort();
    assert!(found.len() >= 40, "the fixtures are not all there");
    found
}

/// Returns the event a fixture's name begins with.
pub(crate) fn event(name: &str) -> &str {
    name.split('.').next().unwrap()
}

/// Says whether the long forms are wanted.
#[expect(clippy::disallowed_methods, reason = "the long form of a test is asked for by hand")]
pub(crate) fn long() -> bool {
    std::env::var_os("SPRAG_LONG").is_some_and(|value| value == "1")
}

/// Returns the processor time of some work, the best of three if it was over the limit: other
/// tests and builds run beside this one.
pub(crate) fn timed(limit: Duration, mut work: impl FnMut()) -> Duration {
    let mut once = || {
        let now = || {
            let time = clock_gettime(ClockId::ThreadCPUTime);
            Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
        };
        let start = now();
        work();
        now().saturating_sub(start)
    };
    let first = once();
    if first < limit { first } else { first.min(once()).min(once()) }
}
