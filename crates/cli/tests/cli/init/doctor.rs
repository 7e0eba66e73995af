//! `sprag doctor` on the hosts: whether they are set up to call sprag, did call it, and what
//! interferes.

use serde_json::{Value, json};

use super::{LOCAL, World};

/// Begins a session of Claude Code.
fn begins(world: &World, session: &str) {
    use std::io::Write as _;
    let payload = json!({ "session_id": session, "cwd": world.env.project(),
        "hook_event_name": "SessionStart", "source": "startup" });
    let mut command = world.env.command(&world.sprag);
    command.args(["hook", "claude"]).stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn entries_are_no_proof_and_a_call_is() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    let host = |said: &Value| said["hosts"][0].clone();
    let said = world.json(&["doctor", "--json"]);
    assert_eq!((&host(&said)["seen"], &said["latency"]), (&Value::Null, &Value::Null));
    begins(&world, "a");
    let said = world.person(&["doctor", "--plain"]);
    let line = " + claude 2.1.325: host hooks in .claude/settings.local.json, last called ";
    assert!(said.contains(line), "{said}");
    assert!(said.contains(" + host hooks: p50 ") && said.contains("(1 so far, without stops)"));
    begins(&world, "b");
    let said = world.person(&["doctor", "--plain"]);
    assert!(said.contains("   claude-b and 1 other session in the last day\n"), "{said}");
    let said = world.json(&["doctor", "--json"]);
    let sessions: Vec<_> = host(&said)["sessions"].as_array().unwrap().clone();
    assert_eq!(
        sessions.iter().map(|one| one["id"].clone()).collect::<Vec<_>>(),
        ["claude-b", "claude-a"]
    );
    assert_eq!(said["latency"]["count"], 2);
}

#[test]
fn a_call_before_a_tool_is_a_heartbeat_and_writes_nothing_else() {
    use crate::agents;
    let world = agents::World::new("");
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "one\n").unwrap();
    let file = world.env.project().join(".sprag/sessions/claude-a.json");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
    let (text, log) = (world.env.read(&file), world.person(&["log", "--json"]));
    agent.writes("code.txt", "two\n").unwrap();
    let seen = file.metadata().unwrap().modified().unwrap();
    assert!(seen > long_ago, "it was seen");
    assert_eq!((world.env.read(&file), world.person(&["log", "--json"])), (text, log));
}

#[test]
fn the_matrix_has_a_column_for_each_host_that_is_here() {
    let world = World::new();
    world.program("codex", "echo 'codex-cli 0.166.0'\n");
    world.env.write(".sprag/config.yaml", "");
    begins(&world, "by-a-plugin");
    let said = world.person(&["doctor", "--plain"]);
    let line = " + claude 2.1.325: no host hooks of ours in its settings, but last called ";
    assert!(said.contains(line), "{said}");
    for line in [
        "                            claude    codex\n",
        "   observed at              2.1.325   0.166.0\n",
        "   stops refused            +         +\n",
        "   tools denied             +         ~\n",
        "   status line              +         x\n",
        "   + enforced, ~ best effort, x impossible; why: docs/hosts.md, --json\n",
    ] {
        assert!(said.contains(line), "{line}{said}");
    }
    assert!(said.lines().all(|line| line.len() <= 80), "{said}");
    let said = world.json(&["doctor", "--json"]);
    let codex = &said["hosts"][1];
    assert_eq!((&codex["host"], &codex["version"]), (&json!("codex"), &json!("0.166.0")));
    let tools = codex["abilities"].as_array().unwrap();
    let tools = tools.iter().find(|one| one["ability"] == "tools denied").unwrap();
    assert_eq!(tools["grade"], "best effort");
    assert!(tools["why"].as_str().unwrap().starts_with("Codex asks before its shell"));
}

#[test]
fn a_bridge_is_known_by_its_file_and_by_its_calls() {
    let world = World::bare();
    world.program("opencode", "echo 1.18.33\n");
    world.env.write(".sprag/config.yaml", "");
    let said = world.person(&["doctor", "--plain"]);
    let lines = " ! opencode 1.18.33: no bridge of ours\n   fix: sprag init\n";
    assert!(said.contains(lines), "{said}");
    world.env.write(".opencode/plugin/sprag.js", "// ours\n");
    let said = world.person(&["doctor", "--plain"]);
    let line = " ! opencode 1.18.33: bridge in .opencode/plugin/sprag.js, not called yet\n";
    assert!(said.contains(line), "{said}");
    world.env.write(".sprag/sessions/opencode-a.json", "{}");
    let said = world.types(&["doctor", "--plain"]).stdout;
    let line = " + opencode 1.18.33: bridge in .opencode/plugin/sprag.js, last called ";
    assert!(said.contains(line), "{said}");
}

#[test]
fn a_bridge_is_found_where_init_puts_it() {
    let mut world = World::bare();
    world.program("pi", "echo 1.5.0\n");
    let agent = world.env.home().join("agent");
    std::fs::create_dir(&agent).unwrap();
    world.env.set("PI_CODING_AGENT_DIR", agent.to_str().unwrap());
    world.person(&["init", "--yes"]);
    let said = world.person(&["doctor", "--plain"]);
    let line = " ! pi 1.5.0: bridge in ~/agent/extensions/sprag.ts, not called yet\n";
    assert!(said.contains(line), "{said}");
}

