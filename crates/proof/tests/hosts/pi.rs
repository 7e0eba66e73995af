//! pi, with sprag's bridge among its extensions.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use sprag_testkit::model::{Call, Model, Step};

use crate::client::{Client, Limit, openai_limit};
use crate::world::World;
use crate::{
    driven, first_minute, guard, headless, held, integrity, interrupted, together, workflow,
};

struct Pi;

impl Client for Pi {
    const NAME: &'static str = "pi";

    const STEP: &'static str = "workflow_step";

    fn settle(world: &World, model: &Model) {
        world.at_home(".pi/agent/models.json", &models(model).to_string());
    }

    fn register(world: &World) {
        let bridge = world.person(&["rpc", "--bridge", Self::NAME]);
        world.at_home(".pi/agent/extensions/sprag.ts", &bridge);
    }

    fn start(program: &Path, world: &World, _: &Model, prompt: &str) -> Command {
        let mut command = world.command(program);
        command.args(["--provider", "scripted", "--model", "scripted", "-p", prompt]);
        command.env("PI_CODING_AGENT_DIR", world.env.home().join(".pi/agent"));
        command.envs([("PI_OFFLINE", "1"), ("PI_TELEMETRY", "0")]);
        command
    }

    fn words() -> Vec<String> {
        ["--provider", "scripted", "--model", "scripted"].map(str::to_owned).to_vec()
    }

    fn limit() -> Limit {
        // It retries three times.
        let outlasted = vec![Step::fails(openai_limit)];
        Limit { outlasted, ending: vec![Step::fails(openai_limit); 4] }
    }

    fn shell(text: &str) -> Call {
        Call::new("bash", json!({ "command": text }))
    }

    fn makes(_: &World, path: &str, line: &str) -> Call {
        Call::new("write", json!({ "path": path, "content": format!("{line}\n") }))
    }

    fn changes(_: &World, path: &str, old: &str, new: &str) -> Call {
        let edits = [json!({ "oldText": old, "newText": new })];
        Call::new("edit", json!({ "path": path, "edits": edits }))
    }
}

fn models(model: &Model) -> Value {
    json!({ "providers": { "scripted": {
        "baseUrl": format!("{}/v1", model.url()),
        "api": "openai-completions",
        "apiKey": "dummy",
        "models": [{
            "id": "scripted",
            "name": "Scripted",
            "reasoning": false,
            "input": ["text"],
            "contextWindow": 200_000,
            "maxTokens": 4096,
            "cost": { "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 },
        }],
    } } })
}

#[test]
fn pi_is_guarded() {
    guard::shows::<Pi>();
}

#[test]
fn pi_is_guarded_after_init() {
    first_minute::shows::<Pi>();
}

#[test]
fn pi_works_through_a_workflow() {
    workflow::shows::<Pi>();
}

#[test]
fn pi_is_interrupted_and_left_alone() {
    interrupted::shows::<Pi>();
}

#[test]
fn pi_uses_several_tools_at_once() {
    together::shows::<Pi>(together::After::Old);
}

#[test]
fn pi_without_progress_is_held() {
    held::shows::<Pi>();
}

#[test]
fn pi_is_an_agent_of_the_runner() {
    headless::shows::<Pi>();
}

#[test]
fn pi_is_stopped_as_an_agent() {
    headless::stops::<Pi>();
}

#[test]
fn pi_that_stops_early_is_driven_on() {
    driven::stops_early::<Pi>();
}

#[test]
fn pi_at_a_limit_is_waited_for() {
    driven::waits::<Pi>();
}

#[test]
fn pi_that_hangs_is_tried_again() {
    driven::hangs::<Pi>();
}

#[test]
fn pi_that_empties_a_test_is_sent_back_and_not_proven() {
    integrity::test_emptied::<Pi>();
}

#[test]
fn pi_that_skips_a_test_is_sent_back_and_not_proven() {
    integrity::test_skipped::<Pi>();
}

#[test]
fn pi_that_empties_the_gate_s_script_is_sent_back_and_not_proven() {
    integrity::gate_emptied::<Pi>();
}

#[test]
fn pi_that_edits_a_protected_file_is_denied_and_held() {
    integrity::protected::<Pi>();
}

#[test]
fn pi_that_is_killed_leaves_its_doubt_to_the_next_session() {
    integrity::killed::<Pi>();
}

#[test]
fn pi_is_guarded_in_a_linked_worktree() {
    integrity::linked_worktree::<Pi>();
}

#[test]
fn pi_is_judged_by_the_last_configuration_that_can_be_read() {
    integrity::unreadable_configuration::<Pi>();
}

#[test]
fn pi_that_adds_a_test_is_proven() {
    integrity::honest::<Pi>();
}
