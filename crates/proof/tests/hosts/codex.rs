//! Codex CLI.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use sprag_testkit::model::{Call, Error, Model, Step};

use crate::client::{Client, Limit, program, soon};
use crate::session::{PROMPT, Session};
use crate::settings::{grouped, line, seconds};
use crate::world::World;
use crate::{
    driven, first_minute, guard, headless, held, integrity, interrupted, together, workflow,
};

pub(crate) struct Codex;

const EVENTS: &[&str] =
    &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];

impl Client for Codex {
    const NAME: &'static str = "codex";

    const STEP: &'static str = "workflow_step";

    fn settle(world: &World, model: &Model) {
        world.at_home(".codex/config.toml", &config(world, model));
    }

    fn register(world: &World) {
        let entry = |event: &str| {
            // At the end of a session it allows at most three seconds.
            let limit = if event == "SessionEnd" { 3 } else { seconds() };
            json!({ "type": "command", "command": line(world, Self::NAME, event), "timeout": limit })
        };
        let hooks = json!({ "hooks": grouped(EVENTS, entry) });
        world.at_home(".codex/hooks.json", &hooks.to_string());
        let server = json!(world.sprag());
        let server = format!("[mcp_servers.sprag]\ncommand = {server}\nargs = [\"mcp\"]\n");
        world.adds_at_home(".codex/config.toml", &server);
    }

    fn start(program: &Path, world: &World, _: &Model, prompt: &str) -> Command {
        let mut command = world.command(program);
        command.args(["exec", "--json", "--dangerously-bypass-hook-trust", prompt]);
        command.env("SCRIPTED_KEY", "dummy");
        command
    }

    fn step(summary: &str) -> Call {
        let input = json!({ "action": "next", "summary": summary });
        Call::new(Self::STEP, input).within("mcp__sprag")
    }

    fn limit() -> Limit {
        let told = || {
            let error = json!({
                "type": "usage_limit_reached",
                "message": "The usage limit has been reached",
                "plan_type": "plus",
                "resets_at": soon(),
            });
            Error::limit(Vec::new(), json!({ "error": error }))
        };
        Limit { ending: vec![Step::fails(told)], ..Limit::default() }
    }

    fn shell(text: &str) -> Call {
        Call::new("exec_command", json!({ "cmd": text }))
    }

    fn makes(_: &World, path: &str, line: &str) -> Call {
        patch(&format!("*** Add File: {path}\n+{line}\n"))
    }

    fn changes(_: &World, path: &str, old: &str, new: &str) -> Call {
        patch(&format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n"))
    }
}

fn patch(text: &str) -> Call {
    Call::of_text("apply_patch", &format!("*** Begin Patch\n{text}*** End Patch\n"))
}

fn config(world: &World, model: &Model) -> String {
    format!(
        r#"model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "{}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[analytics]
enabled = false
[projects."{}"]
trust_level = "trusted"
"#,
        model.url(),
        world.env.project().display()
    )
}

#[test]
fn codex_is_guarded() {
    guard::shows::<Codex>();
}

#[test]
fn codex_is_guarded_after_init() {
    first_minute::shows::<Codex>();
}

#[test]
fn codex_works_through_a_workflow() {
    workflow::shows::<Codex>();
}

#[test]
fn codex_is_interrupted_and_left_alone() {
    interrupted::shows::<Codex>();
}

#[test]
fn codex_uses_several_tools_at_once() {
    together::shows::<Codex>(together::After::New);
}

#[test]
fn codex_without_progress_is_held() {
    held::shows::<Codex>();
}

#[test]
fn codex_is_an_agent_of_the_runner() {
    headless::shows::<Codex>();
}

#[test]
fn codex_is_stopped_as_an_agent() {
    headless::stops::<Codex>();
}

#[test]
fn codex_that_stops_early_is_driven_on() {
    driven::stops_early::<Codex>();
}

#[test]
fn codex_at_a_limit_is_waited_for() {
    driven::waits::<Codex>();
}

#[test]
fn codex_that_hangs_is_tried_again() {
    driven::hangs::<Codex>();
}

#[test]
fn codex_that_empties_a_test_is_sent_back_and_not_proven() {
    integrity::test_emptied::<Codex>();
}

#[test]
fn codex_that_skips_a_test_is_sent_back_and_not_proven() {
    integrity::test_skipped::<Codex>();
}

#[test]
fn codex_that_empties_the_gate_s_script_is_sent_back_and_not_proven() {
    integrity::gate_emptied::<Codex>();
}

#[test]
fn codex_that_edits_a_protected_file_is_denied_and_held() {
    integrity::protected::<Codex>();
}

#[test]
fn codex_that_is_killed_leaves_its_doubt_to_the_next_session() {
    integrity::killed::<Codex>();
}

#[test]
fn codex_is_guarded_in_a_linked_worktree() {
    integrity::linked_worktree::<Codex>();
}

#[test]
fn codex_is_judged_by_the_last_configuration_that_can_be_read() {
    integrity::unreadable_configuration::<Codex>();
}

#[test]
fn codex_that_adds_a_test_is_proven() {
    integrity::honest::<Codex>();
}

/// In its sandbox the project is writable, but the git folder and the home are not.
#[test]
fn codex_uses_the_verbs_of_an_agent_inside_its_sandbox() {
    const TRIES: &str = "touch .git/x; echo git $?; touch ~/x; echo home $?";
    const WORKS: &str = "sprag agent poll worker-1 && sprag agent touch worker-1 && \
                         sprag agent mail send mayor half way --as worker-1 && \
                         sprag agent complete worker-1; echo verbs $?";
    let world = || {
        let world = World::holding(&[]);
        world.person(&["agent", "set", "worker-1", "u1", "--title", "One", "--as", "mayor"]);
        world
    };
    let Some(program) = program::<Codex>("the sandbox") else { return };
    let world = world();
    let steps = [Step::uses([Codex::shell(TRIES)]), Step::uses([Codex::shell(WORKS)])];
    let steps: Vec<Step> = steps.into_iter().chain([Step::says("It is done.")]).collect();
    let count = steps.len();
    let model = Model::start(steps);
    let mut command = Codex::command(&program, &world, &model, PROMPT);
    let settings = world.env.home().join(".codex/config.toml");
    let open = std::fs::read_to_string(&settings).unwrap();
    let shut = open.replace("danger-full-access", "workspace-write")
        + "[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n";
    std::fs::write(&settings, shut).unwrap();
    command.env("SPRAG_AGENT", "worker-1");
    let ended = Codex::session(command, &world, PROMPT);
    let session = Session::judged(world, &model, count, ended);
    session.told(1, "git 1");
    session.told(1, "home 1");
    session.told(2, "verbs 0");
    let left = session.world.person(&["agent", "ls", "--json"]);
    session.must(!left.contains("\"active\""), &left);
}
