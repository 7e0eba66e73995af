//! Points in a commit at which a test may kill, fail or pause the process.
//!
//! Only with the feature `failpoints`. The environment variable `SPRAG_FAILPOINTS` sets the
//! actions, so that they also apply to child processes: `name=kill`, `name=error:ENOSPC`,
//! `name=pause:PATH` (creates the file PATH and waits until it is removed), separated by `;`.

use std::io;

#[cfg(not(feature = "failpoints"))]
#[expect(clippy::unnecessary_wraps, reason = "the form with the feature can fail")]
pub(crate) fn reach(_name: &str) -> io::Result<()> {
    Ok(())
}

#[cfg(feature = "failpoints")]
pub(crate) fn reach(name: &str) -> io::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "only in test builds")]
    let Ok(all) = std::env::var("SPRAG_FAILPOINTS") else { return Ok(()) };
    let order = all.split(';').find_map(|one| one.strip_prefix(name)?.strip_prefix('='));
    match order.map(|order| order.split_once(':').unwrap_or((order, ""))) {
        None => Ok(()),
        Some(("kill", _)) => {
            let _ = rustix::process::kill_process(
                rustix::process::getpid(),
                rustix::process::Signal::KILL,
            );
            Err(io::Error::other("a kill did not arrive"))
        }
        Some(("error", "ENOSPC")) => Err(io::Error::from(rustix::io::Errno::NOSPC)),
        Some(("error", _)) => Err(io::Error::from(rustix::io::Errno::IO)),
        Some(("pause", path)) => pause(path),
        Some((other, _)) => Err(io::Error::other(format!("unknown failpoint order `{other}`"))),
    }
}

/// Waits until the test removes `path`, at most ten seconds, and only once per process: work that
/// is repeated because of the pause must not pause again.
#[cfg(feature = "failpoints")]
#[expect(clippy::disallowed_methods, reason = "only in test builds")]
fn pause(path: &str) -> io::Result<()> {
    use std::sync::atomic::{AtomicBool, Ordering};
    static PAUSED: AtomicBool = AtomicBool::new(false);
    if PAUSED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    std::fs::write(path, "")?;
    for _ in 0..10_000 {
        if !std::path::Path::new(path).exists() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Err(io::Error::other("the pause had no end"))
}
