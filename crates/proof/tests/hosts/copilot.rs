//! Copilot CLI, with a custom model and without a login.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};
use sprag_testkit::model::{Call, Model, Step};

use crate::client::{Client, Limit, openai_limit};
use crate::settings::{line, seconds};
use crate::world::World;
use crate::{
    driven, first_minute, guard, headless, held, integrity, interrupted, together, workflow,
};

struct Copilot;

const EVENTS: &[&str] = &[
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "agentStop",
    "sessionEnd",
];

impl Client for Copilot {
    const NAME: &'static str = "copilot";

    /// Its host hook gets only the path of a transcript in a private format.
    const TELLS_LAST_WORDS: bool = false;

    const STEP: &'static str = "sprag-workflow_step";

    /// Its whole configuration is passed at the start.
    fn settle(_: &World, _: &Model) {}

    fn register(world: &World) {
        let entry = |event: &&str| -> (String, Value) {
            let bash = line(world, Self::NAME, event);
            let entry = json!([{ "type": "command", "bash": bash, "timeoutSec": seconds() }]);
            ((*event).to_owned(), entry)
        };
        let entries: Map<String, Value> = EVENTS.iter().map(entry).collect();
        let hooks = json!({ "version": 1, "hooks": entries });
        world.at_home(".copilot/hooks/sprag.json", &hooks.to_string());
        let server =
            json!({ "type": "local", "command": world.sprag(), "args": ["mcp"], "tools": ["*"] });
        let servers = json!({ "mcpServers": { "sprag": server } });
        world.at_home(".copilot/mcp-config.json", &servers.to_string());
    }

    fn start(program: &Path, world: &World, model: &Model, prompt: &str) -> Command {
        let mut command = world.command(program);
        command.args(["-p", prompt, "--allow-all-tools", "--no-color", "--output-format", "json"]);
        command.env("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", model.url()));
        command.envs([
            ("COPILOT_PROVIDER_API_KEY", "dummy"),
            ("COPILOT_MODEL", "scripted"),
            ("COPILOT_AUTO_UPDATE", "false"),
            ("COPILOT_OFFLINE", "true"),
        ]);
        command
    }

    fn limit() -> Limit {
        // It retries five times.
        let outlasted = vec![Step::fails(openai_limit)];
        Limit { outlasted, ending: vec![Step::fails(openai_limit); 6] }
    }

    fn shell(text: &str) -> Call {
        Call::new("bash", json!({ "command": text, "description": "runs it" }))
    }

    fn makes(world: &World, path: &str, line: &str) -> Call {
        let path = world.env.project().join(path);
        Call::new("create", json!({ "path": path, "file_text": format!("{line}\n") }))
    }

    fn changes(world: &World, path: &str, old: &str, new: &str) -> Call {
        let path = world.env.project().join(path);
        Call::new("edit", json!({ "path": path, "old_str": old, "new_str": new }))
    }
}

#[test]
fn copilot_is_guarded() {
    guard::shows::<Copilot>();
}

#[test]
fn copilot_is_guarded_after_init() {
    first_minute::shows::<Copilot>();
}

#[test]
fn copilot_works_through_a_workflow() {
    workflow::shows::<Copilot>();
}

#[test]
fn copilot_is_interrupted_and_left_alone() {
    interrupted::shows::<Copilot>();
}

#[test]
fn copilot_uses_several_tools_at_once() {
    together::shows::<Copilot>(together::After::Either);
}

#[test]
fn copilot_without_progress_is_held() {
    held::shows::<Copilot>();
}

/// It also reads a project's Claude Code settings, and calls the hooks in them.
#[test]
fn copilot_is_judged_once_where_claude_code_is_guarded_too() {
    for shared in [&[][..], &["--shared"]] {
        let words = [&["--host", "claude", "--host", "copilot"], shared].concat();
        let trusting = |program: &Path, world: &World, model: &Model, prompt: &str| {
            let trusted = json!({ "trusted_folders": [world.env.project()] });
            world.at_home(".copilot/config.json", &trusted.to_string());
            Copilot::start(program, world, model, prompt)
        };
        let Some((session, _)) = first_minute::after::<Copilot>(&words, trusting) else { return };
        let sessions = session.world.env.files();
        let known = |host: &str| {
            let begins = format!(".sprag/sessions/{host}-");
            sessions.iter().filter(|file| file.starts_with(&begins)).count()
        };
        session.must((known("copilot"), known("claude")) == (1, 0), &format!("{sessions:?}"));
    }
}

#[test]
fn copilot_is_an_agent_of_the_runner() {
    headless::shows::<Copilot>();
}

#[test]
fn copilot_is_stopped_as_an_agent() {
    headless::stops::<Copilot>();
}

#[test]
fn copilot_that_stops_early_is_driven_on() {
    driven::stops_early::<Copilot>();
}

#[test]
fn copilot_at_a_limit_is_waited_for() {
    driven::waits::<Copilot>();
}

#[test]
fn copilot_that_hangs_is_tried_again() {
    driven::hangs::<Copilot>();
}

#[test]
fn copilot_that_empties_a_test_is_sent_back_and_not_proven() {
    integrity::test_emptied::<Copilot>();
}

#[test]
fn copilot_that_skips_a_test_is_sent_back_and_not_proven() {
    integrity::test_skipped::<Copilot>();
}

#[test]
fn copilot_that_empties_the_gate_s_script_is_sent_back_and_not_proven() {
    integrity::gate_emptied::<Copilot>();
}

#[test]
fn copilot_that_edits_a_protected_file_is_denied_and_held() {
    integrity::protected::<Copilot>();
}

#[test]
fn copilot_that_is_killed_leaves_its_doubt_to_the_next_session() {
    integrity::killed::<Copilot>();
}

#[test]
fn copilot_is_guarded_in_a_linked_worktree() {
    integrity::linked_worktree::<Copilot>();
}

#[test]
fn copilot_is_judged_by_the_last_configuration_that_can_be_read() {
    integrity::unreadable_configuration::<Copilot>();
}

#[test]
fn copilot_that_adds_a_test_is_proven() {
    integrity::honest::<Copilot>();
}
