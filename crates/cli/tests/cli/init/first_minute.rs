//! The first minute: one command, and from then on no session ends while the test fails.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{CONFIG, LOCAL, World};

impl World {
    /// Does what Claude Code does at an event: starts the program of every entry, without a shell.
    fn claude(&self, event: &str, more: &Value) -> Value {
        let mut payload = json!({
            "session_id": "s-1",
            "cwd": self.env.project().display().to_string(),
            "hook_event_name": event,
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let entries = self.entries(LOCAL, event);
        assert_eq!(entries.len(), 1, "{event}");
        let mut command = self.env.command(entries[0]["command"].as_str().unwrap());
        command
            .args(entries[0]["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()));
        command.env("CLAUDECODE", "1").current_dir(self.env.project());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(0));
        serde_json::from_slice(&done.stdout).unwrap_or(Value::Null)
    }

    fn edits(&self, path: &str, text: &str) {
        let input = json!({ "file_path": self.env.project().join(path), "content": text });
        let said = self.claude("PreToolUse", &json!({ "tool_name": "Write", "tool_input": input }));
        assert_eq!(said, Value::Null, "nothing is in the way");
        self.env.write(path, text);
    }

    fn stops(&self) -> Value {
        self.claude("Stop", &json!({ "stop_hook_active": false }))
    }
}

#[test]
fn a_session_is_refused_while_the_test_fails_and_free_after_it_passes() {
    let world = World::new();
    let said = world.person(&["init", "--yes", "--plain"]);
    let (plan, end) = said.split_once("  Checking ./scripts/test\n").unwrap();
    let expected = [
        "     Found claude 2.1.325",
        "     Found ./scripts/test (scripts/test)",
        "     Write .sprag/config.yaml             gate: ./scripts/test",
        "     Write .claude/settings.local.json    +5 entries",
        "     Write ~/.claude.json                 the tools of `sprag mcp`",
        "     Write .claude/commands/sprag/        /sprag:until, start, why, pause, ok",
        "     Allow this command to run on your machine: ./scripts/test",
    ];
    assert_eq!(plan.lines().collect::<Vec<_>>(), expected);
    assert!(end.starts_with("       Ran ./scripts/test in "), "{end}");
    assert!(end.contains(" s: it passes now\n      Done in "), "{end}");
    let promise = "Agents that change files here are sent back until `./scripts/test` passes \
                   (3 tries, then you decide).\n";
    assert!(end.contains(promise), "{end}");

    let status = world.person(&["status"]);
    let rest = "0 runs\nevery session here is held to: ./scripts/test\n\nNext: sprag doctor\n";
    assert!(status.ends_with(rest), "{status}");

    world.claude("SessionStart", &json!({ "source": "startup" }));
    assert_eq!(world.stops()["decision"], Value::Null, "it changed nothing");
    world.edits("code.txt", "bad\n");
    let refused = world.stops();
    assert_eq!(refused["decision"], "block");
    let why = refused["reason"].as_str().unwrap();
    assert!(why.starts_with("Not finished: `./scripts/test` exit 1"), "{why}");
    assert!(why.contains("code.txt: expected good"), "{why}");
    world.edits("code.txt", "good again\n");
    assert_eq!(world.stops()["decision"], Value::Null);
    world.claude("SessionEnd", &json!({ "reason": "other" }));

    let doctor = world.person(&["doctor", "--plain"]);
    let line = " + claude 2.1.325: host hooks in .claude/settings.local.json, last called ";
    assert!(doctor.contains(line), "{doctor}");
}

#[test]
fn what_failed_before_is_known_from_the_first_check() {
    let world = World::new();
    world.env.write("code.txt", "red\n");
    let said = world.person(&["init", "--yes"]);
    assert!(said.contains(": it fails now (exit 1); a session is held only for"), "{said}");
    assert!(world.person(&["status"]).contains("0 runs"), "the check is no run");
    world.claude("SessionStart", &json!({ "source": "startup" }));
    world.edits("other.txt", "work\n");
    let said = world.stops();
    assert_eq!(said["decision"], Value::Null);
    let told = said["systemMessage"].as_str().unwrap();
    assert!(told.contains("failed in the same way before this session began"), "{told}");
}

#[test]
fn the_configuration_is_one_that_people_can_read() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    let text = world.env.read(CONFIG).unwrap();
    assert!(text.ends_with("v: 1\nguard:\n  gates:\n    - run: ./scripts/test\n"), "{text}");
    assert!(text.lines().next().unwrap().starts_with("# "), "{text}");
    let ignored = world.env.git(&["status", "--porcelain", "--untracked-files=all"]);
    assert!(!ignored.contains("journal") && !ignored.contains("runs"), "{ignored}");
}
