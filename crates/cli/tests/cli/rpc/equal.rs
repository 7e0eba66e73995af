//! A bridge gets the same answers as the host hook, and leaves the same events in the journal.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use sprag_testkit::Spoken;

use super::{asks, request, rpc};
use crate::agents::{GUARD, World};

/// The two ways to send an event.
enum Way {
    Hook,
    Rpc(Spoken),
}

/// Sends an event and returns the output.
fn say(world: &World, way: &mut Way, event: &str, data: &Value) -> Value {
    let asked = request(&world.env, 1, "ses_1", event, data);
    match way {
        Way::Rpc(spoken) => asks(spoken, &asked)["out"].clone(),
        Way::Hook => {
            let mut payload = data.clone();
            payload["hook_event_name"] = event.into();
            payload["session_id"] = "ses_1".into();
            payload["cwd"] = asked["cwd"].clone();
            let mut command = world.env.command(&world.sprag);
            command.args(["hook", "opencode"]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
            let said = child.wait_with_output().unwrap().stdout;
            serde_json::from_slice(&said).unwrap_or(Value::Null)
        }
    }
}

/// An agent that breaks the test, stops, is refused, changes nothing, stops, fixes the test, and
/// stops.
fn story(begin: fn(&World) -> Way) -> (Vec<Value>, Vec<Value>) {
    let world = World::trusted(GUARD);
    let mut way = begin(&world);
    let before = events(&world).len();
    let file = world.env.project().join("code.txt").display().to_string();
    let write = json!({ "tool_name": "write", "tool_input": { "filePath": file } });
    let forbidden = json!({ "tool_name": "bash", "tool_input": { "command": "sprag cancel" } });
    let stop = json!({ "stop_hook_active": false });
    let mut out = vec![
        say(&world, &mut way, "SessionStart", &json!({})),
        say(&world, &mut way, "UserPromptSubmit", &json!({ "prompt": "work" })),
        say(&world, &mut way, "PreToolUse", &forbidden),
        say(&world, &mut way, "PreToolUse", &write),
    ];
    world.env.write("code.txt", "bad\n");
    for (text, times) in [("bad\n", 2), ("good\n", 1)] {
        world.env.write("code.txt", text);
        out.push(say(&world, &mut way, "PostToolUse", &write));
        out.extend((0..times).map(|_| say(&world, &mut way, "Stop", &stop)));
    }
    if let Way::Rpc(spoken) = way {
        assert_eq!(spoken.ends(), "");
    }
    let told = events(&world).split_off(before);
    (out.iter().map(without_times).collect(), told)
}

/// Returns the journal's events without the parts that differ from run to run.
fn events(world: &World) -> Vec<Value> {
    let log = world.person(&["log", "-n", "1000", "--json"]);
    let line = |line: &str| -> Vec<Value> {
        let line: Value = serde_json::from_str(line).unwrap();
        let events = line["events"].as_array().unwrap().iter();
        let told = events.map(|event| {
            let mut data = event["data"].clone();
            for volatile in ["receipt", "hash", "id", "fence", "ms"] {
                data.as_object_mut().map(|data| data.remove(volatile));
            }
            json!({ "kind": event["kind"], "data": data, "actor": line["actor"] })
        });
        told.collect()
    };
    log.lines().flat_map(line).collect()
}

/// Removes the age of a receipt from a message: `exit 1 (2 s ago)`.
fn without_times(out: &Value) -> Value {
    let text = out.to_string();
    let mut parts = text.split(" (");
    let first = parts.next().unwrap_or_default().to_owned();
    let whole = parts.fold(first, |whole, part| {
        whole + " (" + part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
    });
    serde_json::from_str(&whole).unwrap()
}

#[test]
fn the_same_session_by_host_hook_and_by_bridge() {
    let (printed, journal) = story(|_| Way::Hook);
    let (out, other) = story(|world| Way::Rpc(rpc(&world.env)));
    assert_eq!(printed, out);
    assert_eq!(journal, other);
    let decisions: Vec<_> = printed.iter().map(|out| out["decision"].as_str()).collect();
    let block = Some("block");
    assert_eq!(decisions, [None, None, block, None, None, block, block, None, None]);
    let kinds: Vec<_> = journal.iter().filter_map(|event| event["kind"].as_str()).collect();
    for kind in ["session.began", "run.started", "gate.receipt", "stop.refused", "stop.allowed"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
}
