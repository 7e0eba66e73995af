//! The first minute: `sprag init --yes` in a repository with tests, and no session of Claude Code ends
//! there while they fail. Nothing is edited by hand.

use std::time::{Duration, Instant};

use sprag_testkit::model::{Model, Step};

use super::Claude;
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::world::{EVIDENCE, PART, World};

/// From the command to the first refusal and a good end.
const MOST: Duration = Duration::from_secs(30);

#[test]
fn claude_is_guarded_after_init() {
    let Some(program) = program::<Claude>("the first minute") else { return };
    let world = World::untouched();
    world.installs("claude", &program);
    let steps = [
        Step::uses([Claude::makes(&world, PART, "bad")]),
        Step::says("I am done."),
        Step::uses([Claude::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    Claude::settle(&world, &model);
    let began = Instant::now();
    world.person(&["init", "--yes"]);
    let command = Claude::start(&program, &world, &model, PROMPT);
    let ended = Process::start(command, Claude::LIMIT).end();
    let took = began.elapsed();
    let session = Session::judged(world, &model, count, ended);
    session.told(2, "Not finished: `npm test` exit 1");
    session.told(2, EVIDENCE);
    let status = session.world.status();
    session.must(status["waits"] == serde_json::json!([]), &format!("somebody waits: {status}"));
    session.must(took < MOST, &format!("it took {took:?}"));
}
