//! Shared helpers: the recorded payloads, and the measuring of time.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use sprag_hosts::{HookCall, Host, NotUnderstood};

/// A payload recorded from a real host.
pub(crate) struct Fixture {
    pub(crate) host: Host,
    /// Its folder and file: `claude/Stop.1.json`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Fixture {
    /// The event from its file name, as the command line would name it.
    pub(crate) fn event(&self) -> &str {
        let file = self.name.split('/').next_back().unwrap();
        file.split('.').next().unwrap()
    }

    pub(crate) fn decode(&self) -> Result<HookCall, NotUnderstood> {
        self.host.decode(&self.bytes, Some(self.event()))
    }
}

/// Every recorded payload of every host, in order.
pub(crate) fn fixtures() -> Vec<Fixture> {
    let hosts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hosts");
    let mut found: Vec<_> = listing(&hosts).iter().flat_map(|folder| of_host(folder)).collect();
    found.sort_by(|one, two| one.name.cmp(&two.name));
    assert!(found.len() >= 110, "the fixtures are not all there");
    found
}

fn listing(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn of_host(folder: &Path) -> Vec<Fixture> {
    let text = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let group = text(folder);
    // `copilot-camel`, `copilot-pascal`: one host, two kinds of payload.
    let host = Host::from_name(group.split('-').next().unwrap()).unwrap();
    let fixture = |path: PathBuf| {
        let name = format!("{group}/{}", text(&path));
        Fixture { host, name, bytes: std::fs::read(path).unwrap() }
    };
    listing(folder).into_iter().map(fixture).collect()
}

/// Returns whether the long forms of the tests are turned on.
#[expect(clippy::disallowed_methods, reason = "the long form of a test is asked for by hand")]
pub(crate) fn long() -> bool {
    std::env::var_os("SPRAG_LONG").is_some_and(|value| value == "1")
}

/// Returns the processor time of some work. Takes the best of three if it exceeds the limit,
/// because other tests and builds run meanwhile.
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
