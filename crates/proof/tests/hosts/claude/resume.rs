//! A client is killed at work, or ends; the session is resumed and held to its work.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use super::dialogue::Dialogue;
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::workflow;
use crate::world::{EVIDENCE, PART};

const ID: &str = "6f1d2c3b-0a49-4e58-8b67-1234567890ab";

#[test]
fn claude_is_killed_and_goes_on_where_it_was() {
    let Some(program) = program::<Claude>("a killed session") else { return };
    let world = workflow::started();
    let model = Model::start([
        Step::uses([Claude::shell("sprag step next")]),
        Step::uses([Claude::makes(&world, PART, "bad")]),
        Step::thinks(),
    ]);
    let mut command = Claude::command(&program, &world, &model, PROMPT);
    command.args(["--session-id", ID]);
    let process = Process::start(command, Claude::LIMIT);
    model.wait_for(3);
    process.kill();

    let steps = [
        Step::says("I am done."),
        Step::uses([Claude::shell("echo good > part.txt")]),
        Step::uses([Claude::shell("sprag step next")]),
        Step::says("Now I am."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let mut command = Claude::command(&program, &world, &model, "Go on.");
    command.args(["--resume", ID]);
    let ended = Process::start(command, Claude::LIMIT).end();
    let session = Session::judged(world, &model, count, ended);
    session.told(0, "[Workflow path: Two ▸ 🔨 build]");
    session.told(1, EVIDENCE);
    session.told(3, "Two Complete");
    let log = session.world.person(&["log"]);
    session.must(log.matches("run.claimed").count() == 1, &log);
}

#[test]
fn claude_leaves_and_comes_back_to_its_run() {
    let Some(program) = program::<Claude>("a session that returns") else { return };
    let world = workflow::started();
    let model = Model::start([Step::uses([Claude::step("a plan")]), Step::thinks()]);
    let mut claude = Dialogue::begin(&program, &world, &model, &["--session-id", ID]);
    claude.says(PROMPT);
    model.wait_for(2);
    claude.interrupt();
    claude.end();
    let status = world.status();
    assert_eq!(status["runs"][0]["session"], serde_json::Value::Null, "{status}");

    let model = Model::start([Step::uses([Claude::step("all of it")]), Step::says("Done.")]);
    let mut command = Claude::command(&program, &world, &model, "Go on.");
    command.args(["--resume", ID]);
    let ended = Process::start(command, Claude::LIMIT).end();
    let session = Session::judged(world, &model, 2, ended);
    session.told(0, "[Workflow path: Two ▸ 🔨 build]");
    session.told(1, "Two Complete");
    let log = session.world.person(&["log"]);
    session.must(log.matches("run.claimed").count() == 2, &log);
}
