//! What the tests need to know of a client.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sprag_testkit::model::{Call, Model};
use sprag_testkit::skip;

use crate::process::{Ended, Process};
use crate::world::World;

/// Names the folder that `scripts/hosts` installed the clients into.
const HOSTS: &str = "SPRAG_HOSTS";

/// A client: how it is set up and started, and what its tools are called.
pub(crate) trait Client {
    /// Its name in `sprag hook NAME`, and that of its program.
    const NAME: &'static str;

    /// How long a session may take. All of them together, two at a time, must end in 15 minutes
    /// even if every one of them hangs.
    const LIMIT: Duration = Duration::from_mins(1);

    /// Writes its settings, and returns how to start it with a prompt.
    fn command(program: &Path, world: &World, model: &Model, prompt: &str) -> Command;

    /// Runs a session with one prompt until the client ends by itself.
    fn session(program: &Path, world: &World, model: &Model, prompt: &str) -> Ended {
        Process::start(Self::command(program, world, model, prompt), Self::LIMIT).end()
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
