//! The common part of `drive-plan` and `drive-tree`: a project, and steps before one of which the
//! process ends as by `kill -9`. A step is a durable action: a call of the engine, or a file.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use sprag_engine::engine::EngineError;

/// A project and the number of steps taken.
#[derive(Debug)]
pub struct Steps {
    pub root: PathBuf,
    /// The step before which the process ends; 0 means never.
    last: usize,
    taken: usize,
}

/// Runs a program whose arguments are a project and the step before which it ends.
pub fn run(name: &str, drive: impl FnOnce(Steps) -> Result<(), EngineError>) -> ExitCode {
    let mut words = std::env::args().skip(1);
    let root = words.next().map(PathBuf::from);
    let last = words.next().and_then(|word| word.parse().ok());
    let (Some(root), Some(last)) = (root, last) else {
        complain(&format!("usage: {name} ROOT STEPS"));
        return ExitCode::from(2);
    };
    match drive(Steps { root, last, taken: 0 }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Prints to standard error.
pub fn complain(text: &str) {
    // If standard error is gone too, the exit code must suffice.
    let _ = writeln!(std::io::stderr(), "{text}");
}

impl Steps {
    pub const fn taken(&self) -> usize {
        self.taken
    }

    /// Prints the number of steps, which the tests read.
    pub fn tell(&self) {
        let _ = writeln!(std::io::stdout(), "{}", self.taken);
    }

    /// Ends the process if this is the last step.
    pub fn step(&mut self) {
        self.taken += 1;
        if self.taken == self.last {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
        }
    }

    /// Reads a file; a missing one is empty.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.root.join(name)).unwrap_or_default()
    }

    /// Writes a file, which is a step.
    #[expect(clippy::disallowed_methods, reason = "agents and persons write as they like")]
    pub fn write(&mut self, name: &str, text: &str) {
        self.step();
        if let Err(error) = std::fs::write(self.root.join(name), text) {
            complain(&format!("{name}: {error}"));
        }
    }
}
