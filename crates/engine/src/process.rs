//! What the operating system knows of processes and pipes.

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

/// Returns what `git --version` says, without the word git; nothing where it cannot be started.
#[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
pub fn git_version() -> Option<String> {
    let out = std::process::Command::new("git").arg("--version").output().ok()?;
    let said = String::from_utf8(out.stdout).ok()?;
    said.trim().strip_prefix("git version ").map(str::to_owned)
}
