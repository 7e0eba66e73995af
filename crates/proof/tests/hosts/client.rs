//! What the tests need to know of a client.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::json;
use sprag_testkit::model::{Call, Error, Model, Step};
use sprag_testkit::skip;

use crate::process::{Ended, Process};
use crate::world::World;

/// Names the folder that `scripts/hosts` installed the clients into.
const HOSTS: &str = "SPRAG_HOSTS";

/// How soon the limits of these tests end, in seconds.
pub(crate) const SOON: u64 = 2;

/// Returns when a limit that is told now ends, in seconds of Unix time.
pub(crate) fn soon() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs() + SOON
}

/// Returns how `OpenAI` and those who speak its language tell of a limit.
pub(crate) fn openai_limit() -> Error {
    let message = format!("Rate limit reached for scripted. Please try again in {SOON}s.");
    let error = json!({ "message": message, "type": "requests", "code": "rate_limit_exceeded" });
    Error::limit(vec![("retry-after", SOON.to_string())], json!({ "error": error }))
}

/// What a client's provider answers while a limit holds that ends soon.
#[derive(Debug, Default)]
pub(crate) struct Limit {
    /// After these the client waits by itself, and nobody hears of it.
    pub(crate) outlasted: Vec<Step>,
    /// After these it ends, and is started again when the limit is over.
    pub(crate) ending: Vec<Step>,
}

/// A client: how it is set up and started, and what its tools are called.
pub(crate) trait Client {
    /// Its name in `sprag hook NAME`, and that of its program.
    const NAME: &'static str;

    /// When a session hangs: many times what it takes even on a machine that does a lot besides.
    const LIMIT: Duration = Duration::from_mins(2);

    /// How long it may say nothing: longer than it takes to begin, also beside others.
    const IDLE: Duration = Duration::from_secs(15);

    /// Whether it tells sprag what its agent said last.
    const TELLS_LAST_WORDS: bool = true;

    /// Its name for `workflow_step`: that of our server's tool, or of the bridge's.
    const STEP: &'static str;

    /// Writes what a person has before sprag comes: an account and a model.
    fn settle(world: &World, model: &Model);

    /// Registers sprag by hand: its host hooks and its server, or the bridge.
    fn register(world: &World);

    /// Returns how to start it with a prompt.
    fn start(program: &Path, world: &World, model: &Model, prompt: &str) -> Command;

    /// Sets it up by hand, and returns how to start it with a prompt.
    fn command(program: &Path, world: &World, model: &Model, prompt: &str) -> Command {
        Self::settle(world, model);
        Self::register(world);
        Self::start(program, world, model, prompt)
    }

    /// Returns the words that a person gives it as an agent of the runner: the model, where nothing
    /// else says it.
    fn words() -> Vec<String> {
        Vec::new()
    }

    /// Returns the variables of a person with a subscription, where a limit of that says more.
    fn subscribed() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Returns what its provider answers while a limit holds that ends soon.
    fn limit() -> Limit;

    /// Runs a session with one prompt until the client ends by itself, or would wait for a person.
    fn session(command: Command, _world: &World, _prompt: &str) -> Ended {
        Process::start(command, Self::LIMIT).end()
    }

    /// Kills a session in which the model thinks, once it was asked this often.
    fn killed(command: Command, model: &Model, requests: usize, _prompt: &str) {
        let process = Process::start(command, Self::LIMIT);
        model.wait_for(requests);
        process.kill();
    }

    /// Moves the workflow by our tool.
    fn step(summary: &str) -> Call {
        Call::new(Self::STEP, json!({ "action": "next", "summary": summary }))
    }

    /// Runs a text in a shell.
    fn shell(text: &str) -> Call;

    /// Makes a file of one line.
    fn makes(world: &World, path: &str, line: &str) -> Call;

    /// Changes the one line of a file.
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
