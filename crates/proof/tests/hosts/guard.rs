//! The guard alone: an agent breaks a test, claims to be done, is refused with the evidence, fixes
//! the test and may stop.

use sprag_testkit::model::Step;

use crate::client::Client;
use crate::session::Session;
use crate::world::{EVIDENCE, PART, World};

pub(crate) fn shows<C: Client>() {
    let steps = |world: &World| {
        vec![
            Step::uses([C::makes(world, PART, "bad")]),
            Step::says("I am done."),
            // Two calls at once: their host hooks run concurrently.
            Step::uses([C::changes(world, PART, "bad", "good"), C::shell("echo beside")]),
            Step::says("Now it is done."),
        ]
    };
    let Some(session) = Session::of::<C>("the guard", World::guarded, steps) else { return };
    session.told(0, "ends only when `sh test.sh` passes");
    session.told(2, "Not finished: `sh test.sh` exit 1");
    session.told(2, EVIDENCE);
    session.told(3, "beside");
    let world = &session.world;
    session.must(world.env.read(PART).as_deref() == Some("good\n"), "the file is as it was left");
    session.must(world.verdicts() == ["fail", "pass"], &format!("{:?}", world.verdicts()));
    let status = world.status();
    session.must(status["waits"] == serde_json::json!([]), &format!("something waits: {status}"));
    session.must(status["ok"] == true, &format!("something is wrong: {status}"));
}
