//! A conversation is forked into a session of its own. It is free while the original lives; once
//! that is over, it takes up unowned work.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use super::dialogue::Dialogue;
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::workflow;
use crate::world::PART;

const ID: &str = "0d5c6a1e-3f27-4b89-9a10-fedcba987654";

const FORK: [&str; 3] = ["--resume", ID, "--fork-session"];

#[test]
fn claude_forked_beside_its_origin_is_free_and_after_it_is_held() {
    let Some(program) = program::<Claude>("a fork") else { return };
    let world = workflow::started();
    let origin = Model::start([Step::says("Not yet."), Step::says("Not yet."), Step::thinks()]);
    let mut claude = Dialogue::begin(&program, &world, &origin, &["--session-id", ID]);
    claude.says(PROMPT);
    origin.wait_for(3);

    let steps = [Step::uses([Claude::makes(&world, PART, "good")]), Step::says("I am done.")];
    let beside = Model::start(steps);
    let mut command = Claude::command(&program, &world, &beside, "Try something else.");
    command.args(FORK);
    let ended = Process::start(command, Claude::LIMIT).end();
    let session = Session::judged(world, &beside, 2, ended);
    session.must(session.heard(0).says(PROMPT), "it is no fork");
    session.must(session.world.env.read(PART).is_some(), "another's phase forbids it a tool");
    let world = session.world;

    claude.interrupt();
    claude.end();
    let steps = [
        Step::uses([Claude::makes(&world, "other.txt", "too early")]),
        Step::uses([Claude::step("a plan")]),
        Step::uses([Claude::step("all of it")]),
        Step::says("All phases are through."),
    ];
    let count = steps.len();
    let after = Model::start(steps);
    let mut command = Claude::command(&program, &world, &after, "Go on.");
    command.args(FORK);
    let ended = Process::start(command, Claude::LIMIT).end();
    let session = Session::judged(world, &after, count, ended);
    session.told(1, "is blocked during the plan phase");
    session.told(3, "Two Complete");
    let log = session.world.person(&["log"]);
    session.must(log.matches("run.claimed").count() == 2, &log);
}
