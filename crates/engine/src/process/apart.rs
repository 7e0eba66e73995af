//! Starts processes that go on whatever becomes of us: sprag itself, or what shows a file.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use super::program;

/// Starts sprag with `words` in a process group of its own, and returns whether it ended within
/// `wait`; if not, it goes on.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub fn apart(words: &[&OsStr], folder: &Path, wait: Duration) -> io::Result<bool> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(words).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let (done, is_done) = mpsc::channel();
    // There is no waiting for a child with a limit; the thread ends with it, or with us.
    std::thread::spawn(move || {
        let _ = child.wait();
        let _ = done.send(());
    });
    Ok(is_done.recv_timeout(wait).is_ok())
}

/// Starts sprag with `words` so that it can go on without us and our terminal, and returns its
/// number; it has to call [`own_session`] itself.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub fn detached(words: &[&OsStr], folder: &Path) -> io::Result<u32> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(words).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command.spawn()?.id())
}

/// Leaves the terminal and the group that this process was started in.
pub fn own_session() {
    // Who leads a group already has left that of its parent.
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}

/// Hands a file to another program and does not wait for it; returns whether it was started.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub fn hand_over(program: &str, file: &Path, environment: &[(OsString, OsString)]) -> bool {
    let path = program::search_path(environment);
    let Ok(found) = program::find(program, &path) else { return false };
    let mut command = std::process::Command::new(found);
    command.arg(file).env_clear();
    command.envs(environment.iter().map(|(name, value)| (name, value))).env("PATH", &path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().is_ok()
}
