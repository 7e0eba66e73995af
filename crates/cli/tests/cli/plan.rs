//! Plans of opti-gsd: the next tasks, and sessions held by a loop, in every host's format.

use serde_json::{Value, json};
use sprag_testkit::Test;

use crate::support::{SPRAG, object, sprag};

const EXECUTE: &str = "Loop active. Continuing execute loop iteration 3/18. Run /opti-gsd:execute \
                       to retry failed tasks.";

const STATE: &str = "---\nphase: 2\nloop:\n  active: true\n  type: execute\n  iteration: 2\n  \
                     max_iterations: 18\n---\n";

const PLAN: &str = "---\nphase: 2\ntitle: Tokens\n---\n\n<task id=\"01\" wave=\"1\">\n  <files>\n    \
    <file action=\"create\">a.txt</file>\n  </files>\n  <action>\n    Do it.\n  </action>\n  \
    <verify>\n    <check type=\"file\">a.txt exists</check>\n    \
    <check type=\"console\">rm -rf everything</check>\n  </verify>\n  <done>a</done>\n</task>\n\n\
    <task id=\"02\" wave=\"1\">\n  <files>\n    <file>a.txt</file>\n  </files>\n  <action>\n    \
    More.\n  </action>\n  <verify>\n    <check type=\"file\">a.txt exists</check>\n  </verify>\n  \
    <done>b</done>\n</task>\n";

fn planned() -> Test {
    sprag()
        .file(".gsd/config.md", "---\nmode: yolo\nloop:\n  max_parallel: 3\n---\n")
        .file(".gsd/plans/phase-02/plan.md", PLAN)
}

#[test]
fn next_says_what_runs_now_and_what_comes_later() {
    let test = planned()
        .run(["next", "plan"])
        .stdout(
            "
            Phase 2: Tokens · execute · 0 of 2 tasks
              now: T01
                T01: everything before it is done; 1 check
              later: T02, `file a.txt` is in use by another one
              ready
              1 of its checks only an agent can decide; they stay claims
            ",
        )
        .exit(0);
    let files = test.env.files();
    assert!(files.iter().all(|file| file.starts_with(".gsd/")), "nothing changes: {files:?}");
}

#[test]
fn next_says_what_a_yes_would_begin() {
    planned()
        .file(".gsd/config.md", "")
        .run(["next", "plan"])
        .stdout(
            "
            Phase 2: Tokens · execute · 0 of 2 tasks
              after a yes: T01
                T01: everything before it is done; 1 check
              later: T02, `file a.txt` is in use by another one
              asks: Ready to execute Phase 2: Tokens (2 tasks in 1 waves). Proceed?
              1 of its checks only an agent can decide; they stay claims
            ",
        )
        .exit(3);
}

#[test]
fn next_is_one_object_with_the_prompt() {
    let (said, exit) = object(planned().run(["next", "plan", "2", "--json"]));
    assert_eq!(exit, Some(0));
    assert_eq!(said["together"][0]["unit"], "T01");
    assert_eq!(said["together"][0]["checks"], json!(["a.txt exists"]));
    assert_eq!(said["claims"], json!([{ "task": "01", "check": "rm -rf everything" }]));
    let prompt = said["together"][0]["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("You are a focused implementation agent for opti-gsd."), "{prompt}");
}

#[test]
fn without_a_plan_it_is_said_where_one_was_looked_for() {
    let (said, _) = sprag().folder(".gsd").run(["next", "plan"]).output();
    assert!(said.stderr.contains("there is no plan in `.gsd/plans`"), "{}", said.stderr);
    assert_eq!(said.exit, Some(4));
}

#[test]
fn a_plan_that_is_wrong_is_named_with_everything_that_is() {
    let test = sprag().file(".gsd/plans/phase-1/plan.md", "---\nphase: 1\ntitle: x\n---\n");
    let (said, _) = test.run(["next", "plan", "1"]).output();
    assert!(said.stderr.contains("plan.md"), "{}", said.stderr);
}

/// Stops in a project with a loop; returns the answer to the host.
fn stopped(host: &str, payload: &Value) -> String {
    let test = sprag().file(".gsd/STATE.md", STATE).stdin(&payload.to_string());
    test.run(["hook", host]).output().0.stdout
}

#[test]
fn a_loop_alone_says_exactly_its_line_in_every_dialect() {
    let stop = |name: &str| json!({ "session_id": "s-1", "cwd": "/", "hook_event_name": name });
    for host in ["claude", "codex"] {
        let said: Value = serde_json::from_str(&stopped(host, &stop("Stop"))).unwrap();
        assert_eq!(said["decision"], "block", "{host}");
        assert_eq!(said["reason"], EXECUTE, "{host}");
    }
    for (host, event) in [("gemini", "AfterAgent"), ("copilot", "agentStop")] {
        let said = stopped(host, &stop(event));
        assert!(said.contains(EXECUTE), "{host}: {said}");
    }
}

#[test]
fn the_entry_of_our_plugin_decides_the_stop_of_a_project_that_has_only_opti_gsd() {
    let entries = include_str!("../../../../plugins/claude/hooks/hooks.json");
    let entries: Value = serde_json::from_str(entries).unwrap();
    let command = entries["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    let own = std::path::Path::new(SPRAG).parent().unwrap().display();
    let payload = json!({ "session_id": "s-1", "cwd": "/", "hook_event_name": "Stop" });
    let test = Test::of("sh").set("PATH", &format!("{own}:/usr/bin:/bin"));
    let test = test.file(".gsd/STATE.md", STATE).stdin(&payload.to_string());
    let (said, _) = test.run(["-c", command]).output();
    let said: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&said["decision"], &said["reason"]), (&json!("block"), &json!(EXECUTE)));
}

#[test]
fn a_project_without_a_loop_is_not_touched_at_all() {
    for state in ["---\nphase: 1\n---\n", "---\nloop: {active: false}\n---\n", ""] {
        let payload = "{\"session_id\":\"s-1\",\"cwd\":\"/\",\"hook_event_name\":\"Stop\"}";
        let test = sprag().file(".gsd/STATE.md", state).stdin(payload);
        let test = test.run(["hook", "claude"]).stdout("").exit(0);
        assert_eq!(test.env.files(), [".gsd/STATE.md"]);
    }
}

#[test]
fn a_state_that_would_run_a_command_runs_nothing_and_is_said() {
    let state = "---\nloop:\n  active: true\n  iteration: a[$(touch${IFS}PWNED)]\n---\n";
    let payload = "{\"session_id\":\"s-1\",\"cwd\":\"/\",\"hook_event_name\":\"Stop\"}";
    let test = sprag().file(".gsd/STATE.md", state).stdin(payload);
    let (said, test) = test.run(["hook", "claude"]).output();
    let said: Value = serde_json::from_str(&said.stdout).unwrap();
    assert!(said["systemMessage"].as_str().unwrap().contains("loop state unreadable"), "{said}");
    assert_eq!(said["decision"], Value::Null);
    assert_eq!(test.env.read(".gsd/STATE.md").as_deref(), Some(state));
    assert_eq!(test.env.read("PWNED"), None);
}
