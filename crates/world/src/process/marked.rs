//! Finds processes by a mark in their environment: those that a session started and left running.

use sprag_core::Time;

use super::table;

/// Returns whether a process with one of these marks (`NAME=VALUE`) is alive that began by
/// `begun_by`. Later processes do not count: the host's hooks that run now have the same marks as
/// the processes of its agent.
pub fn is_marked_alive(marks: &[String], begun_by: Time, now: Time) -> bool {
    table::is_any_marked(marks, begun_by.plus_millis(table::PRECISION), now)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
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
        command.env(name, value).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Until the program runs, the kernel shows no environment.
        child.stdin.as_mut().unwrap().write_all(b".").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
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
