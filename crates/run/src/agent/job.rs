use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use sprag_core::EffectId;
use sprag_engine::init::program;
use sprag_engine::process::{Command, NotStarted, inherited};
use sprag_hosts::Host;
use sprag_hosts::headless::{self, Start, Wish};

/// What works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A host, without a person.
    Host(Host),
    /// Any program: it reads the prompt, and the end of its output is what it said.
    Command(Vec<String>),
}

/// One piece of work for one agent.
#[derive(Clone, Debug)]
pub struct Job {
    /// What works.
    pub kind: Kind,
    /// What it is told.
    pub prompt: String,
    /// Where it works.
    pub folder: PathBuf,
    /// The person's own variables, as sprag got them; what belongs to another agent's session or
    /// to another run is left out.
    pub person: Vec<(OsString, OsString)>,
    /// What is added to them; of two equal names the later holds.
    pub environment: Vec<(OsString, OsString)>,
    /// What everything that it starts is known by.
    pub effect: EffectId,
    /// The conversation to take up again; only hosts have one.
    pub resume: Option<String>,
    /// How far it may go.
    pub limits: Limits,
    /// Tools that it may not use, as a workflow names them; only hosts have them.
    pub deny: Vec<String>,
    /// Words of the person's own for the host's command line.
    pub extra: Vec<String>,
}

/// How far an agent may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may take.
    pub wall: Duration,
    /// How long it may say nothing; hosts are silent while a tool runs.
    pub idle: Duration,
    /// How many bytes it may say.
    pub output: u64,
}

impl Default for Limits {
    /// Far more than honest work takes: hosts let one command run for ten minutes, and repeat
    /// whole files in what they say.
    fn default() -> Self {
        let (wall, idle) = (Duration::from_hours(8), Duration::from_mins(30));
        Self { wall, idle, output: 1 << 30 }
    }
}

impl Job {
    /// Returns the command and what it reads.
    pub(super) fn command(&self) -> Result<(Command, Vec<u8>), NotStarted> {
        let mut environment = inherited(self.person.iter().cloned());
        let start = match &self.kind {
            Kind::Host(host) => self.host(*host, &environment)?,
            Kind::Command(argv) => {
                let stdin = Some(self.prompt.clone());
                Start { argv: argv.clone(), stdin, env: Vec::new() }
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

    /// Returns how the host is started, by its whole path: a clone cannot bring its own.
    fn host(&self, host: Host, path: &[(OsString, OsString)]) -> Result<Start, NotStarted> {
        let (prompt, resume) = (self.prompt.as_str(), self.resume.as_deref());
        let wish = Wish { prompt, resume, deny: &self.deny, extra: &self.extra };
        let mut start = headless::start(host, &wish);
        let found = program::find(host.name(), path);
        let found = found.and_then(|path| path.into_os_string().into_string().ok());
        let missing = || NotStarted::Missing(host.name().to_owned());
        start.argv.splice(..1, [found.ok_or_else(missing)?]);
        Ok(start)
    }
}
