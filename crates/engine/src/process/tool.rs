//! Asks a program that we know, such as git, and takes the whole answer.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Stop, orphans, program};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// The program, looked up in the absolute folders of the `PATH` below; it sees no others.
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
    /// Its exit code; nothing when a signal ended it, or when it said more than it may.
    pub exit: Option<i32>,
    /// Its standard output.
    pub out: Vec<u8>,
    /// The beginning of its standard error.
    pub complaint: String,
}

/// How much of a complaint is worth reading.
const COMPLAINT: u64 = 4096;
/// How often is looked whether somebody asked for the end.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a tool may take that was asked to end: git removes its locks.
const GRACE: Duration = Duration::from_secs(2);

/// Gets all that a tool says once it has said it.
type Heard = mpsc::Receiver<io::Result<Vec<u8>>>;

impl Tool<'_> {
    /// Asks, and returns the answer; an error of kind `TimedOut` when it took too long.
    pub fn ask(&self) -> io::Result<Said> {
        self.ask_unless(None)
    }

    /// Asks like [`Self::ask`], and ends the tool as soon as `stop` is asked: an error of kind
    /// `Interrupted`.
    pub fn ask_unless(&self, stop: Option<&Stop>) -> io::Result<Said> {
        self.ask_at_most(u64::MAX, stop)
    }

    /// Asks like [`Self::ask_unless`], and reads no more than so many bytes of the answer.
    #[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
    pub fn ask_at_most(&self, most: u64, stop: Option<&Stop>) -> io::Result<Said> {
        if stop.is_some_and(Stop::is_asked) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let path = program::search_path(self.environment);
        let mut command = std::process::Command::new(program::find(self.program, &path)?);
        command
            .args(self.words)
            .current_dir(self.folder)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env("PATH", &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = orphans::beside(&mut command)?;
        let said = self.hear(&mut child, most, stop);
        orphans::forget(Pid::from_child(&child));
        said
    }

    /// Returns all that it said; nothing where it took too long or somebody asked for the end.
    fn listen(&self, out: &Heard, stop: Option<&Stop>) -> Option<io::Result<Vec<u8>>> {
        let mut left = self.limit;
        loop {
            let glance = if stop.is_some() { left.min(GLANCE) } else { left };
            if let Ok(said) = out.recv_timeout(glance) {
                return Some(said);
            }
            left -= glance;
            if left.is_zero() || stop.is_some_and(Stop::is_asked) {
                return None;
            }
        }
    }

    /// Takes the answer of what was started, and waits for its end.
    fn hear(&self, child: &mut Child, most: u64, stop: Option<&Stop>) -> io::Result<Said> {
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let input = self.input.to_vec();
        // Three pipes and no way to wait for all of them: a thread each. They end with the tool.
        std::thread::spawn(move || {
            // A tool that ends without reading closes the pipe; that is its right.
            let _ = stdin.map(|mut pipe| pipe.write_all(&input));
        });
        let complaint = read(stderr, COMPLAINT);
        // One more tells that there is more.
        let out = read(stdout, most.saturating_add(1));
        let Some(out) = self.listen(&out, stop) else {
            let is_asked = stop.is_some_and(Stop::is_asked);
            end(child, is_asked.then_some(&out))?;
            let why = format!("`{}` took longer than {:?}", self.program, self.limit);
            let late = || io::Error::new(io::ErrorKind::TimedOut, why);
            return Err(if is_asked { io::ErrorKind::Interrupted.into() } else { late() });
        };
        let status = child.wait()?;
        let complaint = complaint.recv_timeout(self.limit).ok().and_then(Result::ok);
        let complaint = String::from_utf8_lossy(&complaint.unwrap_or_default()).trim().to_owned();
        let out = out?;
        let exit = status.code().filter(|_| out.len() as u64 <= most);
        Ok(Said { exit, out, complaint })
    }
}

/// Ends a tool and what it started in its group; where it can be `heard` to end, it is asked first.
fn end(child: &mut Child, heard: Option<&Heard>) -> io::Result<()> {
    // Not reaped yet, so its number still names its group and nothing else.
    let group = Pid::from_child(child);
    if let Some(heard) = heard {
        let _ = kill_process_group(group, Signal::TERM);
        let _ = heard.recv_timeout(GRACE);
    }
    // A group that is gone has ended.
    let _ = kill_process_group(group, Signal::KILL);
    child.wait().map(drop)
}

fn read(pipe: Option<impl io::Read + Send + 'static>, cap: u64) -> Heard {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let got = pipe.map_or(Ok(0), |pipe| pipe.take(cap).read_to_end(&mut bytes));
        let _ = sender.send(got.map(|_| bytes));
    });
    receiver
}
