//! The bridges, run by node with a fake host: their requests, and their reactions to the answers of
//! the real `sprag rpc`.

use serde_json::Value;
use sprag_testkit::{TestEnv, skip};

use crate::agents::{GUARD, World};

const OPENCODE: &str = include_str!("bridges/opencode.mjs");
const SILENT: &str = include_str!("bridges/silent.mjs");
const PI: &str = include_str!("bridges/pi.mjs");

/// Runs a script as the host of the bridge `host`; returns what it saw, line by line, or `None`
/// without node.
fn play(world: &World, host: &str, script: &str, path: &str) -> Option<Vec<Value>> {
    let node = world.env.command("node").arg("--version").output();
    if !node.is_ok_and(|done| done.status.success()) {
        skip::skip(&format!("the bridge into {host}"), "there is no node");
        return None;
    }
    // Outside the project, whose own files are judged.
    world.env.write("../bridge.mjs", world.person(&["rpc", "--bridge", host]));
    world.env.write("../script.mjs", script);
    let mut command = world.env.command("node");
    command.arg(world.env.top().join("script.mjs")).env("PATH", path);
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    Some(said.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Returns a search path in which sprag comes first.
fn with_sprag(world: &World) -> String {
    let folder = std::path::Path::new(&world.sprag).parent().unwrap().display().to_string();
    format!("{folder}:{}", machine())
}

fn machine() -> String {
    TestEnv::new()
        .command("sh")
        .get_envs()
        .find_map(|(name, value)| {
            (name == "PATH").then(|| value.unwrap_or_default().to_string_lossy().into_owned())
        })
        .unwrap_or_default()
}

fn saw<'s>(seen: &'s [Value], what: &str) -> &'s Value {
    let found = seen.iter().find_map(|line| line.get(what));
    found.unwrap_or_else(|| panic!("{what}: {seen:#?}"))
}

#[test]
fn opencode_is_held_to_the_gates() {
    let world = World::trusted(GUARD);
    let Some(seen) = play(&world, "opencode", OPENCODE, &with_sprag(&world)) else { return };
    let context = saw(&seen, "context").as_str().unwrap();
    assert!(context.contains("`sh test.sh`"), "{context}");
    assert_eq!(*saw(&seen, "env"), "opencode-ses_1");
    let denied = saw(&seen, "denied").as_str().unwrap();
    assert!(denied.contains("is not for agents to change"), "{denied}");
    assert_eq!(*saw(&seen, "after an interrupt"), serde_json::json!([]));
    let refused = saw(&seen, "refused").as_array().unwrap();
    assert_eq!(refused.len(), 1, "one stop, one refusal: {refused:?}");
    let said = refused[0]["body"]["parts"][0]["text"].as_str().unwrap();
    assert!(said.contains("code.txt: expected good"), "{said}");
    assert_eq!(refused[0]["path"]["id"], "ses_1");
    assert_eq!(refused[0]["body"]["agent"], "build");
    assert_eq!(*saw(&seen, "of a child"), serde_json::json!([]));
    assert_eq!(*saw(&seen, "when it is good"), serde_json::json!([]));
    assert_eq!(*saw(&seen, "told"), serde_json::json!([]));
    let journal = world.person(&["log", "-n", "100"]);
    assert!(journal.contains("stop.refused") && journal.contains("stop.allowed"), "{journal}");
}

#[test]
fn opencode_without_sprag_goes_on_and_says_so() {
    let world = World::trusted(GUARD);
    let Some(seen) = play(&world, "opencode", OPENCODE, &machine()) else { return };
    assert_eq!(*saw(&seen, "refused"), serde_json::json!([]));
    let told = saw(&seen, "told").to_string();
    assert!(told.contains("sprag cannot be asked") && told.contains("going on"), "{told}");
}

#[test]
fn opencode_with_a_sprag_that_never_answers_goes_on_and_says_so() {
    let world = World::trusted(GUARD);
    world.env.write("../bin/sprag", "#!/bin/sh\ncat > /dev/null\n");
    let bin = world.env.top().join("bin");
    assert!(
        world.env.command("chmod").arg("+x").arg(bin.join("sprag")).status().unwrap().success()
    );
    let path = format!("{}:{}", bin.display(), machine());
    let Some(seen) = play(&world, "opencode", SILENT, &path) else { return };
    assert_eq!(*saw(&seen, "denied"), Value::Null);
    let told = saw(&seen, "told").to_string();
    assert!(told.contains("no answer to PreToolUse in 2 s"), "{told}");
}

#[test]
fn pi_is_held_to_the_gates_and_drives_a_workflow() {
    let world = World::trusted(GUARD);
    world.env.write(
        ".pi/workflows/dev/workflow.yaml",
        "name: Dev\ncommandName: dev\ninitialMessage: 'Go: {description}'\nphases: [a.md]\n",
    );
    let phase = "---\nid: a\nname: A\nemoji: 🔨\ntools: {blacklist: [write]}\n---\nDo it.\n";
    world.env.write(".pi/workflows/dev/a.md", phase);
    let Some(seen) = play(&world, "pi", PI, &with_sprag(&world)) else { return };
    let ours = ["sprag:until", "sprag:start", "sprag:why", "sprag:pause", "sprag:ok"];
    let of_pi = ["workflow_step", "workflow", "cancel-workflow"];
    assert_eq!(*saw(&seen, "registered"), serde_json::json!([&of_pi[..], &ours].concat()));
    assert_eq!(*saw(&seen, "env"), "pi-tree-1");
    assert_eq!(*saw(&seen, "prompted"), serde_json::json!(["Go: csv"]));
    assert!(saw(&seen, "context").as_str().unwrap().contains("**Task:** csv"));
    assert_eq!(saw(&seen, "blocked")["block"], true);
    assert!(saw(&seen, "step").as_str().unwrap().starts_with("✓ Advanced: A → DONE"));
    assert_eq!(*saw(&seen, "after the last phase"), Value::Null);
    let refused = saw(&seen, "refused");
    assert_eq!(refused["continue"], true);
    assert_eq!(refused["entries"][0]["customType"], "other", "what was there stays");
    let said = refused["entries"][1]["content"].as_str().unwrap();
    assert!(said.contains("code.txt: expected good"), "{said}");
    assert_eq!(*saw(&seen, "after an interrupt"), Value::Null);
    assert_eq!(*saw(&seen, "when it is good"), Value::Null);
    assert_eq!(saw(&seen, "entries").as_array().unwrap().len(), 2);
}

#[test]
fn pi_is_let_alone_where_sprag_is_not() {
    let world = World::new(GUARD);
    let moved = world.env.command("mv").args([".sprag", "../elsewhere"]).status();
    assert!(moved.unwrap().success());
    let Some(seen) = play(&world, "pi", PI, &with_sprag(&world)) else { return };
    assert_eq!(*saw(&seen, "registered"), serde_json::json!([]));
    assert_eq!(*saw(&seen, "refused"), Value::Null);
    assert_eq!(*saw(&seen, "told"), serde_json::json!([]));
}

#[test]
fn pi_stays_out_beside_the_original() {
    let world = World::trusted(GUARD);
    let script = format!("process.env.BESIDE = '1'\n{PI}");
    let Some(seen) = play(&world, "pi", &script, &with_sprag(&world)) else { return };
    assert_eq!(*saw(&seen, "registered"), serde_json::json!([]));
    assert_eq!(*saw(&seen, "refused"), Value::Null);
    assert!(saw(&seen, "told").to_string().contains("pi-workflows is installed"));
}
