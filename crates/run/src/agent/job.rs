use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use sprag_core::EffectId;
use sprag_engine::init::program;
use sprag_hosts::Host;
use sprag_hosts::headless::{self, StartCommand, StartOptions};
use sprag_world::process::{Command, NotStarted, inherited};

/// The kind of agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentKind {
    /// A headless host.
    Host(Host),
    /// Any program: it reads the prompt, and the end of its output is its claim.
    Command(Vec<String>),
}

/// One piece of work for one agent.
#[derive(Clone, Debug)]
pub struct Job {
    pub kind: AgentKind,
    pub prompt: String,
    /// The working directory.
    pub folder: PathBuf,
    /// The user's variables as sprag received them. Variables of another agent's session or of
    /// another run are removed.
    pub person: Vec<(OsString, OsString)>,
    /// Variables added to `person`; the last of two equal names wins.
    pub environment: Vec<(OsString, OsString)>,
    /// The id that marks every process the agent starts.
    pub effect: EffectId,
    /// The session to resume; only hosts have sessions.
    pub resume: Option<String>,
    pub limits: Limits,
    /// Tools the agent may not use, by their names in the workflow; only hosts support this.
    pub deny: Vec<String>,
    /// The user's extra arguments for the host's command line.
    pub extra: Vec<String>,
}

/// The limits of one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The total time limit.
    pub wall: Duration,
    /// The longest time without output; hosts are silent while a tool runs.
    pub idle: Duration,
    /// The most bytes of output.
    pub output: u64,
}

impl Default for Limits {
    /// Far more than honest work needs: hosts let one command run for ten minutes, and repeat whole
    /// files in their output.
    fn default() -> Self {
        let (wall, idle) = (Duration::from_hours(8), Duration::from_mins(30));
        Self { wall, idle, output: 1 << 30 }
    }
}

impl Job {
    /// Returns the command and its standard input.
    pub(super) fn command(&self) -> Result<(Command, Vec<u8>), NotStarted> {
        let mut environment = inherited(self.person.iter().cloned());
        let start = match &self.kind {
            AgentKind::Host(host) => self.host(*host, &environment)?,
            AgentKind::Command(argv) => {
                let stdin = Some(self.prompt.clone());
                StartCommand { argv: argv.clone(), stdin, env: Vec::new() }
            }
        };
        environment.extend(start.env.into_iter().map(|(name, value)| (name.into(), value.into())));
        environment.extend(self.environment.iter().cloned());
        let command = Command {
            argv: start.argv,
            folder: self.folder.clone(),
            environment,
            effect: self.effect.clone(),
            limit: self.limits.wall,
        };
        Ok((command, start.stdin.unwrap_or_default().into_bytes()))
    }

    /// Starts the host by its absolute path, so that a clone cannot supply its own.
    fn host(&self, host: Host, path: &[(OsString, OsString)]) -> Result<StartCommand, NotStarted> {
        let (prompt, resume) = (self.prompt.as_str(), self.resume.as_deref());
        let wish = StartOptions { prompt, resume, deny: &self.deny, extra: &self.extra };
        let mut start = headless::start(host, &wish);
        let found = program::find(host.name(), path);
        let found = found.and_then(|path| path.into_os_string().into_string().ok());
        let missing = || NotStarted::Missing(host.name().to_owned());
        start.argv.splice(..1, [found.ok_or_else(missing)?]);
        Ok(start)
    }
}
