//! The guard again, with nothing but what `sprag init` put into the host.

use std::path::Path;
use std::process::Command;

use sprag_testkit::model::{Model, Step};

use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::world::{EVIDENCE, PART, World};

/// Lets a client work after `init` with these words; `start` only starts it. Nothing where the client
/// could not be had.
pub(crate) fn shows<C: Client>(
    words: &[&str],
    start: impl Fn(&Path, &World, &Model, &str) -> Command,
) -> Option<Session> {
    let program = program::<C>("after init")?;
    let world = World::untouched();
    world.installs(C::NAME, &program);
    let steps = [
        Step::uses([C::makes(&world, PART, "bad")]),
        Step::says("I am done."),
        Step::uses([C::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    world.person(&[&["init", "--yes"], words].concat());
    let ended = Process::start(start(&program, &world, &model, PROMPT), C::LIMIT).end();
    let session = Session::judged(world, &model, count, ended);
    session.told(2, "Not finished: `npm test` exit 1");
    session.told(2, EVIDENCE);
    let verdicts = session.world.verdicts();
    session.must(verdicts == ["pass", "fail", "pass"], &format!("{verdicts:?}"));
    Some(session)
}
