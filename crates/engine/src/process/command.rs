//! Runs one command to its end: never through a shell, never longer than its limit, never leaving
//! anything behind.

use std::ffi::OsString;
use std::io::{self, PipeReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use sprag_core::Id;

use super::{Family, Output, orphans};

/// What is to be run, and how.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// All the variables it sees, but [`super::EFFECT`]: see [`super::environment::clean`].
    pub environment: Vec<(OsString, OsString)>,
    /// What it is known by.
    pub effect: Id,
    /// How long it may take.
    pub limit: Duration,
}

/// How a command ended and what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub took: Duration,
    /// What it said, standard output and error as they came.
    pub output: Output,
    /// Whether something that it started could not be ended.
    pub left_behind: bool,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It ended by itself with this code.
    Exit(i32),
    /// A signal that we did not send ended it.
    Signal(i32),
    /// It took longer than its limit, and was ended.
    TimeOut,
}

/// Why a command was not started.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// There are no words.
    #[error("there is no command")]
    Empty,
    /// There is no such program.
    #[error("the program `{0}` was not found")]
    Missing(String),
    /// The program may not be run.
    #[error("the program `{0}` may not be run: it is not executable")]
    NotExecutable(String),
    /// The folder to run in is not there.
    #[error("the folder `{}` cannot be entered", .0.display())]
    Folder(PathBuf),
    /// The system refused.
    #[error("cannot start `{program}`: {source}")]
    Refused {
        /// The program.
        program: String,
        /// What the system said.
        source: io::Error,
    },
}

/// How much is read before the clock is looked at again.
const PIECE: usize = 64 << 10;
/// How much of a complaint is worth reading.
const COMPLAINT: u64 = 4096;
/// How often the orphans that have ended are reaped while a command runs.
const REAPING: Duration = Duration::from_millis(250);

impl Command {
    /// Runs it, and ends everything that it started and left running.
    pub fn run(&self) -> Result<Ran, NotStarted> {
        let (reader, writer) = io::pipe().map_err(|source| self.refused(source))?;
        let errors = writer.try_clone().map_err(|source| self.refused(source))?;
        self.follow(reader, (Stdio::null(), writer.into(), errors.into()), Output::default())
    }

    /// Runs it as a question: it reads `input`, what it says is its answer, and the beginning of
    /// its complaints comes apart.
    pub fn ask(&self, input: Vec<u8>) -> Result<(Ran, String), NotStarted> {
        self.question(input, Output::default())
    }

    /// Runs it as a question whose answer may have about so many bytes.
    pub fn ask_for(&self, input: Vec<u8>, most: usize) -> Result<(Ran, String), NotStarted> {
        self.question(input, Output::keeping(most))
    }

