//! The plugin alone: the host accepts it, and it guards as `init` does.

use std::path::{Path, PathBuf};

use super::Claude;
use crate::client::{Client as _, program};
use crate::first_minute;
use crate::process::Process;
use crate::world::World;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/claude").canonicalize().unwrap()
}

#[test]
fn claude_finds_the_plugin_in_order() {
    let Some(program) = program::<Claude>("its plugin") else { return };
    let world = World::untouched();
    let mut command = world.command(&program);
    command.args(["plugin", "validate"]).arg(folder());
    let ended = Process::start(command, std::time::Duration::from_secs(30)).end();
    assert_eq!(ended.code, Some(0), "{}", ended.said);
}

#[test]
fn claude_is_guarded_by_the_plugin() {
    first_minute::after::<Claude>(&["--host", "claude"], |program, world, model, prompt| {
        // Removes what `init` installed in the host, but keeps the gate and the consent.
        std::fs::remove_dir_all(world.env.project().join(".claude")).unwrap();
        let mut command = Claude::start(program, world, model, prompt);
        command.arg("--plugin-dir").arg(folder());
        command
    });
}
