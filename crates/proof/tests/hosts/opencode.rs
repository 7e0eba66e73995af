//! opencode with sprag's bridge, as a server: `opencode run` ends at its first stop whatever the
//! answer.

mod http;
mod interrupt;
mod limit;
mod served;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use sprag_testkit::model::{Call, Model, Step};

use self::served::Served;
use crate::client::{Client, Limit, openai_limit};
use crate::process::Ended;
use crate::world::World;
use crate::{driven, first_minute, guard, headless, held, integrity, together, workflow};

struct Opencode;

impl Client for Opencode {
    const NAME: &'static str = "opencode";

    /// It works for a long time before it asks its model.
    const LIMIT: Duration = Duration::from_mins(4);

    const IDLE: Duration = Duration::from_secs(30);

    const STEP: &'static str = "sprag_workflow_step";

    fn settle(world: &World, model: &Model) {
        world.at_home(".config/opencode/opencode.json", &config(model).to_string());
    }

    fn register(world: &World) {
        let bridge = world.person(&["rpc", "--bridge", Self::NAME]);
        world.env.write(".opencode/plugin/sprag.js", bridge);
        let server = json!({ "type": "local", "command": [world.sprag(), "mcp"] });
        world.env.write("opencode.json", json!({ "mcp": { "sprag": server } }).to_string());
    }

    fn start(program: &Path, world: &World, model: &Model, _: &str) -> Command {
        let mut command = world.command(program);
        command.args(["serve", "--port", "0", "--print-logs"]);
        // Otherwise it would fetch packages that it does not need.
        command.env("npm_config_registry", model.url());
        for off in ["AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD"] {
            command.env(format!("OPENCODE_DISABLE_{off}"), "1");
        }
        command
    }

    fn session(command: Command, world: &World, prompt: &str) -> Ended {
        let served = Served::begin(command);
        served.session.turn(prompt);
        served.rest(world)
    }

    fn killed(command: Command, model: &Model, requests: usize, prompt: &str) {
        Served::begin(command).killed(model, requests, prompt);
    }

    fn limit() -> Limit {
        // It retries until it succeeds, however long that takes.
        Limit { outlasted: vec![Step::fails(openai_limit); 2], ..Limit::default() }
    }

    fn shell(text: &str) -> Call {
        Call::new("bash", json!({ "command": text, "description": "runs it" }))
    }

    fn makes(world: &World, path: &str, line: &str) -> Call {
        let path = world.env.project().join(path);
        Call::new("write", json!({ "filePath": path, "content": format!("{line}\n") }))
    }

    fn changes(world: &World, path: &str, old: &str, new: &str) -> Call {
        let path = world.env.project().join(path);
        Call::new("edit", json!({ "filePath": path, "oldString": old, "newString": new }))
    }
}

fn config(model: &Model) -> Value {
    let limit = json!({ "context": 100_000, "output": 4_000 });
    json!({
        "autoupdate": false,
        "share": "disabled",
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "permission": { "bash": "allow", "edit": "allow" },
        "provider": { "scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": { "baseURL": format!("{}/v1", model.url()), "apiKey": "dummy" },
            "models": { "scripted": { "name": "Scripted", "tool_call": true, "limit": limit } },
        } },
    })
}

#[test]
fn opencode_is_guarded() {
    guard::shows::<Opencode>();
}

#[test]
fn opencode_is_guarded_after_init() {
    first_minute::shows::<Opencode>();
}

#[test]
fn opencode_works_through_a_workflow() {
    workflow::shows::<Opencode>();
}

#[test]
fn opencode_uses_several_tools_at_once() {
    together::shows::<Opencode>(together::After::Either);
}

#[test]
fn opencode_without_progress_is_held() {
    held::shows::<Opencode>();
}

#[test]
fn opencode_is_an_agent_of_the_runner() {
    headless::shows::<Opencode>();
}

#[test]
fn opencode_is_stopped_as_an_agent() {
    headless::stops::<Opencode>();
}

#[test]
fn opencode_that_stops_early_is_driven_on() {
    driven::stops_early::<Opencode>();
}

#[test]
fn opencode_at_a_limit_is_waited_for() {
    driven::waits::<Opencode>();
}

#[test]
fn opencode_that_hangs_is_tried_again() {
    driven::hangs::<Opencode>();
}

#[test]
fn opencode_that_empties_a_test_is_sent_back_and_not_proven() {
    integrity::test_emptied::<Opencode>();
}

#[test]
fn opencode_that_skips_a_test_is_sent_back_and_not_proven() {
    integrity::test_skipped::<Opencode>();
}

#[test]
fn opencode_that_empties_the_gate_s_script_is_sent_back_and_not_proven() {
    integrity::gate_emptied::<Opencode>();
}

#[test]
fn opencode_that_edits_a_protected_file_is_denied_and_held() {
    integrity::protected::<Opencode>();
}

#[test]
fn opencode_that_is_killed_leaves_its_doubt_to_the_next_session() {
    integrity::killed::<Opencode>();
}

#[test]
fn opencode_is_guarded_in_a_linked_worktree() {
    integrity::linked_worktree::<Opencode>();
}

#[test]
fn opencode_is_judged_by_the_last_configuration_that_can_be_read() {
    integrity::unreadable_configuration::<Opencode>();
}

#[test]
fn opencode_that_adds_a_test_is_proven() {
    integrity::honest::<Opencode>();
}
