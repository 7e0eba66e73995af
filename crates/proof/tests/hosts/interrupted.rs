//! The user interrupts a session while the model thinks: that is no stop, so nothing is judged and
//! no refusal counted, and the client is gone.

use std::os::unix::process::CommandExt as _;

use sprag_testkit::model::{Model, Step};

use crate::client::{Client, program};
use crate::process::Process;
use crate::session::PROMPT;
use crate::world::{PART, World};

pub(crate) fn shows<C: Client>() {
    let Some(program) = program::<C>("an interrupt") else { return };
    let world = World::guarded();
    let model = Model::start([Step::uses([C::makes(&world, PART, "bad")]), Step::thinks()]);
    let mut command = C::command(&program, &world, &model, PROMPT);
    // As in a terminal, where the key reaches the whole process group.
    command.process_group(0);
    let process = Process::start(command, C::LIMIT);
    model.wait_for(2);
    process.interrupt();
    let ended = process.end();
    let log = world.person(&["log"]);
    assert!(!log.contains("stop."), "it was taken for a stop:\n{log}\n{}", ended.said);
    assert_eq!(world.verdicts(), Vec::<String>::new(), "{}", ended.said);
    assert_eq!(model.heard().len(), 2, "it went on:\n{}", ended.said);
}
