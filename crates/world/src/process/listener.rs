//! Reads a process's output until it ends or exceeds a bound.

use std::io::{self, PipeReader, Read as _};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::{Exit, StopHandle, orphans};

/// The stream that output came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    Output,
    Errors,
}

/// The bounds of a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    pub(super) wall: Duration,
    pub(super) idle: Duration,
    pub(super) output: u64,
    pub(super) stop: Option<&'a StopHandle>,
}

/// How many bytes are read before the clock is checked again.
const PIECE: usize = 64 << 10;
/// How often ended orphans are reaped while a command runs.
const REAPING: Duration = Duration::from_millis(250);

/// Receives the output.
pub(super) type Ear<'e> = &'e mut dyn FnMut(Voice, &[u8]);

/// Reads the output of a process and notices its end.
pub(super) struct Listener<'a> {
    /// Without those whose other ends are all closed.
    pipes: Vec<(Voice, PipeReader)>,
    /// Closed when the process has ended.
    ended: PipeReader,
    piece: Vec<u8>,
    bounds: Bounds<'a>,
    start: Instant,
    /// The time of its last output.
    last: Instant,
    /// How many bytes it printed.
    total: u64,
}

impl<'a> Listener<'a> {
    pub(super) fn new(
        pipes: Vec<(Voice, PipeReader)>,
        pid: Pid,
        start: Instant,
        bounds: Bounds<'a>,
    ) -> io::Result<Self> {
        for (_, pipe) in &pipes {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let (ended, end) = io::pipe()?;
        // A thread that waits in the kernel, because not every system can wait for a process and a
        // pipe at once. It does not reap, so that the process keeps its id.
        std::thread::Builder::new().name("waits for a command".to_owned()).spawn(move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
            drop(end);
        })?;
        let piece = vec![0; PIECE];
        Ok(Self { pipes, ended, piece, bounds, start, last: start, total: 0 })
    }

    /// Reads until the process has ended; returns the reason if it must be ended.
    #[expect(clippy::disallowed_methods, reason = "a pause is measured, nothing decided by it")]
    pub(super) fn listen(&mut self, ear: Ear<'_>) -> Option<Exit> {
        let mut reaped = self.start;
        loop {
            let left = match self.left() {
                Ok(left) => left,
                Err(cut) => return Some(cut),
            };
            if reaped.elapsed() >= REAPING {
                orphans::reap();
                reaped = Instant::now();
            }
            let (ended, spoke) = self.wait(left.min(REAPING));
            for voice in spoke {
                self.read(voice, ear);
            }
            if ended {
                return None;
            }
        }
    }

    /// Returns the time left, or the reason why it must be ended.
    fn left(&self) -> Result<Duration, Exit> {
        if self.bounds.stop.is_some_and(StopHandle::is_asked) {
            return Err(Exit::Stopped);
        }
        self.flooded()?;
        let wall = self.bounds.wall.checked_sub(self.start.elapsed()).ok_or(Exit::TimedOut)?;
        let idle = self.bounds.idle.checked_sub(self.last.elapsed()).ok_or(Exit::Idle)?;
        Ok(wall.min(idle))
    }

    fn flooded(&self) -> Result<(), Exit> {
        if self.total > self.bounds.output { Err(Exit::Flooded) } else { Ok(()) }
    }

    /// Waits for an event; returns whether the process ended, and which streams have output.
    fn wait(&self, most: Duration) -> (bool, Vec<Voice>) {
        let timeout = Timespec::try_from(most).ok();
        let mut files = vec![PollFd::new(&self.ended, PollFlags::IN)];
        files.extend(self.pipes.iter().map(|(_, pipe)| PollFd::new(pipe, PollFlags::IN)));
        let waits = self.bounds.stop.map(StopHandle::waits);
        files.extend(waits.map(|waits| PollFd::from_borrowed_fd(waits, PollFlags::IN)));
        match poll(&mut files, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            // Even if waiting fails, the limits still apply.
            Err(_) => std::thread::sleep(most.min(Duration::from_millis(10))),
        }
        let is_ready = |file: &PollFd<'_>| !file.revents().is_empty();
        let spoke = self.pipes.iter().zip(&files[1..]).filter(|(_, file)| is_ready(file));
        (is_ready(&files[0]), spoke.map(|((voice, _), _)| *voice).collect())
    }

    /// Reads one available piece, and returns whether there may be more.
    #[expect(clippy::disallowed_methods, reason = "a pause is measured, nothing decided by it")]
    fn read(&mut self, voice: Voice, ear: Ear<'_>) -> bool {
        let Some(at) = self.pipes.iter().position(|(of, _)| *of == voice) else { return false };
        match self.pipes[at].1.read(&mut self.piece) {
            Ok(0) => drop(self.pipes.remove(at)),
            Ok(length) => {
                let room = self.bounds.output.saturating_sub(self.total);
                let heard = length.min(usize::try_from(room).unwrap_or(usize::MAX));
                self.total += length as u64;
                self.last = Instant::now();
                ear(voice, &self.piece[..heard]);
                return true;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => drop(self.pipes.remove(at)),
        }
        false
    }

    /// Reads what is left in the pipes. A pipe is small, so a process that keeps writing is not
    /// followed. Returns the reason if the output was too large after all.
    pub(super) fn take(&mut self, ear: Ear<'_>) -> Option<Exit> {
        for voice in [Voice::Output, Voice::Errors] {
            for _ in 0..64 {
                if !self.read(voice, ear) {
                    break;
                }
            }
        }
        self.flooded().err()
    }
}
