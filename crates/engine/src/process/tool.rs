//! Asks a program that we know, such as git, and takes the whole answer.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::Pid;

use super::orphans;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// The program, looked up in the `PATH` below.
    pub program: &'a str,
    /// Its arguments.
    pub words: &'a [&'a OsStr],
    /// Where it runs.
    pub folder: &'a Path,
    /// All the variables that it sees.
    pub environment: &'a [(OsString, OsString)],
    /// What it reads.
    pub input: &'a [u8],
    /// How long it may take.
    pub limit: Duration,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its exit code; nothing when a signal ended it.
    pub exit: Option<i32>,
    /// Its standard output.
    pub out: Vec<u8>,
    /// The beginning of its standard error.
    pub complaint: String,
}

/// How much of a complaint is worth reading.
const COMPLAINT: u64 = 4096;

impl Tool<'_> {
    /// Asks, and returns the answer; an error of kind `TimedOut` when it took too long.
    #[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
    pub fn ask(&self) -> io::Result<Said> {
        let mut command = std::process::Command::new(self.program);
        command
            .args(self.words)
            .current_dir(self.folder)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = orphans::beside(&mut command)?;
        let said = self.hear(&mut child);
        orphans::forget(Pid::from_child(&child));
        said
    }

    /// Takes the answer of what was started, and waits for its end.
    fn hear(&self, child: &mut Child) -> io::Result<Said> {
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let input = self.input.to_vec();
        // Three pipes and no way to wait for all of them: a thread each. They end with the tool.
        std::thread::spawn(move || {
            // A tool that ends without reading closes the pipe; that is its right.
            let _ = stdin.map(|mut pipe| pipe.write_all(&input));
        });
        let complaint = read(stderr, COMPLAINT);
        let out = read(stdout, u64::MAX);
        let Ok(out) = out.recv_timeout(self.limit) else {
            child.kill()?;
            child.wait()?;
            let why = format!("`{}` took longer than {:?}", self.program, self.limit);
            return Err(io::Error::new(io::ErrorKind::TimedOut, why));
        };
        let status = child.wait()?;
        let complaint = complaint.recv_timeout(self.limit).ok().and_then(Result::ok);
        let complaint = String::from_utf8_lossy(&complaint.unwrap_or_default()).trim().to_owned();
        Ok(Said { exit: status.code(), out: out?, complaint })
    }
}

fn read(
    pipe: Option<impl io::Read + Send + 'static>,
    cap: u64,
) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let got = pipe.map_or(Ok(0), |pipe| pipe.take(cap).read_to_end(&mut bytes));
        let _ = sender.send(got.map(|_| bytes));
    });
    receiver
}
