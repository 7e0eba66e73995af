//! A session of pi: its branch has the workflow's state, the engine moves it.

use serde_json::{Value, json};
use sprag_testkit::Spoken;

use super::rpc;
use crate::agents::World;

/// A session of pi with its branch, as its bridge keeps it.
struct Pi<'w> {
    world: &'w World,
    rpc: Spoken,
    branch: Vec<Value>,
    last: u32,
}

impl<'w> Pi<'w> {
    fn new(world: &'w World) -> Self {
        Self { world, rpc: rpc(&world.env), branch: vec![], last: 0 }
    }

    /// Sends an event, and applies the answer's writes to the branch.
    fn says(&mut self, event: &str, mut data: Value) -> Value {
        self.last += 1;
        if event.starts_with("session_") || event == "turn_end" {
            data["branch"] = json!(self.branch);
        }
        let cwd = self.world.env.project().display().to_string();
        let request = json!({ "v": 1, "id": self.last, "host": "pi", "session": "tree-1",
                              "cwd": cwd, "event": event, "data": data });
        let answer = super::asks(&mut self.rpc, &request);
        assert_eq!(answer["error"], Value::Null, "{event}: {answer}");
        for entry in effects(&answer, "append_entry") {
            let (custom, data) = (&entry["customType"], &entry["data"]);
            self.branch.push(json!({ "type": "custom", "customType": custom, "data": data }));
        }
        answer
    }

