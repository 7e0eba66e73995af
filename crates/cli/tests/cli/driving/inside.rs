//! The host hooks and the runner call the same step: one workflow driven both ways leaves the same
//! events.

use serde_json::Value;
use sprag_testkit::TestEnv;
use sprag_testkit::agent::{Agent, Stopped};

use super::World;
use crate::support::SPRAG;

const HEAD: &str = "name: Dev\ncommandName: dev\ninitialMessage: \"Work on: {description}\"\n\
                    phases: [plan.md, build.md, check.md]\n";

fn write_workflow(world: &World) {
    let folder = ".sprag/workflows/dev";
    world.env.write(format!("{folder}/workflow.yaml"), HEAD);
    let phase = |id: &str, gates: &str| {
        format!("---\nid: {id}\nname: {id}\nemoji: x\n{gates}---\nDo {id}.\n")
    };
    world.env.write(format!("{folder}/plan.md"), phase("plan", "gates: [{file: PLAN.md}]\n"));
    world.env.write(format!("{folder}/build.md"), phase("build", "gates: [{run: sh test.sh}]\n"));
    let last = "gates: [{content: {path: PLAN.md, has: done}}]\n";
    world.env.write(format!("{folder}/check.md"), phase("check", last));
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "workflow"]);
}

/// The work of each turn, the same both ways; the second turn is not good enough.
const TURNS: [(&str, &str); 4] =
    [("PLAN.md", "a plan\n"), ("code.txt", "bad\n"), ("code.txt", "good\n"), ("PLAN.md", "done\n")];

/// Returns the events of two kinds, without their actors and times. A receipt and the begin that
/// requested it may share a line, so the kinds are compared separately.
fn story(world: &World, kinds: [&str; 2]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let events = world.events();
    let told = events.iter().filter(|event| kinds.iter().any(|kind| event["kind"] == *kind));
    let line = |event: &Value| {
        let data = &event["data"];
        let what = [&event["kind"], &data["unit"], &data["gate"], &data["how"], &data["verdict"]];
        what.map(text).join(" ")
    };
    told.map(line).collect()
}

#[test]
fn one_workflow_leaves_the_same_events_inside_and_outside() {
    let turns: Vec<_> = TURNS
        .iter()
        .enumerate()
        .map(|(at, (file, text))| format!("[ $turn = {} ] && printf '{text}' > {file}", at + 1))
        .collect();
    let outside = World::new(&format!("{}\necho ok", turns.join("\n")));
    write_workflow(&outside);
    let ran = outside.sprag(&["run", "dev", "a thing"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(outside.turns(), TURNS.len());

    let inside = World::new("true");
    write_workflow(&inside);
    inside.sprag(&["start", "dev", "a thing"]);
    let agent = Agent::new(&inside.env, &inside.sprag, "one");
    agent.begins();
    for (at, (file, text)) in TURNS.iter().enumerate() {
        agent.writes(file, text).unwrap();
        let mut stopped = agent.stops();
        if matches!(&stopped, Stopped::Free(said) if said.contains("not yet allowed")) {
            inside.sprag(&["approve"]);
            stopped = agent.stops();
        }
        let is_last = at + 1 == TURNS.len();
        assert_eq!(matches!(stopped, Stopped::Free(_)), is_last, "{stopped:?}");
    }
    for kind in ["attempt.began", "gate.receipt"] {
        let kinds = [kind, "attempt.ended"];
        assert_eq!(story(&inside, kinds), story(&outside, kinds));
    }
}

/// Does everything in one turn.
const ALL: &str = "echo 'a plan, done' > PLAN.md; echo good > code.txt";

#[test]
fn a_run_is_left_to_the_session_that_has_it_and_taken_over_once_that_is_gone() {
    let world = World::new(ALL);
    write_workflow(&world);
    world.sprag(&["start", "dev", "a thing"]);
    // Its host lives as long as the test.
    let agent = Agent::new(&world.env, &world.sprag, "one").in_process(std::process::id());
    agent.begins();
    let run = world.run();
    let before = world.events().len();
    for words in [&["run", &run][..], &["run", &run, "--detach"]] {
        let ran = world.sprag(words);
        assert_eq!((ran.exit, ran.stdout.as_str()), (Some(8), ""), "{}", ran.stderr);
        let who = format!("the session `claude-one` works on {run}");
        assert!(
            ran.stderr.contains(&who) && ran.stderr.contains("end that session"),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(world.events().len(), before, "nothing is noted");
    assert_eq!(world.env.read(format!(".sprag/runs/{run}/agents.json")), None);
    let status = world.sprag(&["status"]).stdout;
    assert!(!status.contains("its driver is gone"), "{status}");

    // An older version had stored the options for driving it.
    let kept = r#"{"v": 1, "how": {"hosts": ["nobody"], "agents": 1}}"#;
    world.env.write(format!(".sprag/runs/{run}/agents.json"), kept);
    let resumed = world.sprag(&["resume", &run]);
    assert_eq!((resumed.exit, world.turns()), (Some(0), 0), "{}", resumed.stderr);
    assert_eq!(resumed.stdout, format!("{run}: goes on\n"));

    let file = world.env.project().join(".sprag/sessions/claude-one.json");
    let then = std::time::SystemTime::UNIX_EPOCH;
    std::fs::File::options().write(true).open(file).unwrap().set_modified(then).unwrap();
    let ran = world.sprag(&["run", &run]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.count("run.released"), 1);
}

#[test]
fn a_run_whose_session_has_no_process_any_more_is_taken_over_at_once() {
    let world = World::new(ALL);
    write_workflow(&world);
    world.sprag(&["start", "dev", "a thing"]);
    // No process has such a high number.
    Agent::new(&world.env, &world.sprag, "one").in_process(i32::MAX.unsigned_abs()).begins();
    let ran = world.sprag(&["run", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_agent_that_is_driven_is_told_to_stop_when_it_is_done_and_not_to_step() {
    let sprag = TestEnv::program(SPRAG);
    let world = World::new(&format!(
        "{ALL}\nfor verb in status next loop; do\n\
         {sprag} step $verb > ../$verb.said 2>&1; echo \"exit $?\" >> ../$verb.said\ndone"
    ));
    write_workflow(&world);
    let ran = world.sprag(&["run", "dev", "a thing"]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 3), "{}{}", ran.stdout, ran.stderr);
    let said = |verb: &str| world.env.read(format!("../{verb}.said")).unwrap();
    let status = said("status");
    assert!(status.contains("Do this phase and no other, then stop"), "{status}");
    assert!(!status.contains("workflow_step") && status.ends_with("exit 0\n"), "{status}");
    for verb in ["next", "loop"] {
        let said = said(verb);
        assert!(said.contains("stop when you are done") && said.ends_with("exit 1\n"), "{said}");
    }
}
