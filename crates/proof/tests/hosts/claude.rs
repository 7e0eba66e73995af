//! Claude Code, and the features that only it has: subagents and background servers, plan mode,
//! conversations that are cleared, compacted, forked or resumed, questions to the user, and its
//! status line.

mod background;
mod cap;
mod clear;
mod compact;
mod dialogue;
mod driven;
mod fork;
mod interrupt;
mod plan_mode;
mod plugin;
mod question;
mod resume;
mod rivals;
mod status_line;
mod subagent;
mod two_sessions;

use std::path::Path;
use std::process::Command;

use serde_json::json;
use sprag_testkit::model::{Call, Error, Model, Step};

use crate::client::{Client, Limit, soon};
use crate::settings::{grouped, seconds};
use crate::world::World;
use crate::{first_minute, guard, headless, held, integrity, together, workflow};

struct Claude;

const EVENTS: &[&str] =
    &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];

/// The tools that it may use without asking.
const TOOLS: &str = "Agent,Bash,Edit,Write,mcp__sprag__workflow_step";

/// A dummy key that opens nothing.
const KEY: &str = "sk-ant-dummy-000000";

impl Client for Claude {
    const NAME: &'static str = "claude";

    const STEP: &'static str = "mcp__sprag__workflow_step";

    fn settle(world: &World, _: &Model) {
        let known =
            json!({ "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true });
        let person = json!({
            "hasCompletedOnboarding": true,
            "customApiKeyResponses": { "approved": [KEY], "rejected": [] },
            "projects": { world.env.project().to_str().unwrap(): known },
        });
        world.at_home(".claude.json", &person.to_string());
    }

    fn register(world: &World) {
        let entry = |event: &str| {
            let args = ["hook", Self::NAME, event];
            json!({ "type": "command", "command": world.sprag(), "args": args, "timeout": seconds() })
        };
        let hooks = grouped(EVENTS, entry);
        let settings = json!({ "hooks": hooks, "enabledMcpjsonServers": ["sprag"] });
        world.env.write(".claude/settings.local.json", settings.to_string());
        let servers = json!({ "sprag": { "command": world.sprag(), "args": ["mcp"] } });
        world.env.write(".mcp.json", json!({ "mcpServers": servers }).to_string());
    }

    fn start(program: &Path, world: &World, model: &Model, prompt: &str) -> Command {
        let mut command = headless(program, world, model);
        command.arg(prompt);
        command
    }

    fn subscribed() -> Vec<(&'static str, &'static str)> {
        vec![("ANTHROPIC_API_KEY", ""), ("CLAUDE_CODE_OAUTH_TOKEN", "sk-ant-oat01-dummy")]
    }

    fn limit() -> Limit {
        let told = || {
            let unified = |name, value: &str| (name, value.to_owned());
            let headers = vec![
                unified("anthropic-ratelimit-unified-status", "rejected"),
                unified("anthropic-ratelimit-unified-reset", &soon().to_string()),
                unified("anthropic-ratelimit-unified-representative-claim", "five_hour"),
            ];
            let error = json!({ "type": "rate_limit_error", "message": "the limit is reached" });
            Error::limit(headers, json!({ "type": "error", "error": error }))
        };
        Limit { ending: vec![Step::fails(told)], ..Limit::default() }
    }

    fn shell(text: &str) -> Call {
        Call::new("Bash", json!({ "command": text, "description": "runs it" }))
    }

    fn makes(world: &World, path: &str, line: &str) -> Call {
        let content = format!("{line}\n");
        Call::new(
            "Write",
            json!({ "file_path": world.env.project().join(path), "content": content }),
        )
    }

    fn changes(world: &World, path: &str, old: &str, new: &str) -> Call {
        let path = world.env.project().join(path);
        Call::new("Edit", json!({ "file_path": path, "old_string": old, "new_string": new }))
    }
}

/// Returns the command for a session without a terminal, before the first prompt.
fn headless(program: &Path, world: &World, model: &Model) -> Command {
    let mut command = connected(world.command(program), model);
    command.args(["-p", "--output-format=stream-json", "--verbose"]);
    command.arg(format!("--allowedTools={TOOLS}"));
    command
}

/// Connects it to the scripted model, and to nothing else.
fn connected(mut command: Command, model: &Model) -> Command {
    command.env("ANTHROPIC_BASE_URL", model.url()).env("ANTHROPIC_API_KEY", KEY);
    for quiet in [
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_TELEMETRY",
    ] {
        command.env(quiet, "1");
    }
    command
}

#[test]
fn claude_is_guarded() {
    guard::shows::<Claude>();
}

#[test]
fn claude_is_guarded_after_init() {
    first_minute::shows_soon::<Claude>();
}

#[test]
fn claude_works_through_a_workflow() {
    workflow::shows::<Claude>();
}

#[test]
fn claude_uses_several_tools_at_once() {
    together::shows::<Claude>(together::After::New);
}

#[test]
fn claude_without_progress_is_held() {
    held::shows::<Claude>();
}

#[test]
fn claude_is_an_agent_of_the_runner() {
    headless::shows::<Claude>();
}

#[test]
fn claude_is_stopped_as_an_agent() {
    headless::stops::<Claude>();
}

#[test]
fn claude_that_stops_early_is_driven_on() {
    crate::driven::stops_early::<Claude>();
}

#[test]
fn claude_at_a_limit_is_waited_for() {
    crate::driven::waits::<Claude>();
}

#[test]
fn claude_that_hangs_is_tried_again() {
    crate::driven::hangs::<Claude>();
}

#[test]
fn claude_that_empties_a_test_is_sent_back_and_not_proven() {
    integrity::test_emptied::<Claude>();
}

#[test]
fn claude_that_skips_a_test_is_sent_back_and_not_proven() {
    integrity::test_skipped::<Claude>();
}

#[test]
fn claude_that_empties_the_gate_s_script_is_sent_back_and_not_proven() {
    integrity::gate_emptied::<Claude>();
}

#[test]
fn claude_that_edits_a_protected_file_is_denied_and_held() {
    integrity::protected::<Claude>();
}

#[test]
fn claude_that_is_killed_leaves_its_doubt_to_the_next_session() {
    integrity::killed::<Claude>();
}

#[test]
fn claude_is_guarded_in_a_linked_worktree() {
    integrity::linked_worktree::<Claude>();
}

#[test]
fn claude_is_judged_by_the_last_configuration_that_can_be_read() {
    integrity::unreadable_configuration::<Claude>();
}

#[test]
fn claude_that_adds_a_test_is_proven() {
    integrity::honest::<Claude>();
}
