//! The first minute: after `sprag init --yes` in a repository with tests, no host session ends
//! there while they fail. No file is edited by hand.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sprag_testkit::model::{Model, Step};

use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::world::{EVIDENCE, PART, World};

/// The limit from the command to the first refusal and a good end.
const MOST: Duration = Duration::from_secs(30);

/// Asserts that the guard is active after `init` with these arguments; `start` only starts the
/// client. Returns the session, and the time from the command to its good end, or `None` if the
/// client is not installed.
pub(crate) fn after<C: Client>(
    words: &[&str],
    start: impl Fn(&Path, &World, &Model, &str) -> Command,
) -> Option<(Session, Duration)> {
    let program = program::<C>("the first minute")?;
    let world = World::untouched();
    world.installs(C::NAME, &program);
    let steps = [
        Step::uses([C::step("nothing yet")]),
        Step::uses([C::makes(&world, PART, "bad")]),
        Step::says("I am done."),
        Step::uses([C::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    C::settle(&world, &model);
    let began = Instant::now();
    let said = world.person(&[&["init", "--yes"], words].concat());
    let ended = C::session(start(&program, &world, &model, PROMPT), &world, PROMPT);
    let took = began.elapsed();
    let session = Session::judged(world, &model, count, ended);
    session.must(said.contains("npm test"), &said);
    // The tool server, or the bridge, is installed too.
    session.told(1, "No active workflow");
    session.told(3, "Not finished: `npm test` exit 1");
    session.told(3, EVIDENCE);
    let verdicts = session.world.verdicts();
    session.must(verdicts == ["pass", "fail", "pass"], &format!("{verdicts:?}"));
    let status = session.world.status();
    session.must(status["waits"] == serde_json::json!([]), &format!("something waits: {status}"));
    Some((session, took))
}

pub(crate) fn shows<C: Client>() {
    after::<C>(&[], C::start);
}

/// Also asserts that the user need not wait for it.
pub(crate) fn shows_soon<C: Client>() {
    if let Some((session, took)) = after::<C>(&[], C::start) {
        session.must(took < MOST, &format!("it took {took:?}"));
    }
}
