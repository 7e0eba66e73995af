//! The user interrupts a turn: nothing is judged and no refusal counted. The session rests until
//! the next prompt, and is held to its work again.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use super::dialogue::Dialogue;
use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::world::{EVIDENCE, PART, World};

#[test]
fn claude_is_interrupted_and_left_alone() {
    let Some(program) = program::<Claude>("an interrupt") else { return };
    let world = World::guarded();
    let started = world.env.top().join("started");
    let endless = format!("touch {}; while :; do sleep 1; done", started.display());
    let steps = [
        Step::uses([Claude::makes(&world, PART, "bad")]),
        Step::uses([Claude::shell(&endless)]),
        Step::thinks(),
        Step::says("I am done."),
        Step::uses([Claude::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let mut claude = Dialogue::begin(&program, &world, &model, &[]);
    claude.says(PROMPT);
    world.env.wait_until("a tool runs", || started.exists());
    claude.interrupt();
    claude.says("Think again.");
    model.wait_for(3);
    claude.interrupt();
    let log = world.person(&["log"]);
    assert!(!log.contains("stop."), "an interrupt was taken for a stop:\n{log}");
    claude.turn("Go on.");
    let session = Session::judged(world, &model, count, claude.end());
    session.told(4, EVIDENCE);
    session.must(session.world.verdicts() == ["fail", "pass"], "it is judged as before");
}
