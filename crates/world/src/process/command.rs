//! Runs one command to its end: never through a shell, never beyond its limit, and without leaving
//! processes behind.

use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Pid;
use sprag_core::EffectId;

use super::listener::{Bounds, Ear, Listener, Voice};
use super::{Family, Output, StopHandle};

/// A command and the conditions of its run.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The working folder.
    pub folder: PathBuf,
    /// All its variables except [`super::EFFECT`]: see [`super::environment::clean`].
    pub environment: Vec<(OsString, OsString)>,
    /// The id that marks its processes.
    pub effect: EffectId,
    /// The time limit.
    pub limit: Duration,
}

/// The end of a command and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub exit: Exit,
    pub took: Duration,
    /// Standard output and error, interleaved as they arrived.
    pub output: Output,
    /// Whether a process that it started could not be ended.
    pub left_behind: bool,
}

/// How a process ended: a gate's command or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// A signal that we did not send ended it.
    Signal(i32),
    /// It exceeded its time limit and was ended.
    TimedOut,
    /// It was silent for too long and was ended; applies to agents only.
    Idle,
    /// It printed too much and was ended; applies to agents only.
    Flooded,
    /// It was ended on request.
    Stopped,
}

/// The bounds of a streamed command, besides its time limit.
#[derive(Clone, Copy, Debug)]
pub struct Leash<'a> {
    /// How long it may be silent.
    pub idle: Duration,
    /// How many bytes it may print, output and errors together.
    pub output: u64,
    /// Ends it at once.
    pub stop: &'a StopHandle,
}

/// The end of a streamed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    pub exit: Exit,
    pub took: Duration,
    /// Its standard error.
    pub complaint: Output,
    /// Whether a process that it started could not be ended.
    pub left_behind: bool,
}

/// Why a command was not started.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// There are no words.
    #[error("there is no command")]
    Empty,
    /// The program does not exist.
    #[error("the program `{0}` was not found")]
    Missing(String),
    /// The program is not executable.
    #[error("the program `{0}` may not be run: it is not executable")]
    NotExecutable(String),
    /// The folder to run in does not exist.
    #[error("the folder `{}` cannot be entered", .0.display())]
    Folder(PathBuf),
    /// The system refused.
    #[error("cannot start `{program}`: {source}")]
    Refused { program: String, source: io::Error },
}

/// How many bytes of standard error are kept.
const COMPLAINT: usize = 4096;

impl Command {
    /// Runs it, and ends all processes that it left running.
    pub fn run(&self) -> Result<Ran, NotStarted> {
        self.run_unless(None)
    }

    /// Like [`Self::run`], but ends it as soon as `stop` is requested.
    pub fn run_unless(&self, stop: Option<&StopHandle>) -> Result<Ran, NotStarted> {
        let (reader, writer) = self.pipe()?;
        let errors = writer.try_clone().map_err(|source| self.refused(source))?;
        let mut output = Output::default();
        let ends = (Stdio::null(), writer.into(), errors.into());
        let pipes = vec![(Voice::Output, reader)];
        let bounds = Bounds { stop, ..self.alone() };
        let over = self.follow(pipes, ends, bounds, &mut |_, piece| output.push(piece))?;
        Ok(over.ran(output))
    }

    /// Runs it with `input` as its standard input. Standard output is the answer, and the beginning
    /// of standard error is returned separately.
    pub fn ask(&self, input: Vec<u8>) -> Result<(Ran, String), NotStarted> {
        self.question(input, Output::default(), None)
    }

    /// Like [`Self::ask`], but ends it as soon as `stop` is requested.
    pub fn ask_unless(
        &self,
        input: Vec<u8>,
        stop: Option<&StopHandle>,
    ) -> Result<(Ran, String), NotStarted> {
        self.question(input, Output::default(), stop)
    }

    /// Like [`Self::ask_unless`], for an answer of about `most` bytes.
    pub fn ask_for(
        &self,
        input: Vec<u8>,
        most: usize,
        stop: Option<&StopHandle>,
    ) -> Result<(Ran, String), NotStarted> {
        self.question(input, Output::keeping(most), stop)
    }

    fn question(
        &self,
        input: Vec<u8>,
        output: Output,
        stop: Option<&StopHandle>,
    ) -> Result<(Ran, String), NotStarted> {
        let (mut output, mut complaint) = (output, Vec::new());
        let bounds = Bounds { stop, ..self.alone() };
        let over = self.converse(input, bounds, &mut |voice, piece| match voice {
            Voice::Output => output.push(piece),
            Voice::Errors => {
                let room = COMPLAINT - complaint.len();
                complaint.extend_from_slice(&piece[..piece.len().min(room)]);
            }
        })?;
        Ok((over.ran(output), String::from_utf8_lossy(&complaint).trim().to_owned()))
    }

