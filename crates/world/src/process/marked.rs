//! Finds processes by a mark in their environment: those that a session started and left running.

use sprag_core::Time;

/// The kernel's clock ticks per second, as every program sees them.
#[cfg(target_os = "linux")]
const TICKS: i64 = 100;

/// Returns whether a process with one of these marks (`NAME=VALUE`) is alive that began by
/// `begun_by`. Later processes do not count: the host's hooks that run now have the same marks as
/// the processes of its agent.
#[cfg(target_os = "linux")]
pub fn is_marked_alive(marks: &[String], begun_by: Time, now: Time) -> bool {
    use super::proc_table;
    let Some(up) = uptime() else { return false };
    let own = proc_table::own();
    let booted = now.plus_millis(-up);
    // The process began at some point within its tick.
    let latest = begun_by.plus_millis(1000 / TICKS);
    let is_old = |begun: u64| {
        let ticks = i64::try_from(begun).unwrap_or(i64::MAX / 1000);
        booted.plus_millis(ticks.saturating_mul(1000) / TICKS) <= latest
    };
    proc_table::ids().into_iter().filter(|id| *id != own).any(|id| {
        let process = proc_table::read(id, "");
        process.is_some_and(|it| !it.is_over && is_old(it.birth().0))
            && proc_table::carries_one(id, marks)
    })
}

/// Returns the uptime of the machine in milliseconds.
#[cfg(target_os = "linux")]
fn uptime() -> Option<i64> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    let (seconds, rest) = text.split_whitespace().next()?.split_once('.')?;
    let hundredths: i64 = rest.get(..2)?.parse().ok()?;
    Some(seconds.parse::<i64>().ok()?.saturating_mul(1000).saturating_add(hundredths * 10))
}

/// Single processes are not found on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) const fn is_marked_alive(_: &[String], _: Time, _: Time) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Stdio;

    use super::*;
    use crate::clock;

    #[test]
    fn a_process_is_found_by_its_mark_as_long_as_it_lives() {
        let mark = format!("SPRAG_TEST_MARK={}", std::process::id());
        let (name, value) = mark.split_once('=').unwrap();
        let before = clock::now();
        #[expect(clippy::disallowed_methods, reason = "a test starts what it looks for")]
        let mut command = std::process::Command::new("cat");
        command.env(name, value).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        let marks = ["OTHER=1".to_owned(), mark.clone()];
        let now = clock::now();
        assert!(is_marked_alive(&marks, now, now));
        assert!(!is_marked_alive(&marks, before.plus_millis(-60_000), now), "it began later");
        assert!(!is_marked_alive(&marks[..1], now, now), "another mark");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!is_marked_alive(&marks, now, clock::now()));
    }
}
