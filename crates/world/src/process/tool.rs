//! Runs a known program, such as git, and returns its whole answer.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::{StopHandle, orphans, program};

/// A call of such a program.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// The program, searched only in the absolute folders of the `PATH` below.
    pub program: &'a str,
    pub words: &'a [&'a OsStr],
    /// The working folder.
    pub folder: &'a Path,
    /// All variables of its environment.
    pub environment: &'a [(OsString, OsString)],
    /// Its standard input.
    pub input: &'a [u8],
    /// The time limit.
    pub limit: Duration,
}

/// The answer of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput {
    /// Its exit code; `None` if a signal ended it, or its output was too long.
    pub exit: Option<i32>,
    pub out: Vec<u8>,
    /// The beginning of its standard error.
    pub complaint: String,
}

/// How many bytes of standard error are kept.
const COMPLAINT: u64 = 4096;
/// The interval at which a stop request is noticed.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a tool may take to end on request: git removes its locks.
const GRACE: Duration = Duration::from_secs(2);

/// Receives the whole output of one stream once it is complete.
type Heard = mpsc::Receiver<io::Result<Vec<u8>>>;

impl Tool<'_> {
    /// Runs the tool. The error kind is `TimedOut` if it took too long.
    pub fn ask(&self) -> io::Result<ToolOutput> {
        self.ask_unless(None)
    }

    /// Like [`Self::ask`], but ends the tool as soon as `stop` is requested, with the error kind
    /// `Interrupted`.
    pub fn ask_unless(&self, stop: Option<&StopHandle>) -> io::Result<ToolOutput> {
        self.ask_at_most(u64::MAX, stop)
    }

    /// Like [`Self::ask_unless`], but reads at most `most` bytes of the answer.
    #[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
    pub fn ask_at_most(&self, most: u64, stop: Option<&StopHandle>) -> io::Result<ToolOutput> {
        if stop.is_some_and(StopHandle::is_asked) {
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

    /// Returns the whole output; `None` after the time limit or a stop request.
    fn listen(&self, out: &Heard, stop: Option<&StopHandle>) -> Option<io::Result<Vec<u8>>> {
        let mut left = self.limit;
        loop {
            let glance = if stop.is_some() { left.min(GLANCE) } else { left };
            if let Ok(said) = out.recv_timeout(glance) {
                return Some(said);
            }
            left -= glance;
            if left.is_zero() || stop.is_some_and(StopHandle::is_asked) {
                return None;
            }
        }
    }

    /// Reads the answer of a running tool, and waits for its end.
    fn hear(
        &self,
        child: &mut Child,
        most: u64,
        stop: Option<&StopHandle>,
    ) -> io::Result<ToolOutput> {
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let input = self.input.to_vec();
        // Three pipes that cannot be awaited together: one thread for each. They end with the tool.
        std::thread::spawn(move || {
            // A tool may end without reading, which closes the pipe.
            let _ = stdin.map(|mut pipe| pipe.write_all(&input));
        });
        let complaint = read(stderr, COMPLAINT);
        // One more byte shows that there is more.
        let out = read(stdout, most.saturating_add(1));
        let Some(out) = self.listen(&out, stop) else {
            let is_asked = stop.is_some_and(StopHandle::is_asked);
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
        Ok(ToolOutput { exit, out, complaint })
    }
}

/// Ends a tool and the processes in its group. With `heard`, it is asked first and gets time to
/// end.
fn end(child: &mut Child, heard: Option<&Heard>) -> io::Result<()> {
    // Not reaped yet, so its id still names only its group.
    let group = Pid::from_child(child);
    if let Some(heard) = heard {
        let _ = kill_process_group(group, Signal::TERM);
        let _ = heard.recv_timeout(GRACE);
    }
    // Fails if the group has ended already.
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
