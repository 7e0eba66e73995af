//! The user interrupts a turn in opencode, which is then idle as after a stop. The bridge
//! distinguishes the two, and the session is judged again after the next prompt.

use sprag_testkit::model::{Model, Step};

use super::Opencode;
use super::served::Served;
use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::world::{PART, World};

#[test]
fn opencode_is_interrupted_and_left_alone() {
    let Some(program) = program::<Opencode>("an interrupt") else { return };
    let world = World::guarded();
    let steps = [
        Step::uses([Opencode::makes(&world, PART, "bad")]),
        Step::thinks(),
        Step::uses([Opencode::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let served = Served::begin(Opencode::command(&program, &world, &model, PROMPT));
    let spoken = &served.session;
    std::thread::scope(|scope| {
        let turn = scope.spawn(|| spoken.turn(PROMPT));
        model.wait_for(2);
        spoken.interrupt();
        turn.join().unwrap();
    });
    spoken.turn("Go on.");
    let ended = served.rest(&world);
    let session = Session::judged(world, &model, count, ended);
    let log = session.world.person(&["log"]);
    session.must(!log.contains("stop.refused"), &log);
    session.must(session.world.verdicts() == ["pass"], "what was broken off was judged");
}
