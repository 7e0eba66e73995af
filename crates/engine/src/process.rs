//! Processes: running a command whole, ending everything it started, and what the operating system
//! knows of pipes.

mod apart;
mod command;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod environment;
mod family;
mod lines;
mod listener;
#[cfg(target_os = "linux")]
mod look;
#[cfg(target_os = "linux")]
mod orphans;
mod output;
#[cfg(target_os = "linux")]
mod proc_table;
mod stop;
#[cfg(test)]
mod tests;
mod tool;

pub use apart::{apart, detached, hand_over, own_session};
pub use command::{Command, Exit, Followed, Leash, NotStarted, Ran};
pub use environment::{EFFECT, clean, inherited};
pub use family::Family;
pub use lines::Lines;
pub use output::{Output, Tail};
pub use stop::Stop;
pub use tool::{Said, Tool};

#[cfg(not(target_os = "linux"))]
use elsewhere::{look, orphans};

/// Returns whether the other end of standard output is gone, without writing to it.
#[cfg(unix)]
pub fn nobody_reads() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    let mut pipes = [PollFd::new(&out, PollFlags::empty())];
    let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    poll(&mut pipes, Some(&Timespec::default())).is_ok() && pipes[0].revents().intersects(gone)
}

/// Returns whether the other end of standard output is gone; elsewhere only writing tells.
#[cfg(not(unix))]
pub fn nobody_reads() -> bool {
    false
}

/// Returns whether a process, named as a host names its own, is known to be over.
#[cfg(unix)]
pub fn is_gone(id: &str) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let pid = id.parse().ok().filter(|id| *id > 0).and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

/// Returns whether a process is known to be over; elsewhere that is not known.
#[cfg(not(unix))]
pub fn is_gone(_id: &str) -> bool {
    false
}

/// Kills every command that runs in this process, at once and whole: for a process that ends.
pub fn kill_all() {
    orphans::kill_all();
}

/// Returns what `git --version` says, without the word git; nothing where it cannot be started.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub fn git_version() -> Option<String> {
    let out = std::process::Command::new("git").arg("--version").output().ok()?;
    let said = String::from_utf8(out.stdout).ok()?;
    said.trim().strip_prefix("git version ").map(str::to_owned)
}