    fn steps(&mut self, action: &str) -> String {
        let answer = self.says("step", json!({ "action": action }));
        answer["out"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    fn status(&mut self) -> Value {
        let answer = self.says("turn_end", json!({}));
        effects(&answer, "set_status").last().unwrap()["text"].clone()
    }

    /// Tries to stop; returns the message if it is refused.
    fn settles(&mut self) -> Option<String> {
        let answer = self.says("agent_before_settle", json!({ "outcome": "completed" }));
        let said = effects(&answer, "send_user_message");
        said.first().map(|effect| effect["text"].as_str().unwrap().to_owned())
    }
}

fn effects(answer: &Value, fx: &str) -> Vec<Value> {
    let all = answer["effects"].as_array().unwrap().iter();
    all.filter(|effect| effect["fx"] == fx).cloned().collect()
}

/// A project with a workflow of two phases, of which the second has an approved gate.
fn world() -> World {
    let world = World::new("");
    let folder = ".pi/workflows/dev";
    world.env.write(
        format!("{folder}/workflow.yaml"),
        "name: Dev Flow\ncommandName: dev\ninitialMessage: 'Go: {description}'\n\
         phases: [plan.md, build.md]\n",
    );
    let phase = |id: &str, name: &str, more: &str| {
        let text = format!("---\nid: {id}\nname: {name}\nemoji: 🔨\n{more}---\nDo {name}.\n");
        world.env.write(format!("{folder}/{id}.md"), text);
    };
    phase("plan", "Plan", "tools: {blacklist: [edit]}\n");
    phase("build", "Build", "gates: [{run: sh test.sh}]\n");
    world
}

/// Begins the workflow and advances to its second phase, in which a person approves the gate.
fn at_build(pi: &mut Pi<'_>) {
    pi.says("session_start", json!({ "reason": "startup" }));
    let begun = pi.says("command", json!({ "name": "workflow", "args": "dev csv export" }));
    assert_eq!(effects(&begun, "send_user_message")[0]["text"], "Go: csv export");
    assert_eq!(effects(&begun, "set_session_name")[0]["name"], "Workflow: csv export");
    assert!(pi.steps("next").starts_with("✓ Advanced: Plan → 🔨 Build"));
    assert!(pi.steps("next").starts_with("Held: `sh test.sh` is not yet allowed to run here"));
    pi.world.person(&["approve"]);
}

#[test]
fn a_workflow_goes_from_the_command_to_its_end() {
    let world = world();
    let mut pi = Pi::new(&world);
    let begun = pi.says("session_start", json!({ "reason": "startup" }));
    let shared = json!({ "fx": "set_env", "name": "SPRAG_SESSION", "value": "pi-tree-1" });
    assert_eq!(effects(&begun, "set_env"), [shared]);
    pi.says("command", json!({ "name": "workflow", "args": "dev csv export" }));
    assert_eq!(pi.branch.len(), 1);
    let context = pi.says("before_agent_start", json!({ "prompt": "go" }));
    let message = &context["out"]["message"];
    assert_eq!(
        (&message["customType"], &message["display"]),
        (&json!("workflow:context"), &json!(false))
    );
    assert!(message["content"].as_str().unwrap().contains("**Task:** csv export"));
    let blocked = pi.says("tool_call", json!({ "tool": "edit", "input": { "path": "code.txt" } }));
    assert_eq!(blocked["out"]["block"], true);
    assert!(blocked["out"]["reason"].as_str().unwrap().contains("blocked during the Plan phase"));
    assert_eq!(pi.says("tool_call", json!({ "tool": "read" }))["out"], Value::Null);
    assert_eq!(pi.says("tool_call", json!({ "tool": "workflow_step" }))["out"], Value::Null);
    assert_eq!(pi.status(), "Dev Flow > 🔨 Plan [1/2]");
    assert!(pi.settles().unwrap().contains("The Dev Flow is still active"));
    assert!(pi.steps("status").starts_with("**Workflow:** Dev Flow (dev)\n**Task ID:** r-"));
    assert!(pi.steps("cancel").starts_with("Only a person ends a workflow"));
    assert!(pi.steps("next").starts_with("✓ Advanced: Plan → 🔨 Build"));
    assert!(pi.steps("next").starts_with("Held: "));
    world.person(&["approve"]);
    let why = pi.settles().unwrap();
    assert!(why.contains("code.txt: expected good"), "{why}");
    world.env.write("code.txt", "good\n");
    assert!(pi.steps("next").starts_with("✓ Advanced: Build → DONE"));
    assert_eq!(pi.settles(), None);
    assert_eq!(pi.status(), Value::Null);
    let last = &pi.branch.last().unwrap()["data"];
    assert_eq!((&last["active"], &last["cancelled"]), (&json!(false), &json!(false)));
    assert_eq!(
        pi.steps("next"),
        "No active workflow. Use /workflow {name} {description} to start one."
    );
    assert_eq!(pi.rpc.ends(), "");
}

#[test]
fn a_person_goes_back_in_the_tree_and_what_was_spent_stays_spent() {
    let world = world();
    let mut pi = Pi::new(&world);
    at_build(&mut pi);
    assert!(pi.settles().unwrap().contains("expected good"));
    assert_eq!(pi.status(), "Dev Flow > 🔨 Build [2/2]");
    let whole = pi.branch.clone();
    pi.branch.truncate(1);
    let back = pi.says("session_tree", json!({}));
    assert_eq!(effects(&back, "append_entry"), Vec::<Value>::new(), "the branch is right");
    assert_eq!(pi.status(), "Dev Flow > 🔨 Plan [1/2]");
    let blocked = pi.says("tool_call", json!({ "tool": "edit", "input": { "path": "code.txt" } }));
    assert_eq!(blocked["out"]["block"], true);
    let run = pi.branch[0]["data"]["taskId"].as_str().unwrap().to_owned();
    let spent = world.env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap();
    assert!(spent.contains("failed:"), "{spent}");
    pi.branch = whole;
    pi.says("session_tree", json!({}));
    assert_eq!(pi.status(), "Dev Flow > 🔨 Build [2/2]");
    assert!(world.person(&["log", "-n", "99"]).contains("run.did"));
    assert_eq!(pi.rpc.ends(), "");
}

#[test]
fn a_session_that_comes_back_goes_on_where_its_branch_stands() {
    let world = world();
    let mut pi = Pi::new(&world);
    at_build(&mut pi);
    pi.says("session_shutdown", json!({ "reason": "quit" }));
    let branch = std::mem::take(&mut pi.branch);
    assert_eq!(pi.rpc.ends(), "");
    let mut pi = Pi::new(&world);
    pi.branch = branch;
    pi.says("session_start", json!({ "reason": "resume" }));
    assert_eq!(pi.status(), "Dev Flow > 🔨 Build [2/2]");
    // The branch learns of a command's move in the next turn.
    world.env.write("code.txt", "good\n");
    let known = pi.branch.len();
    world.person(&["step", "next"]);
    pi.says("turn_end", json!({}));
    assert_eq!(pi.branch.len(), known + 1);
    assert_eq!(pi.branch[known]["data"]["active"], false);
    assert_eq!(pi.rpc.ends(), "");
}

#[test]
fn persons_words_are_persons() {
    let world = world();
    let mut pi = Pi::new(&world);
    at_build(&mut pi);
    let again = json!({ "name": "workflow", "args": "dev another" });
    let asked = pi.says("command", again.clone());
    assert_eq!(effects(&asked, "confirm")[0]["answer"], false);
    assert_eq!(effects(&asked, "append_entry"), Vec::<Value>::new());
    let mut agreed = again;
    agreed["confirm"] = true.into();
    let begun = pi.says("command", agreed);
    assert_eq!(effects(&begun, "append_entry")[0]["data"]["taskDescription"], "another");
    let broken = pi.says("agent_before_settle", json!({ "outcome": "aborted" }));
    assert_eq!(broken["effects"], json!([]), "an interrupt is no stop");
    let told = pi.says("command", json!({ "name": "cancel-workflow" }));
    assert_eq!(effects(&told, "append_entry")[0]["data"]["cancelled"], true);
    assert_eq!(pi.settles(), None);
    let found = pi.says("complete", json!({ "prefix": "d" }));
    assert_eq!(found["out"], json!([{ "value": "dev", "label": "dev" }]));
    assert_eq!(pi.rpc.ends(), "");
}

#[test]
fn a_workflow_of_the_original_is_said_and_not_held() {
    let world = world();
    let mut pi = Pi::new(&world);
    pi.branch = vec![json!({ "type": "custom", "customType": "workflow:state", "data": {
        "active": true, "workflowKey": "dev", "currentPath": [{ "workflowKey": "dev", "phaseIndex": 0 }],
        "globalStepCount": 0, "taskId": "wf-1700000000000-4fzzzx", "taskDescription": "x",
        "startedAt": 1_700_000_000_000_u64, "completionNotified": false, "cancelled": false } })];
    let begun = pi.says("session_start", json!({ "reason": "resume" }));
    let said = effects(&begun, "notify")[0]["message"].as_str().unwrap().to_owned();
    assert!(said.starts_with("The workflow of this branch was not begun by sprag"), "{said}");
    assert_eq!(pi.settles(), None);
    assert_eq!(pi.rpc.ends(), "");
}

#[test]
fn an_assignment_is_begun_told_and_holds_the_stop_in_pi_as_elsewhere() {
    let mut world = World::new("");
    let set = |world: &World, unit: &str| {
        let words = ["agent", "set", "polecat-alpha", unit, "--title", "Add README", "--as"];
        world.person(&[&words[..], &["mayor"]].concat());
    };
    set(&world, "gt-1");
    world.env.set("SPRAG_AGENT", "polecat-alpha");
    let mut pi = Pi::new(&world);
    let begun = pi.says("session_start", json!({ "reason": "startup" }));
    let told = &effects(&begun, "send_message")[0]["content"];
    assert!(told.as_str().unwrap().starts_with("You are polecat-alpha. gt-1"), "{told}");
    let why = pi.settles().expect("work that is not done holds");
    assert!(why.starts_with("Not finished: gt-1 \"Add README\" is assigned to you."), "{why}");
    let run = |words: &[&str]| {
        let mut command = world.env.command(sprag_testkit::TestEnv::program(crate::support::SPRAG));
        command.args(words).env("SPRAG_SESSION", "pi-tree-1");
        assert!(command.output().unwrap().status.success(), "{words:?}");
    };
    run(&["agent", "complete"]);
    assert_eq!(pi.settles(), None);
    // Work that arrives while the session rests is begun and announced at the next prompt.
    let clear = |words: &[&str]| {
        let mut command = world.env.command(sprag_testkit::TestEnv::program(crate::support::SPRAG));
        command.args(words).env_remove("SPRAG_AGENT");
        assert!(command.output().unwrap().status.success(), "{words:?}");
    };
    clear(&["agent", "clear", "polecat-alpha", "--as", "mayor"]);
    clear(&["agent", "set", "polecat-alpha", "gt-2", "--title", "Two", "--as", "mayor"]);
    let spoken = pi.says("before_agent_start", json!({ "prompt": "hello" }));
    let told = effects(&spoken, "send_message");
    assert!(told[0]["content"].as_str().unwrap().contains("gt-2 \"Two\" is assigned"), "{spoken}");
    assert!(pi.settles().is_some());
}
