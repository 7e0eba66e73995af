//! Runs commands, ends every process they started, and looks at pipes.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

mod apart;
mod command;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod environment;
mod family;
mod identity;
mod lines;
mod listener;
#[cfg(target_os = "linux")]
mod look;
mod marked;
#[cfg(target_os = "linux")]
mod orphans;
mod output;
#[cfg(target_os = "linux")]
mod proc_table;
mod program;
mod stop;
#[cfg(test)]
mod tests;
mod tool;

pub use apart::{apart, detached, hand_over, own_session};
pub use command::{Command, Exit, Followed, Leash, NotStarted, Ran};
pub use environment::session_marks;
pub use environment::{EFFECT, clean, inherited};
pub use family::Family;
pub use identity::{Life, identity, life};
pub use lines::Lines;
pub use marked::is_marked_alive;
pub use output::{Output, Tail};
pub use program::is_on_path;
pub use stop::Stop;
pub use tool::{Said, Tool};

#[cfg(not(target_os = "linux"))]
use elsewhere::{look, orphans};

/// The time limit of `git --version`.
const GIT_VERSION: Duration = Duration::from_secs(10);

/// Returns whether the reader of standard output is gone, without writing to it.
#[cfg(unix)]
pub fn nobody_reads() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    let mut pipes = [PollFd::new(&out, PollFlags::empty())];
    let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    poll(&mut pipes, Some(&Timespec::default())).is_ok() && pipes[0].revents().intersects(gone)
}

/// Returns whether the reader of standard output is gone; on this system only a write can show it.
#[cfg(not(unix))]
pub fn nobody_reads() -> bool {
    false
}

/// Returns whether no process has this id.
#[cfg(unix)]
fn no_such(id: &str) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let pid = id.parse().ok().filter(|id| *id > 0).and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

/// Returns whether no process has this id; unknown on this system.
#[cfg(not(unix))]
fn no_such(_id: &str) -> bool {
    false
}

/// Kills all commands of this process with their children at once, before the process exits.
pub fn kill_all() {
    orphans::kill_all();
}

/// Returns git's version, or `None` if git cannot be started.
pub fn git_version(environment: &[(OsString, OsString)]) -> Option<String> {
    let (program, words, folder) = ("git", &[OsStr::new("--version")], Path::new("/"));
    let tool = Tool { program, words, folder, environment, input: b"", limit: GIT_VERSION };
    let said = String::from_utf8(tool.ask().ok()?.out).ok()?;
    said.trim().strip_prefix("git version ").map(str::to_owned)
}
