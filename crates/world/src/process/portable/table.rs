//! The process list, from `ps`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use sprag_core::Time;

use crate::process::Tool;

/// How far the recorded start of a process may be from its real one.
pub(in crate::process) const PRECISION: i64 = 0;

const PS: &str = "/bin/ps";
/// How long `ps` may take; it answers within a few milliseconds.
const LIMIT: Duration = Duration::from_secs(5);
/// All processes, with the environment behind the arguments.
const ALL: &str = if cfg!(target_os = "macos") { "-axEww" } else { "axeww" };
const COLUMNS: &str = "pid=,ppid=,pgid=,sess=,stat=,lstart=,args=";

/// A process. Its id may be reused, but together with its start it is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::process) struct Process {
    pub(in crate::process) id: i32,
    pub(in crate::process) parent: i32,
    pub(in crate::process) group: i32,
    pub(in crate::process) session: i32,
    /// In UTC, to the second: `Thu Nov 19 20:08:30 2026`.
    begun: String,
    /// Whether it has ended and is listed only until its parent reaps it.
    pub(in crate::process) is_over: bool,
    pub(in crate::process) is_marked: bool,
    /// Its arguments and, if it may be read, its environment, with one space between words.
    pub(in crate::process) words: String,
}

/// When a process began, to the second, and its id.
pub(in crate::process) type Birth = (String, i32);

impl Process {
    pub(in crate::process) fn birth(&self) -> Birth {
        (self.begun.clone(), self.id)
    }

    /// Sends a signal to this process. The list is a moment old: its id can belong to another
    /// process only if all other ids were given away meanwhile.
    pub(in crate::process) fn signal(&self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.id) {
            // Fails if it has just ended, or belongs to another user.
            let _ = kill_process(pid, signal);
        }
    }

    /// Does nothing: orphans that have ended are the first process's to reap.
    #[expect(clippy::unused_self, reason = "Linux reaps them")]
    pub(in crate::process) const fn reap(&self) {}
}

fn own() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(0)
}

/// Returns all processes but this one, those with a mark marked; `None` if `ps` does not answer,
/// which a sandbox may cause.
pub(in crate::process) fn others(marks: &[&str]) -> Option<Vec<Process>> {
    let mut all = all()?;
    all.retain(|process| process.id != own());
    let carries = |it: &Process| it.words.split(' ').any(|word| marks.contains(&word));
    let suspects: Vec<i32> =
        all.iter().filter(|it| !it.is_over && carries(it)).map(|it| it.id).collect();
    if !suspects.is_empty() {
        // A word may be an argument, as of a `grep` for the mark; only a variable is a mark.
        let arguments = arguments(&suspects)?;
        for process in all.iter_mut().filter(|it| suspects.contains(&it.id)) {
            let own = arguments.iter().find(|(id, _)| *id == process.id);
            let variables = own.and_then(|(_, own)| process.words.strip_prefix(own.as_str()));
            process.is_marked =
                variables.is_some_and(|text| text.split(' ').any(|word| marks.contains(&word)));
        }
    }
    Some(all)
}

/// Returns all processes but the `ps` that lists them.
pub(in crate::process) fn all() -> Option<Vec<Process>> {
    let text = ask(&[ALL, "-o", COLUMNS])?;
    let is_ours = |it: &Process| it.parent == own() && it.words.starts_with(PS);
    Some(text.lines().filter_map(read).filter(|it| !is_ours(it)).collect())
}

#[cfg(test)]
pub(in crate::process) fn find(id: i32) -> Option<Process> {
    all()?.into_iter().find(|process| process.id == id)
}

/// Returns the arguments of some processes, without their environments.
fn arguments(ids: &[i32]) -> Option<Vec<(i32, String)>> {
    let ids: Vec<String> = ids.iter().map(i32::to_string).collect();
    let text = ask(&["-ww", "-o", "pid=,args=", "-p", &ids.join(",")])?;
    let lines = text.lines().filter_map(|line| line.trim_start().split_once(' '));
    Some(lines.filter_map(|(id, words)| Some((id.parse().ok()?, words.to_owned()))).collect())
}

fn ask(words: &[&str]) -> Option<String> {
    let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    let environment = [("LC_ALL", "C"), ("TZ", "UTC")]
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let (folder, environment) = (Path::new("/"), &environment[..]);
    let ps =
        Tool { program: PS, words: &words, folder, environment, input: b"", limit: LIMIT }.ask();
    let ps = ps.ok().filter(|said| said.exit == Some(0))?;
    Some(String::from_utf8_lossy(&ps.out).into_owned())
}

