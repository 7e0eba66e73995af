//! Runs commands, ends every process they started, and looks at pipes.
//!
//! What differs between Linux and macOS is in `linux` and `portable`, with the same names.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

mod apart;
mod command;
mod environment;
mod family;
mod identity;
mod lines;
#[cfg(not(any(target_os = "macos", sprag_portable)))]
mod linux;
mod listener;
mod marked;
mod output;
#[cfg(any(target_os = "macos", sprag_portable))]
mod portable;
mod program;
mod stop;
#[cfg(test)]
mod tests;
mod tool;

pub use apart::{apart, detached, own_session};
pub use command::{Command, Exit, Followed, Leash, NotStarted, Ran};
pub use environment::session_marks;
pub use environment::{EFFECT, clean, inherited};
pub use family::Family;
pub use identity::{Life, identity, life};
pub use lines::LineBuffer;
pub use marked::is_marked_alive;
pub use output::{Output, Tail};
pub use program::is_on_path;
pub use stop::StopHandle;
pub use tool::{Tool, ToolOutput};

#[cfg(not(any(target_os = "macos", sprag_portable)))]
use linux::{look, orphans, table};
#[cfg(any(target_os = "macos", sprag_portable))]
use portable::{look, orphans, table};

#[cfg(not(any(target_os = "macos", sprag_portable)))]
pub(crate) use linux::parents::parents;
#[cfg(any(target_os = "macos", sprag_portable))]
pub(crate) use portable::parents::parents;

/// The time limit of `git --version`.
const GIT_VERSION: Duration = Duration::from_secs(10);

/// The system's list of processes, for a walk from one up to its parents.
pub(crate) trait Parents {
    fn parent(&self, id: u32) -> Option<u32>;
    /// Returns the program and its arguments, with a zero byte after each word.
    fn line(&self, id: u32) -> Vec<u8>;
    /// Returns whether a process was started with this variable, which its children may have
    /// removed. No other variable is looked at, and its value is not kept.
    fn has_variable(&self, id: u32, name: &str) -> bool;
}

/// Returns the files, if they are files, behind our standard output and standard error.
#[cfg(not(target_os = "macos"))]
pub fn output_files() -> Vec<PathBuf> {
    let links = ["/proc/self/fd/1", "/proc/self/fd/2"];
    let files = links.into_iter().filter_map(|link| std::fs::read_link(link).ok());
    files.filter(|path| path.is_file()).collect()
}

#[cfg(target_os = "macos")]
pub fn output_files() -> Vec<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let paths = [rustix::fs::getpath(std::io::stdout()), rustix::fs::getpath(std::io::stderr())];
    let paths = paths.into_iter().flatten().map(|path| OsString::from_vec(path.into_bytes()));
    paths.map(PathBuf::from).filter(|path| path.is_file()).collect()
}

/// Shows a file to the person with the system's default program for it, and does not wait.
pub fn show(file: &Path, environment: &[(OsString, OsString)]) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    apart::hand_over(program, file, environment)
}

/// Returns whether the reader of standard output is gone, without writing to it.
pub fn nobody_reads() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    let mut pipes = [PollFd::new(&out, PollFlags::empty())];
    let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    poll(&mut pipes, Some(&Timespec::default())).is_ok() && pipes[0].revents().intersects(gone)
}

/// Returns whether no process has this id.
fn no_such(id: &str) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let pid = id.parse().ok().filter(|id| *id > 0).and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

/// Returns whether a process has not ended yet.
#[cfg(test)]
pub(crate) fn is_running(id: i32) -> bool {
    table::find(id).is_some_and(|process| !process.is_over)
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