    /// Runs it with `input` as its standard input and passes on its output as it arrives; ends it
    /// when it exceeds `leash`.
    pub fn stream(
        &self,
        input: Vec<u8>,
        leash: &Leash<'_>,
        hear: &mut dyn FnMut(&[u8]),
    ) -> Result<Followed, NotStarted> {
        let Leash { idle, output, stop } = *leash;
        let bounds = Bounds { wall: self.limit, idle, output, stop: Some(stop) };
        let mut complaint = Output::default();
        let over = self.converse(input, bounds, &mut |voice, piece| match voice {
            Voice::Output => hear(piece),
            Voice::Errors => complaint.push(piece),
        })?;
        let Over { exit, took, left_behind } = over;
        Ok(Followed { exit, took, complaint, left_behind })
    }

    /// Starts it with three pipes and reads from it until its end.
    fn converse(
        &self,
        input: Vec<u8>,
        bounds: Bounds<'_>,
        ear: Ear<'_>,
    ) -> Result<Over, NotStarted> {
        let (output, writer) = self.pipe()?;
        let (complaints, errors) = self.pipe()?;
        let (theirs, mut ours) = self.pipe()?;
        // The thread ends with the last process that holds the other end.
        std::thread::spawn(move || {
            // A command may answer without reading, which closes the pipe.
            let _ = ours.write_all(&input);
        });
        let pipes = vec![(Voice::Output, output), (Voice::Errors, complaints)];
        self.follow(pipes, (theirs.into(), writer.into(), errors.into()), bounds, ear)
    }

    /// Returns the bounds of a command that is not streamed.
    const fn alone(&self) -> Bounds<'static> {
        Bounds { wall: self.limit, idle: Duration::MAX, output: u64::MAX, stop: None }
    }

    fn pipe(&self) -> Result<(PipeReader, PipeWriter), NotStarted> {
        io::pipe().map_err(|source| self.refused(source))
    }

    /// Starts it with these ends of pipes and reads from it until its end.
    #[expect(clippy::disallowed_methods, reason = "a limit is measured, nothing decided by it")]
    fn follow(
        &self,
        pipes: Vec<(Voice, PipeReader)>,
        ends: (Stdio, Stdio, Stdio),
        bounds: Bounds<'_>,
        ear: Ear<'_>,
    ) -> Result<Over, NotStarted> {
        if bounds.stop.is_some_and(StopHandle::is_asked) {
            let (exit, took) = (Exit::Stopped, Duration::ZERO);
            return Ok(Over { exit, took, left_behind: false });
        }
        let start = Instant::now();
        let (mut child, family) = self.start(ends)?;
        let refused = |source| self.refused(source);
        let mut listener = match Listener::new(pipes, Pid::from_child(&child), start, bounds) {
            Ok(listener) => listener,
            Err(error) => {
                family.end();
                let _ = child.wait();
                return Err(refused(error));
            }
        };
        let cut = listener.listen(ear);
        // The leader is not reaped yet, so its id still names only its group.
        let mut left_behind = !family.end();
        let flooded = listener.take(ear);
        let exit = match cut {
            None => {
                let exit = Exit::of(&mut child).map_err(refused)?;
                let is_asked = bounds.stop.is_some_and(StopHandle::is_asked);
                // A general stop also kills, and the signal may be noticed first.
                if is_asked && matches!(exit, Exit::Signal(_)) { Exit::Stopped } else { exit }
            }
            Some(cut) => {
                left_behind |= !matches!(child.try_wait(), Ok(Some(_)));
                cut
            }
        };
        let exit = flooded.unwrap_or(exit);
        Ok(Over { exit, took: start.elapsed(), left_behind })
    }

    #[expect(clippy::disallowed_methods, reason = "this is the processes' door")]
    fn start(&self, ends: (Stdio, Stdio, Stdio)) -> Result<(Child, Family), NotStarted> {
        let (program, words) = self.argv.split_first().ok_or(NotStarted::Empty)?;
        let mut command = std::process::Command::new(program);
        command.args(words).current_dir(&self.folder);
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(ends.0).stdout(ends.1).stderr(ends.2);
        match Family::start(&mut command, &self.effect) {
            // Dropping `command` closes our write ends, so the pipe ends when theirs close.
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

/// The end of a command, without its output.
struct Over {
    exit: Exit,
    took: Duration,
    left_behind: bool,
}

impl Over {
    fn ran(self, output: Output) -> Ran {
        Ran { exit: self.exit, took: self.took, output, left_behind: self.left_behind }
    }
}

impl Exit {
    fn of(child: &mut Child) -> io::Result<Self> {
        let status = child.wait()?;
        Ok(match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => Self::Code(-1),
        })
    }
}