/// Reads a line: five columns, five words of time, then the arguments.
fn read(line: &str) -> Option<Process> {
    let mut rest = line;
    let mut word = || {
        let text = rest.trim_start();
        let (word, after) = text.split_once(' ').unwrap_or((text, ""));
        rest = after;
        (!word.is_empty()).then_some(word)
    };
    let id = word()?.parse().ok()?;
    let parent = word()?.parse().ok()?;
    let group = word()?.parse().ok()?;
    let session = session(id, word()?);
    let is_over = word()?.starts_with('Z');
    let begun = [word()?, word()?, word()?, word()?, word()?].join(" ");
    let words = rest.to_owned();
    Some(Process { id, parent, group, session, begun, is_over, is_marked: false, words })
}

/// Asks for a process's session, because the `ps` of a Mac shows an address instead.
#[cfg(target_os = "macos")]
fn session(id: i32, _shown: &str) -> i32 {
    let session = Pid::from_raw(id).and_then(|pid| rustix::process::getsid(Some(pid)).ok());
    session.map_or(0, Pid::as_raw_pid)
}

/// Reads a process's session; 0 if it belongs to another container.
#[cfg(not(target_os = "macos"))]
fn session(_id: i32, shown: &str) -> i32 {
    shown.parse().unwrap_or(0)
}

/// Returns the ids of the matching processes and all their descendants. The first of all processes
/// is never one.
pub(in crate::process) fn with_children(
    all: &[Process],
    belongs: impl Fn(&Process) -> bool,
) -> BTreeSet<i32> {
    let first = all.iter().filter(|it| it.id > 1 && belongs(it));
    let mut found: BTreeSet<i32> = first.map(|it| it.id).collect();
    loop {
        let before = found.len();
        let below = all.iter().filter(|it| it.id > 1 && found.contains(&it.parent));
        let below: Vec<i32> = below.map(|it| it.id).collect();
        found.extend(below);
        if found.len() == before {
            return found;
        }
    }
}

/// Returns when a process started, as one word.
pub(in crate::process) fn start(pid: &str) -> Option<String> {
    pid.parse::<u32>().ok()?;
    let text = ask(&["-o", "lstart=", "-p", pid])?;
    let words: Vec<&str> = text.split_whitespace().collect();
    (words.len() == 5).then(|| words.join("-"))
}

/// Stands for the namespace of process ids, of which a Mac has one.
#[expect(clippy::unnecessary_wraps, reason = "Linux may not show it")]
pub(in crate::process) fn namespace() -> Option<String> {
    Some("-".to_owned())
}

/// Returns whether a process with one of these marks is alive that began by `latest`.
pub(in crate::process) fn is_any_marked(marks: &[String], latest: Time, _now: Time) -> bool {
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    let is_old = |it: &Process| time(&it.begun).is_some_and(|begun| begun <= latest);
    let others = others(&marks).unwrap_or_default();
    others.iter().any(|it| it.is_marked && is_old(it))
}

/// Reads a time such as `Thu Nov 19 20:08:30 2026`, in UTC.
fn time(text: &str) -> Option<Time> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = text.split(' ').collect();
    let [_, month, day, clock, year] = words.as_slice() else { return None };
    let month = MONTHS.find(month).filter(|at| at % 3 == 0)? / 3 + 1;
    Time::parse(&format!("{year}-{month:02}-{day:0>2}T{clock}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_with_its_time_and_its_words() {
        let line = " 70    1   70     0 Ss   Thu Nov  9 20:08:30 2026 sh -c a  b X=1";
        let process = read(line).unwrap();
        assert_eq!((process.id, process.parent, process.group), (70, 1, 70));
        assert_eq!((process.words.as_str(), process.is_over), ("sh -c a  b X=1", false));
        assert_eq!(time(&process.begun), Time::parse("2026-11-09T20:08:30Z"));
        assert!(read("  71 70 70 0 Z+ Thu Nov 19 20:08:30 2026 [sh]").unwrap().is_over);
        for broken in ["", "70 1 70 0 S Thu Nov", "x 1 70 0 S Thu Nov 19 20:08:30 2026 sh"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_mark_among_the_arguments_is_none() {
        let mark = format!("SPRAG_TEST_ARGUMENT={}", std::process::id());
        #[expect(clippy::disallowed_methods, reason = "a test starts what it looks for")]
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "read x; exit", &mark]).stdin(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let named = |it: &Process| it.words.contains(&mark);
        let all = others(&[&mark]).unwrap();
        let found: Vec<bool> = all.iter().filter(|it| named(it)).map(|it| it.is_marked).collect();
        assert_eq!(found, [false]);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
