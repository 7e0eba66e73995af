//! What the tests need to know about a client.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::json;
use sprag_testkit::model::{Call, Error, Model, Step};
use sprag_testkit::skip;

use crate::process::{Ended, Process};
use crate::world::World;

/// The variable with the folder into which `scripts/hosts` installed the clients.
const HOSTS: &str = "SPRAG_HOSTS";

/// The length of the limits in these tests, in seconds.
pub(crate) const SOON: u64 = 2;

/// Returns when a limit that begins now ends, in Unix seconds.
pub(crate) fn soon() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs() + SOON
}

/// Returns a limit as reported by `OpenAI` and compatible providers.
pub(crate) fn openai_limit() -> Error {
    let message = format!("Rate limit reached for scripted. Please try again in {SOON}s.");
    let error = json!({ "message": message, "type": "requests", "code": "rate_limit_exceeded" });
    Error::limit(vec![("retry-after", SOON.to_string())], json!({ "error": error }))
}

/// The provider's answers during a short limit.
#[derive(Debug, Default)]
pub(crate) struct Limit {
    /// After these the client waits by itself, without reporting the limit.
    pub(crate) outlasted: Vec<Step>,
    /// After these the client ends, and is restarted when the limit is over.
    pub(crate) ending: Vec<Step>,
}

/// A client: its set-up, its start and its tools.
pub(crate) trait Client {
    /// Its name in `sprag hook NAME`, and the name of its program.
    const NAME: &'static str;

    /// The time limit of a session: many times the normal duration on a busy machine.
    const LIMIT: Duration = Duration::from_mins(2);

    /// The limit on silence: longer than the start takes, even beside other processes.
    const IDLE: Duration = Duration::from_secs(15);

    /// Whether its hooks pass on the agent's last message.
    const TELLS_LAST_WORDS: bool = true;

    /// Its name for `workflow_step`: that of sprag's server tool, or of the bridge's.
    const STEP: &'static str;

    /// Creates the user's configuration from before sprag: an account and a model.
    fn settle(world: &World, model: &Model);

    /// Registers sprag by hand: its host hooks and its server, or the bridge.
    fn register(world: &World);

    /// Returns the command that starts it with a prompt.
    fn start(program: &Path, world: &World, model: &Model, prompt: &str) -> Command;

    /// Sets it up by hand, and returns the command that starts it with a prompt.
    fn command(program: &Path, world: &World, model: &Model, prompt: &str) -> Command {
        Self::settle(world, model);
        Self::register(world);
        Self::start(program, world, model, prompt)
    }

    /// Returns the extra arguments for an agent of the runner: the model, if no file names it.
    fn words() -> Vec<String> {
        Vec::new()
    }

    /// Returns the variables of a user with a subscription, if its limits carry more information.
    fn subscribed() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Returns the provider's answers during a short limit.
    fn limit() -> Limit;

    /// Runs a session with one prompt until the client ends by itself, or would wait for the user.
    fn session(command: Command, _world: &World, _prompt: &str) -> Ended {
        Process::start(command, Self::LIMIT).end()
    }

    /// Kills a session while the model thinks, after this many requests.
    fn killed(command: Command, model: &Model, requests: usize, _prompt: &str) {
        let process = Process::start(command, Self::LIMIT);
        model.wait_for(requests);
        process.kill();
    }

    /// Moves the workflow with sprag's tool.
    fn step(summary: &str) -> Call {
        Call::new(Self::STEP, json!({ "action": "next", "summary": summary }))
    }

    /// Runs a text in a shell.
    fn shell(text: &str) -> Call;

    /// Creates a file of one line.
    fn makes(world: &World, path: &str, line: &str) -> Call;

    /// Changes the only line of a file.
    fn changes(world: &World, path: &str, old: &str, new: &str) -> Call;
}

/// Returns the client's program, or skips the test.
pub(crate) fn program<C: Client>(what: &str) -> Option<PathBuf> {
    let name = C::NAME;
    let what = format!("{name}, {what}");
    let Some(folder) = std::env::var_os(HOSTS).filter(|folder| !folder.is_empty()) else {
        skip::skip(&what, "run ./scripts/test --hosts");
        return None;
    };
    let program = Path::new(&folder).join("bin").join(name);
    if program.exists() {
        return Some(program);
    }
    let why = std::fs::read_to_string(Path::new(&folder).join(format!("{name}.missing")));
    skip::skip(&what, why.as_deref().unwrap_or("scripts/hosts did not install it").trim());
    None
}
