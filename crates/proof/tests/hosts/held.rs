//! An agent that only claims to be done is refused twice and cannot release itself; then the user
//! is asked. No host ever comes near its own limit on refusals.

use sprag_testkit::model::Step;

use crate::client::Client;
use crate::session::Session;
use crate::world::{EVIDENCE, PART, World};

pub(crate) fn shows<C: Client>() {
    let steps = |world: &World| {
        vec![
            Step::uses([C::makes(world, PART, "bad")]),
            Step::says("I am done."),
            Step::uses([C::shell("sprag cancel")]),
            Step::says("I am done, really."),
            Step::says("There is nothing left to do."),
        ]
    };
    let Some(session) = Session::of::<C>("no progress", World::guarded, steps) else { return };
    session.told(2, EVIDENCE);
    session.told(3, "`sprag cancel` is for a person");
    session.told(4, EVIDENCE);
    session.must(session.world.verdicts() == ["fail"], "the same files are judged once");
    let status = session.world.status();
    let waits = status["waits"].as_array().unwrap();
    session.must(waits.len() == 1, &format!("one thing waits for a person: {status}"));
    let why = waits[0]["why"].as_str().unwrap();
    session.must(why.contains("nothing changed after the stop was refused 2 times"), why);
}
