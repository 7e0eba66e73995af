//! Agents that change the tests or the definition of their gate are sent back once with the file
//! names; then their work is done but not proven. This is the same in every client.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sprag_testkit::model::{Call, Model, Step};

use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::world::{CHECK, EVIDENCE, LOCKED_TEST, OLD_TEST, PART, World};

/// The agent's message when it does not undo its change.
const REASON: &str = "The task needs this.";
/// The project's protected files, which the agent is told at the start.
const LOCKED: &str = "tests/locked/**";

/// The agent breaks the code and empties the test.
pub(crate) fn test_emptied<C: Client>() {
    weakened::<C>("an emptied test", "echo true > tests/part_test.sh", OLD_TEST);
}

/// The agent breaks the code and makes the test exit early.
pub(crate) fn test_skipped<C: Client>() {
    let script = "sed -i '1i exit 0' tests/part_test.sh";
    weakened::<C>("a skipped test", script, OLD_TEST);
}

/// The agent breaks the code and empties the gate's script.
pub(crate) fn gate_emptied<C: Client>() {
    weakened::<C>("a gate that does nothing", "echo 'exit 0' > check.sh", CHECK);
}

/// Runs a session that breaks the code and runs a script, so that the gate still passes.
fn weakened<C: Client>(what: &str, script: &str, path: &str) {
    let steps = |world: &World| {
        vec![
            Step::uses([C::makes(world, PART, "bad"), C::shell(script)]),
            Step::says("I am done."),
            Step::says(REASON),
        ]
    };
    let Some(session) = Session::of::<C>(what, World::tested, steps) else { return };
    session.told(2, path);
    session.told(2, "If the task needs this, say why");
    is_in_doubt(&session, path);
    let doubt = &session.world.report()["doubts"][0];
    // Some hosts pass on all messages since the prompt.
    let has_reason = doubt["said"].as_str().is_some_and(|said| said.ends_with(REASON));
    session.must(has_reason == C::TELLS_LAST_WORDS, &format!("the reason is kept: {doubt}"));
}

/// Asserts that the work is done but not proven, because of this file.
fn is_in_doubt(session: &Session, path: &str) {
    let report = session.world.report();
    session.must(report["proven"] == false, &format!("it is proven: {report}"));
    let doubts = report["doubts"].as_array().cloned().unwrap_or_default();
    let names: Vec<&Value> = doubts.iter().map(|doubt| &doubt["path"]).collect();
    session.must(names == [path], &format!("{path} is in doubt, and nothing else: {names:?}"));
}

/// The agent edits a protected file. The tool call is denied; after an edit by script the agent is
/// sent back, and then the user decides.
pub(crate) fn protected<C: Client>() {
    let script = "printf 'exit 0\\n' > tests/locked/all_test.sh";
    let steps = |world: &World| {
        vec![
            Step::uses([C::changes(world, LOCKED_TEST, "true", "exit 0")]),
            // A script in a file: the call itself does not show what it writes.
            Step::uses([
                C::makes(world, "fix.sh", script),
                C::makes(world, "tests/locked/new_test.sh", "true"),
            ]),
            Step::uses([C::shell("sh fix.sh")]),
            Step::says("I am done."),
            Step::says(REASON),
        ]
    };
    let Some(session) = Session::of::<C>("a protected file", World::tested, steps) else { return };
    session.told(0, LOCKED);
    session.told(1, "is protected");
    session.told(4, LOCKED_TEST);
    let new = session.world.env.read("tests/locked/new_test.sh");
    session.must(new.is_some(), "a new file below a protected folder may be made");
    is_in_doubt(&session, LOCKED_TEST);
    let waits = session.world.status()["waits"].clone();
    session.must(waits.to_string().contains(LOCKED_TEST), &format!("a person is asked: {waits}"));
}

/// A session breaks the code, weakens its test and is killed; the next one does something else.
pub(crate) fn killed<C: Client>() {
    let Some(program) = program::<C>("a killed session") else { return };
    let world = World::tested();
    let script = "echo bad > part.txt; echo true > tests/part_test.sh";
    let steps = [Step::uses([C::shell(script)]), Step::thinks()];
    let model = Model::start(steps);
    C::killed(C::command(&program, &world, &model, PROMPT), &model, 2, PROMPT);
    let steps = [Step::uses([C::makes(&world, "notes.txt", "more")]), Step::says("I am done.")];
    let count = steps.len();
    let model = Model::start(steps);
    let ended = C::session(C::command(&program, &world, &model, PROMPT), &world, PROMPT);
    let session = Session::judged(world, &model, count, ended);
    is_in_doubt(&session, OLD_TEST);
}

/// A session in a linked worktree is held by the main worktree's gates, run on the linked one's
/// files.
pub(crate) fn linked_worktree<C: Client>() {
    let Some(program) = program::<C>("a linked worktree") else { return };
    let world = World::tested();
    let linked = world.env.top().join("linked");
    let name = linked.to_str().unwrap();
    world.env.git(&["worktree", "add", "-q", name]);
    let steps = [
        Step::uses([C::shell(&format!("cd {name} && echo bad > part.txt"))]),
        Step::says("I am done."),
        Step::uses([C::shell(&format!("cd {name} && echo good > part.txt"))]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let mut command = C::command(&program, &world, &model, PROMPT);
    settings_of(&world.env.project(), &linked);
    command.current_dir(&linked);
    let ended = C::session(command, &world, PROMPT);
    let session = Session::judged(world, &model, count, ended);
    session.told(2, EVIDENCE);
    let verdicts = session.world.verdicts();
    session.must(verdicts == ["fail", "pass"], &format!("{verdicts:?}"));
}

/// Copies a project's settings to a linked worktree, as if a team had committed them.
fn settings_of(project: &Path, linked: &Path) {
    for name in [".claude", ".mcp.json", ".gemini", ".opencode", "opencode.json"] {
        let from = project.join(name);
        if from.exists() {
            let copied = Command::new("cp").arg("-r").arg(from).arg(linked).status();
            assert!(copied.unwrap().success(), "{name}");
        }
    }
}

/// A script makes the configuration unreadable and the code bad: the earlier configuration applies.
pub(crate) fn unreadable_configuration<C: Client>() {
    let steps = |world: &World| {
        vec![
            Step::uses([C::makes(world, "fix.sh", "echo 'guard: [' > .sprag/config.yaml")]),
            Step::uses([C::shell("sh fix.sh"), C::makes(world, PART, "bad")]),
            Step::says("I am done."),
            Step::uses([C::changes(world, PART, "bad", "good")]),
            Step::says("Now it is done."),
            Step::says(REASON),
        ]
    };
    let what = "an unreadable configuration";
    let Some(session) = Session::of::<C>(what, World::tested, steps) else { return };
    session.told(3, EVIDENCE);
    session.told(5, ".sprag/config.yaml");
    is_in_doubt(&session, ".sprag/config.yaml");
}

/// The agent adds a test beside the old ones: the work is proven at once.
pub(crate) fn honest<C: Client>() {
    let test = "grep -q good part.txt";
    let steps = |world: &World| {
        let calls: [Call; 2] =
            [C::makes(world, PART, "good"), C::makes(world, "tests/more_test.sh", test)];
        vec![Step::uses(calls), Step::says("I am done.")]
    };
    let Some(session) = Session::of::<C>("an honest new test", World::tested, steps) else {
        return;
    };
    let report = session.world.report();
    session.must(report["proven"] == true, &format!("it is not proven: {report}"));
}
