//! The user clears the conversation: the same process continues as another session of Claude Code,
//! which drives the same run.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use super::dialogue::Dialogue;
use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::workflow;
use crate::world::{EVIDENCE, PART};

#[test]
fn claude_is_cleared_and_still_held() {
    let Some(program) = program::<Claude>("`/clear`") else { return };
    let world = workflow::started();
    let steps = [
        Step::uses([Claude::step("a plan")]),
        Step::uses([Claude::makes(&world, PART, "bad")]),
        Step::thinks(),
        Step::says("I am done."),
        Step::uses([Claude::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let mut claude = Dialogue::begin(&program, &world, &model, &[]);
    claude.says(PROMPT);
    model.wait_for(3);
    claude.interrupt();
    claude.turn("/clear");
    claude.turn("Go on.");
    let session = Session::judged(world, &model, count, claude.end());
    session.must(!session.heard(3).says(PROMPT), "the conversation is not cleared");
    session.must(session.heard(3).says("[Workflow path: Two ▸ 🔨 build]"), "it lost its run");
    session.told(4, EVIDENCE);
    let status = session.world.status();
    session.must(status["runs"][0]["life"] == "done", &format!("the run is not done: {status}"));
    let log = session.world.person(&["log"]);
    session.must(log.matches("session.began").count() == 2, &log);
    session.must(log.matches("run.claimed").count() == 2, &log);
}