#[test]
fn a_session_whose_record_is_broken_counts_as_the_journal_left_it() {
    use crate::{agents, client::Client};
    let world = agents::World::new("");
    let client = Client::new(&world, sprag_hosts::Host::CLAUDE, "a");
    client.begins();
    client.types("/sprag:until false");
    world.env.write(".sprag/sessions/claude-a.json", "{");
    for verb in ["status", "doctor"] {
        let said = world.types(&[verb, "--plain"]);
        assert_eq!(said.exit, Some(0), "{}", said.stdout);
    }
    assert!(client.stops().is_some(), "it is held as before");
}

#[test]
fn what_cannot_be_used_is_a_problem() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    let deeds = world.env.home().join(".local/state/sprag/roots");
    let deeds = std::fs::read_dir(deeds).unwrap().map(|entry| entry.unwrap().path());
    let deed = deeds.into_iter().find(|path| path.extension().is_some()).unwrap();
    let text = std::fs::read(&deed).unwrap();
    std::fs::write(&deed, "{").unwrap();
    let said = world.types(&["doctor", "--plain"]);
    assert_eq!(said.exit, Some(9));
    assert!(said.stdout.contains(" x something cannot be used\n"), "{}", said.stdout);
    assert!(said.stdout.contains("cannot be read"), "{}", said.stdout);
    std::fs::write(&deed, text).unwrap();
    assert_eq!(world.types(&["doctor"]).exit, Some(0));
}

#[test]
fn other_stops_and_entries_that_are_there_twice_are_named() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    let other = json!({ "type": "command", "command": "./check.sh" });
    let again =
        json!({ "type": "command", "command": "sprag", "args": ["hook", "claude", "Stop"] });
    let shared = json!({ "hooks": { "Stop": [{ "hooks": [other, again] }] } });
    world.env.write(".claude/settings.json", shared.to_string());
    let said = world.types(&["doctor", "--plain"]);
    assert_eq!(said.exit, Some(1), "{}", said.stdout);
    for lines in [
        " ! claude: another host hook speaks at a stop, in .claude/settings.json\n   \
         `./check.sh`\n   both are asked; where one refuses, the agent goes on\n",
        " x claude: sprag would be called twice\n   Stop: every refusal would count double\n   \
         fix: keep one of the entries\n",
    ] {
        assert!(said.stdout.contains(lines), "{}", said.stdout);
    }
    let json = world.json(&["doctor", "--json"]);
    assert_eq!(json["hosts"][0]["twice"], json!(["Stop"]));
    assert_eq!(json["hosts"][0]["other_stops"], json!(["./check.sh"]));
    // Two entries in one file count as well.
    let text = world.env.read(LOCAL).unwrap();
    let mut settings: Value = serde_json::from_str(&text).unwrap();
    let groups = settings["hooks"]["PreToolUse"].as_array_mut().unwrap();
    groups.push(groups[0].clone());
    world.env.write(LOCAL, settings.to_string());
    world.env.remove(".claude/settings.json");
    let json = world.json(&["doctor", "--json"]);
    assert_eq!(json["hosts"][0]["twice"], json!(["PreToolUse"]));
}

#[test]
fn entries_that_must_be_reviewed_are_said_until_the_host_called() {
    let world = World::bare();
    world.program("codex", "echo 'codex-cli 0.166.0'\n");
    world.person(&["init", "--yes"]);
    let said = world.person(&["doctor", "--plain"]);
    let lines = ", not called yet\n   it skips host hooks that you have not reviewed: /hooks in \
                 codex\n   start codex here once, then sprag doctor\n";
    assert!(said.contains(lines), "{said}");
    world.env.write(".sprag/sessions/codex-a.json", "{}");
    let written = world.env.home().join(".codex/hooks.json");
    let later = std::time::SystemTime::now() + std::time::Duration::from_mins(1);
    std::fs::File::options().write(true).open(&written).unwrap().set_modified(later).unwrap();
    let said = world.types(&["doctor", "--plain"]).stdout;
    let lines = " ! codex: its host hooks changed since it last called\n   it skips them until you \
                 review them: /hooks\n";
    assert!(said.contains(lines), "{said}");
}

#[test]
fn a_stop_that_nobody_tells_us_of_is_said_alike_by_status_and_doctor() {
    let world = World::new();
    world.person(&["init", "--yes"]);
    begins(&world, "a");
    assert!(world.person(&["status", "--plain"]).contains("every session here is held to: "));
    let mut settings: Value = serde_json::from_str(&world.env.read(LOCAL).unwrap()).unwrap();
    settings["hooks"].as_object_mut().unwrap().remove("Stop").unwrap();
    world.env.write(LOCAL, settings.to_string());
    let why = format!("Stop is missing in {LOCAL}");
    let said = world.types(&["status", "--plain"]).stdout;
    assert!(said.contains(&format!("\n  x but not in claude: {why}\n")), "{said}");
    assert!(!said.contains("every session"), "{said}");
    assert!(said.ends_with("Next: sprag init\n"), "{said}");
    let said = world.json(&["status", "--json"]);
    assert_eq!(said["unheld"], json!([{ "host": "claude", "why": why }]));
    let said = world.types(&["doctor", "--plain"]).stdout;
    assert!(said.contains("   stops refused            !\n"), "{said}");
    assert!(said.contains("   tools denied             +\n"), "{said}");
    assert!(
        said.contains("   ! would be, but an entry of ours is missing or turned off\n"),
        "{said}"
    );
    let said = world.types(&["doctor", "--json"]).stdout;
    let said: Value = serde_json::from_str(&said).unwrap();
    let stops = said["hosts"][0]["abilities"].as_array().unwrap().iter();
    let stops: Vec<_> = stops.filter(|one| one["ability"] == "stops refused").collect();
    assert_eq!(stops, [&json!({ "ability": "stops refused", "grade": "missing", "why": why })]);
}
