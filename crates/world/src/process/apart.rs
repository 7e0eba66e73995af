//! Starts processes that outlive us: sprag itself, or a program that shows a file.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use super::program;

/// Starts sprag with `words` in its own process group. Returns whether it ended within `wait`;
/// otherwise it continues.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub fn apart(words: &[&OsStr], folder: &Path, wait: Duration) -> io::Result<bool> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(words).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let (done, is_done) = mpsc::channel();
    // A child cannot be awaited with a time limit, so a thread waits for it.
    std::thread::spawn(move || {
        let _ = child.wait();
        let _ = done.send(());
    });
    Ok(is_done.recv_timeout(wait).is_ok())
}

/// Starts sprag with `words` so that it can outlive us and our terminal, and returns its process
/// id. The child must call [`own_session`] itself.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub fn detached(words: &[&OsStr], folder: &Path) -> io::Result<u32> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(words).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command.spawn()?.id())
}

/// Leaves the terminal and the process group that this process was started in.
pub fn own_session() {
    // The leader of a group has already left its parent's group.
    let _ = rustix::process::setsid();
}

/// Opens a file with another program without waiting for it. Returns whether the program started.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub(super) fn hand_over(program: &str, file: &Path, environment: &[(OsString, OsString)]) -> bool {
    let path = program::search_path(environment);
    let Ok(found) = program::find(program, &path) else { return false };
    let mut command = std::process::Command::new(found);
    command.arg(file).env_clear();
    command.envs(environment.iter().map(|(name, value)| (name, value))).env("PATH", &path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().is_ok()
}
