//! Gemini CLI.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use sprag_testkit::model::{Call, Error, Model, Step};

use crate::client::{Client, Limit, SOON};
use crate::settings::{grouped, line, milliseconds};
use crate::world::World;
use crate::{
    driven, first_minute, guard, headless, held, integrity, interrupted, together, workflow,
};

struct Gemini;

const EVENTS: &[&str] =
    &["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"];

impl Client for Gemini {
    const NAME: &'static str = "gemini";

    const STEP: &'static str = "mcp_sprag_workflow_step";

    fn settle(world: &World, _: &Model) {
        let settings = json!({
            "security": { "auth": { "selectedType": "gemini-api-key" } },
            "telemetry": { "enabled": false },
            "privacy": { "usageStatisticsEnabled": false },
            "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
        });
        world.at_home(".gemini/settings.json", &settings.to_string());
    }

    fn register(world: &World) {
        let entry = |event: &str| {
            let command = line(world, Self::NAME, event);
            json!({ "type": "command", "name": "sprag", "command": command, "timeout": milliseconds() })
        };
        let settings = json!({
            "hooks": grouped(EVENTS, entry),
            "mcpServers": { "sprag": { "command": world.sprag(), "args": ["mcp"] } },
        });
        world.env.write(".gemini/settings.json", settings.to_string());
    }

    fn start(program: &Path, world: &World, model: &Model, prompt: &str) -> Command {
        let mut command = world.command(program);
        command.args(["-p", prompt, "-m", "gemini-2.5-flash"]);
        command.args(["--approval-mode", "yolo", "--output-format", "stream-json"]);
        command.env("GEMINI_API_KEY", "dummy").env("GOOGLE_GEMINI_BASE_URL", model.url());
        command.env("GEMINI_CLI_TRUST_WORKSPACE", "true").env("NO_COLOR", "1");
        command
    }

    fn words() -> Vec<String> {
        ["-m", "gemini-2.5-flash"].map(str::to_owned).to_vec()
    }

    fn limit() -> Limit {
        // It waits by itself unless the provider requests a long wait; then it reports the limit.
        let outlasted = vec![Step::fails(|| quota(&format!("{SOON}s")))];
        Limit { outlasted, ending: vec![Step::fails(|| quota("900s"))] }
    }

    fn shell(text: &str) -> Call {
        Call::new("run_shell_command", json!({ "command": text, "description": "runs it" }))
    }

    fn makes(world: &World, path: &str, line: &str) -> Call {
        let path = world.env.project().join(path);
        Call::new("write_file", json!({ "file_path": path, "content": format!("{line}\n") }))
    }

    fn changes(world: &World, path: &str, old: &str, new: &str) -> Call {
        let path = world.env.project().join(path);
        let what = format!("say {new} for {old}");
        Call::new(
            "replace",
            json!({ "file_path": path, "instruction": what, "old_string": old, "new_string": new }),
        )
    }
}

/// Returns a limit as its provider reports it, with a wait of `delay`.
fn quota(delay: &str) -> Error {
    let info = "type.googleapis.com/google.rpc.RetryInfo";
    let error = json!({
        "code": 429,
        "status": "RESOURCE_EXHAUSTED",
        "message": format!("You exceeded your current quota. Please retry in {SOON}s."),
        "details": [{ "@type": info, "retryDelay": delay }],
    });
    Error::limit(Vec::new(), json!({ "error": error }))
}

#[test]
fn gemini_is_guarded() {
    guard::shows::<Gemini>();
}

#[test]
fn gemini_is_guarded_after_init() {
    first_minute::shows::<Gemini>();
}

#[test]
fn gemini_works_through_a_workflow() {
    workflow::shows::<Gemini>();
}

#[test]
fn gemini_is_interrupted_and_left_alone() {
    interrupted::shows::<Gemini>();
}

#[test]
fn gemini_uses_several_tools_at_once() {
    together::shows::<Gemini>(together::After::New);
}

#[test]
fn gemini_without_progress_is_held() {
    held::shows::<Gemini>();
}

#[test]
fn gemini_is_an_agent_of_the_runner() {
    headless::shows::<Gemini>();
}

#[test]
fn gemini_is_stopped_as_an_agent() {
    headless::stops::<Gemini>();
}

#[test]
fn gemini_that_stops_early_is_driven_on() {
    driven::stops_early::<Gemini>();
}

#[test]
fn gemini_at_a_limit_is_waited_for() {
    driven::waits::<Gemini>();
}

#[test]
fn gemini_that_hangs_is_tried_again() {
    driven::hangs::<Gemini>();
}

#[test]
fn gemini_that_empties_a_test_is_sent_back_and_not_proven() {
    integrity::test_emptied::<Gemini>();
}

#[test]
fn gemini_that_skips_a_test_is_sent_back_and_not_proven() {
    integrity::test_skipped::<Gemini>();
}

#[test]
fn gemini_that_empties_the_gate_s_script_is_sent_back_and_not_proven() {
    integrity::gate_emptied::<Gemini>();
}

#[test]
fn gemini_that_edits_a_protected_file_is_denied_and_held() {
    integrity::protected::<Gemini>();
}

#[test]
fn gemini_that_is_killed_leaves_its_doubt_to_the_next_session() {
    integrity::killed::<Gemini>();
}

#[test]
fn gemini_is_guarded_in_a_linked_worktree() {
    integrity::linked_worktree::<Gemini>();
}

#[test]
fn gemini_is_judged_by_the_last_configuration_that_can_be_read() {
    integrity::unreadable_configuration::<Gemini>();
}

#[test]
fn gemini_that_adds_a_test_is_proven() {
    integrity::honest::<Gemini>();
}
