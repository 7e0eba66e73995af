//! The entries where sprag is missing, and doctor's report of them.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{LOCAL, World};

/// Where a host keeps sprag's entries, its names for a session's events, and its format.
struct Way {
    name: &'static str,
    file: &'static str,
    events: [&'static str; 3],
    session: &'static str,
    tool: fn() -> Value,
    refused: &'static str,
}

const WAYS: [Way; 3] = [
    Way {
        name: "codex",
        file: ".codex/hooks.json",
        events: ["SessionStart", "PreToolUse", "Stop"],
        session: "session_id",
        tool: || json!({"tool_name": "Bash", "tool_input": {"command": "x"}}),
        refused: "block",
    },
    Way {
        name: "gemini",
        file: ".gemini/settings.json",
        events: ["SessionStart", "BeforeTool", "AfterAgent"],
        session: "session_id",
        tool: || json!({"tool_name": "run_shell_command", "tool_input": {"command": "x"}}),
        refused: "deny",
    },
    Way {
        name: "copilot",
        file: ".copilot/hooks/sprag.json",
        events: ["sessionStart", "preToolUse", "agentStop"],
        session: "sessionId",
        tool: || json!({"toolName": "bash", "toolArgs": {"command": "x"}}),
        refused: "block",
    },
];

impl World {
    /// Does what a host does at an event: runs the entry's command in a shell.
    fn says(&self, way: &Way, event: &str, more: &Value) -> Value {
        let text = std::fs::read_to_string(self.env.home().join(way.file)).unwrap();
        let settings: Value = serde_json::from_str(&text).unwrap();
        let item = &settings["hooks"][event][0];
        let entry = item["hooks"].get(0).unwrap_or(item);
        let line = entry["command"].as_str().or(entry["bash"].as_str()).unwrap();
        let mut payload = json!({ "cwd": self.env.project(), "hook_event_name": event });
        if way.name == "copilot" {
            payload = json!({ "cwd": self.env.project() });
        }
        payload[way.session] = "s-1".into();
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut shell = self.env.command("sh");
        shell.args(["-c", line]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{} {event}", way.name);
        serde_json::from_slice(&done.stdout).unwrap_or(Value::Null)
    }
}

#[test]
fn every_host_is_entered_by_its_own_file_and_held_by_it() {
    for way in &WAYS {
        let world = World::bare();
        world.program(way.name, "echo 1.2.3\n");
        let said = world.person(&["init", "--yes"]);
        assert!(said.contains(&format!("     Write ~/{}", way.file)), "{said}");
        let [start, tool, stop] = way.events;
        world.says(way, start, &json!({"source": "startup"}));
        assert_eq!(world.says(way, tool, &(way.tool)())["decision"], Value::Null);
        world.env.write("code.txt", "bad\n");
        let refused = world.says(way, stop, &json!({"stop_hook_active": false}));
        assert_eq!(refused["decision"], way.refused, "{}: {refused}", way.name);
        assert!(refused["reason"].as_str().unwrap().contains("expected good"), "{refused}");
        world.env.write("code.txt", "good again\n");
        let free = world.says(way, stop, &json!({"stop_hook_active": true}));
        assert_eq!(free["decision"], Value::Null, "{}: {free}", way.name);
        let before = world.files();
        world.person(&["init", "--undo", "--yes"]);
        let after = world.files();
        assert!(before.len() > after.len() && !after.iter().any(|file| file.starts_with("~/.co")));
        assert!(!world.env.home().join(way.file).exists(), "{}", way.name);
    }
}

#[test]
fn a_shared_entry_is_harmless_where_sprag_is_missing() {
    let world = World::new();
    world.person(&["init", "--yes", "--shared"]);
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"] {
        let [entry] = &world.entries(".claude/settings.json", event)[..] else { panic!() };
        let text = entry["command"].as_str().unwrap();
        let mut shell = world.env.command("sh");
        let done = shell.args(["-c", text]).stdin(std::process::Stdio::null()).output().unwrap();
        assert_eq!((done.status.code(), done.stdout, done.stderr), (Some(0), vec![], vec![]));
        // If sprag is installed, it is called.
        let own = std::path::Path::new(&world.sprag).parent().unwrap().display().to_string();
        let mut shell = world.env.command("sh");
        shell.env("PATH", format!("{own}:/usr/bin:/bin")).args(["-c", text]);
        assert!(shell.stdin(std::process::Stdio::null()).status().unwrap().success());
    }
    let trace = world.env.read(".sprag/trace").unwrap();
    assert_eq!(trace.lines().count(), 5, "each was called with nothing to read: {trace}");
}

#[test]
fn doctor_says_what_is_missing_and_what_switches_it_off() {
    let world = World::new();
    world.env.write(".sprag/config.yaml", "");
    let said = world.person(&["doctor", "--plain"]);
    let line = " ! claude 2.1.325: no host hooks of ours\n   fix: sprag init\n";
    assert!(said.contains(line), "{said}");
    world.person(&["init", "--yes"]);
    let said = world.person(&["doctor", "--plain"]);
    let line = " ! claude 2.1.325: host hooks in .claude/settings.local.json, not called yet\n   \
                start claude here once, then sprag doctor\n";
    assert!(said.contains(line), "{said}");
    let text = world.env.read(LOCAL).unwrap();
    world.env.write(LOCAL, text.replace("\"Stop\"", "\"Elsewhere\""));
    world.env.write(".claude/settings.json", "{\"disableAllHooks\": true}");
    let said = world.types(&["doctor", "--plain"]);
    assert_eq!(said.exit, Some(1));
    let lines = " x claude 2.1.325: host hooks missing in .claude/settings.local.json\n   \
                 Stop\n   fix: sprag init\n x claude: `disableAllHooks: true` in \
                 .claude/settings.json turns them all off\n   fix: take that switch out\n";
    assert!(said.stdout.contains(lines), "{}", said.stdout);
}
