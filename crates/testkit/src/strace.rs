//! Records the system calls of a command, so that each can be made to fail.
//!
//! `strace` counts the calls of one name in one thread, and so does this module: "the third
//! `write`" means the same call in the record and in the run with a fault.
#![expect(clippy::disallowed_methods, reason = "runs strace and the command under test")]

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The calls that can change state that others see, by any of their names.
pub const CHANGING: &[&str] = &[
    "openat",
    "openat2",
    "creat",
    "write",
    "pwrite64",
    "writev",
    "pwritev",
    "fdatasync",
    "fsync",
    "sync_file_range",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "ftruncate",
    "truncate",
    "fallocate",
    "flock",
    "fchmod",
    "fchmodat",
    "chmod",
    "fchown",
    "fchownat",
    "chown",
    "link",
    "linkat",
    "symlinkat",
    "utimensat",
    "copy_file_range",
];

/// The calls that read state.
pub const READING: &[&str] = &["read", "pread64", "statx", "newfstatat", "fstat", "getdents64"];

/// A recorded call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub name: String,
    /// Its number among the calls of this name in its thread, starting at 1.
    pub nth: u32,
    /// The line as strace printed it, with the paths of descriptors.
    pub text: String,
}

impl Call {
    /// Returns whether the call names `folder` or a path in it, or writes to standard output.
    pub fn touches(&self, folder: &Path) -> bool {
        self.text.contains(&*folder.to_string_lossy()) || self.text.starts_with("write(1<")
    }

    /// Returns whether the call only opens for reading or reads.
    pub fn only_reads(&self) -> bool {
        let changes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];
        match self.name.as_str() {
            "openat" | "openat2" => !changes.iter().any(|flag| self.text.contains(flag)),
            name => READING.contains(&name),
        }
    }
}

/// Returns whether strace is installed and may trace.
pub fn is_there() -> bool {
    let tried = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).output();
    tried.is_ok_and(|output| output.status.success())
}

/// Runs `command` under strace with `options`; the record goes to `log`.
pub fn run<S: AsRef<OsStr>>(options: &[S], log: &Path, command: &[OsString]) -> io::Result<Output> {
    Command::new("strace")
        .args(["-f", "-qq", "-y", "-s", "256", "-o"])
        .arg(log)
        .args(options)
        .arg("--")
        .args(command)
        .stdin(Stdio::null())
        .output()
}

/// Returns the calls that `command` makes, in order, and its output.
pub fn record(command: &[OsString], log: &Path) -> io::Result<(Vec<Call>, Output)> {
    let names: Vec<&str> = CHANGING.iter().chain(READING).copied().collect();
    let output = run(&["-e", &format!("trace={}", names.join(","))], log, command)?;
    Ok((parse(&std::fs::read_to_string(log)?), output))
}

fn parse(record: &str) -> Vec<Call> {
    let mut counts: HashMap<(&str, &str), u32> = HashMap::new();
    let mut calls = Vec::new();
    for line in record.lines() {
        let Some((thread, text)) = line.split_once(char::is_whitespace) else { continue };
        let text = text.trim_start();
        // `+++ exited`, `--- SIGCHLD` and `<... write resumed>` are not calls.
        let Some((name, _)) = text.split_once('(') else { continue };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            continue;
        }
        let nth = counts.entry((thread, name)).or_default();
        *nth += 1;
        calls.push(Call { name: name.to_owned(), nth: *nth, text: text.to_owned() });
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_name_and_thread() {
        let record = "\
7  openat(AT_FDCWD</x>, \"/r/a\", O_RDONLY|O_CLOEXEC) = 3</r/a>
7  write(3</r/a>, \"x\", 1 <unfinished ...>
8  write(1</dev/pts/0>, \"ok\\n\", 3) = 3
7  <... write resumed>) = 1
7  write(3</r/a>, \"(\", 1) = 1
8  +++ exited with 0 +++
7  --- SIGCHLD {si_signo=SIGCHLD} ---
";
        let calls = parse(record);
        let found: Vec<(&str, u32)> =
            calls.iter().map(|call| (call.name.as_str(), call.nth)).collect();
        assert_eq!(found, [("openat", 1), ("write", 1), ("write", 1), ("write", 2)]);
        assert!(calls[0].only_reads() && !calls[1].only_reads());
        assert!(calls.iter().all(|call| call.touches(Path::new("/r"))));
        assert!(!calls[0].touches(Path::new("/q")));
    }
}