    fn question(&self, input: Vec<u8>, output: Output) -> Result<(Ran, String), NotStarted> {
        let refused = |source| self.refused(source);
        let (reader, writer) = io::pipe().map_err(refused)?;
        let (theirs, mut ours) = io::pipe().map_err(refused)?;
        let (mut complaints, errors) = io::pipe().map_err(refused)?;
        // Both threads end with the last process that has the other end.
        std::thread::spawn(move || {
            // A command that answers without reading closes the pipe; that is its right.
            let _ = ours.write_all(&input);
        });
        let complaint = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = (&mut complaints).take(COMPLAINT).read_to_end(&mut text);
            let _ = io::copy(&mut complaints, &mut io::sink());
            String::from_utf8_lossy(&text).trim().to_owned()
        });
        let ran = self.follow(reader, (theirs.into(), writer.into(), errors.into()), output)?;
        // Whoever could not be ended may hold the pipe for ever.
        let complaint =
            if ran.left_behind { None } else { complaint.join().ok() }.unwrap_or_default();
        Ok((ran, complaint))
    }

    /// Starts it with these ends of pipes, and listens to it until its end.
    #[expect(clippy::disallowed_methods, reason = "a limit is measured, nothing decided by it")]
    fn follow(
        &self,
        pipe: PipeReader,
        ends: (Stdio, Stdio, Stdio),
        output: Output,
    ) -> Result<Ran, NotStarted> {
        let start = Instant::now();
        let (mut child, family) = self.start(ends)?;
        let refused = |source| self.refused(source);
        let mut listener = match Listener::new(pipe, Pid::from_child(&child), output) {
            Ok(listener) => listener,
            Err(error) => {
                family.end();
                let _ = child.wait();
                return Err(refused(error));
            }
        };
        let in_time = listener.listen(start, self.limit);
        // The leader is not reaped yet, so its number still names its group and nothing else.
        let mut left_behind = !family.end();
        listener.take();
        let end = if in_time {
            End::of(&mut child).map_err(refused)?
        } else {
            left_behind |= !matches!(child.try_wait(), Ok(Some(_)));
            End::TimeOut
        };
        Ok(Ran { end, took: start.elapsed(), output: listener.output, left_behind })
    }

    #[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
    fn start(&self, ends: (Stdio, Stdio, Stdio)) -> Result<(Child, Family), NotStarted> {
        let (program, words) = self.argv.split_first().ok_or(NotStarted::Empty)?;
        let mut command = std::process::Command::new(program);
        command.args(words).current_dir(&self.folder);
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(ends.0).stdout(ends.1).stderr(ends.2);
        match Family::start(&mut command, &self.effect) {
            // Our ends for writing go with `command`, so the pipe ends when theirs do.
            Ok(started) => Ok(started),
            Err(_) if !self.folder.is_dir() => Err(NotStarted::Folder(self.folder.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(NotStarted::Missing(program.clone()))
            }
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Err(NotStarted::NotExecutable(program.clone()))
            }
            Err(error) => Err(self.refused(error)),
        }
    }

    fn refused(&self, source: io::Error) -> NotStarted {
        NotStarted::Refused { program: self.argv.first().cloned().unwrap_or_default(), source }
    }
}

impl End {
    fn of(child: &mut Child) -> io::Result<Self> {
        let status = child.wait()?;
        Ok(match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exit(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => Self::Exit(-1),
        })
    }
}

/// Hears what a process says and when it ends.
struct Listener {
    /// Nothing once everybody has closed it.
    pipe: Option<PipeReader>,
    /// Closed when the process has ended.
    ended: PipeReader,
    output: Output,
    piece: Vec<u8>,
}

impl Listener {
    fn new(pipe: PipeReader, pid: Pid, output: Output) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        let (ended, end) = io::pipe()?;
        // A thread that waits in the kernel: nothing else can be waited on together with a pipe
        // on every system. It does not reap, so that the process keeps its number.
        std::thread::Builder::new().name("waits for a command".to_owned()).spawn(move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
            drop(end);
        })?;
        Ok(Self { pipe: Some(pipe), ended, output, piece: vec![0; PIECE] })
    }

    /// Listens until the process has ended, and returns whether it did in time.
    #[expect(clippy::disallowed_methods, reason = "a pause is measured, nothing decided by it")]
    fn listen(&mut self, start: Instant, limit: Duration) -> bool {
        let mut reaped = start;
        loop {
            let Some(left) = limit.checked_sub(start.elapsed()) else { return false };
            if reaped.elapsed() >= REAPING {
                orphans::reap();
                reaped = Instant::now();
            }
            let timeout = Timespec::try_from(left.min(REAPING)).ok();
            let mut files = vec![PollFd::new(&self.ended, PollFlags::IN)];
            files.extend(self.pipe.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            match poll(&mut files, timeout.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                // Without a way to wait, the limit still holds.
                Err(_) => std::thread::sleep(left.min(Duration::from_millis(10))),
            }
            let ended = !files[0].revents().is_empty();
            let spoke = files.get(1).is_some_and(|file| !file.revents().is_empty());
            if spoke {
                self.read();
            }
            if ended {
                return true;
            }
        }
    }

    /// Reads one piece of what is there, and returns whether there may be more.
    fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        match pipe.read(&mut self.piece) {
            Ok(0) => self.pipe = None,
            Ok(length) => {
                self.output.push(&self.piece[..length]);
                return true;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => self.pipe = None,
        }
        false
    }

    /// Takes what the pipe still holds; a pipe is small, so whoever still writes is not followed.
    fn take(&mut self) {
        for _ in 0..64 {
            if !self.read() {
                break;
            }
        }
    }
}
