//! A running client: it has a time limit, and no process of it survives.

use std::io::{BufRead as _, BufReader, PipeReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sprag_core::EffectId;
use sprag_world::process::{EFFECT, Family};

/// A started client.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    effect: EffectId,
    started: Instant,
    lines: Receiver<String>,
    said: Vec<String>,
    done: Option<Sender<()>>,
    watch: Option<JoinHandle<bool>>,
}

/// How a client ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Its whole output.
    pub(crate) said: String,
    pub(crate) took: Duration,
    /// Whether it ended before its limit.
    in_time: bool,
}

static STARTED: AtomicU32 = AtomicU32::new(0);

impl Process {
    /// Starts a client with a time limit.
    pub(crate) fn start(command: Command, limit: Duration) -> Self {
        Self::begin(command, Stdio::null(), limit)
    }

    /// Starts a client with an open standard input, until its end is awaited.
    pub(crate) fn open(command: Command, limit: Duration) -> Self {
        Self::begin(command, Stdio::piped(), limit)
    }

    fn begin(mut command: Command, stdin: Stdio, limit: Duration) -> Self {
        let nth = STARTED.fetch_add(1, Ordering::Relaxed);
        let effect = EffectId::parse(&format!("hosts-{}-{nth}", std::process::id())).unwrap();
        let (reader, writer) = std::io::pipe().unwrap();
        command.env(EFFECT, effect.as_str()).stdin(stdin);
        command.stdout(writer.try_clone().unwrap()).stderr(writer);
        let program = Path::new(command.get_program()).display().to_string();
        let child = command.spawn().unwrap_or_else(|error| panic!("{program}: {error}"));
        // Our ends of the pipe must be closed, or reading never ends.
        drop(command);
        let lines = lines(reader);
        let (done, is_done) = mpsc::channel::<()>();
        let family = Family::of(&effect);
        let watch = std::thread::spawn(move || {
            let in_time = is_done.recv_timeout(limit) != Err(RecvTimeoutError::Timeout);
            if !in_time {
                family.end();
            }
            in_time
        });
        Self {
            child,
            effect,
            started: Instant::now(),
            lines,
            said: Vec::new(),
            done: Some(done),
            watch: Some(watch),
        }
    }

    /// Writes a line to its standard input.
    pub(crate) fn tell(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut();
        let told = stdin.map(|stdin| writeln!(stdin, "{line}"));
        assert!(matches!(told, Some(Ok(()))), "no answer: {told:?}\n{}", self.said.concat());
    }

    /// Waits for a line that contains `what`, which must come.
    pub(crate) fn hear(&mut self, what: &str) -> String {
        let heard = self.hears(what);
        heard.unwrap_or_else(|| panic!("it never said `{what}`:\n{}", self.said.concat()))
    }

    /// Waits for a line that contains `what`, until the client ends.
    pub(crate) fn hears(&mut self, what: &str) -> Option<String> {
        // The watch thread kills the client, which ends the lines.
        while let Ok(line) = self.lines.recv() {
            self.said.push(line.clone());
            if line.contains(what) {
                return Some(line);
            }
        }
        None
    }

    /// Interrupts a process group, like a key in a terminal.
    pub(crate) fn interrupt(&self) {
        let kill = format!("kill -INT -{}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success(), "{kill}");
    }

    /// Kills a client that would not end by itself; this counts as a good end.
    pub(crate) fn stop(self) -> Ended {
        Family::of(&self.effect).end();
        Ended { code: Some(0), ..self.end() }
    }

    /// Kills it at once, as a crash does, and then its other processes.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.end();
    }

    /// Waits for its end, which must come within the time limit.
    pub(crate) fn end(self) -> Ended {
        let ended = self.wait();
        let Ended { in_time, took, said, .. } = &ended;
        assert!(in_time, "it did not end within its limit, {took:?}:\n{said}");
        ended
    }

    fn wait(mut self) -> Ended {
        let status = self.child.wait().unwrap();
        let took = self.started.elapsed();
        let is_over = Family::of(&self.effect).end();
        self.said.extend(self.lines.iter());
        let said = self.said.concat();
        assert!(is_over, "something that it started could not be ended:\n{said}");
        drop(self.done.take());
        let in_time = self.watch.take().is_none_or(|watch| watch.join().unwrap());
        Ended { code: status.code(), said, took, in_time }
    }
}

/// Returns the lines from a pipe.
fn lines(reader: PipeReader) -> Receiver<String> {
    let (said, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let _ = said.send(String::from_utf8_lossy(&line).into_owned());
            line.clear();
        }
    });
    lines
}

impl Drop for Process {
    /// Kills the processes that a failing test leaves behind.
    fn drop(&mut self) {
        if self.watch.is_some() {
            Family::of(&self.effect).end();
            let _ = self.child.wait();
        }
    }
}

#[test]
fn what_hangs_is_ended_with_all_that_it_started() {
    let mut command = Command::new("sh");
    // One of them leaves the process group.
    command.args(["-c", "setsid sleep 600 & echo waiting; exec sleep 600"]);
    let mut process = Process::start(command, Duration::from_millis(500));
    process.hear("waiting");
    let family = Family::of(&process.effect);
    assert!(family.is_alive());
    let ended = process.wait();
    assert_eq!((ended.in_time, ended.said.as_str()), (false, "waiting\n"));
    assert!(!family.is_alive());
}
