//! The user compacts the conversation: the agent receives the essential context again, and the
//! host's own compacting helper does not count as a session.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use super::dialogue::Dialogue;
use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::world::{EVIDENCE, PART, World};

#[test]
fn claude_is_compacted_and_told_again() {
    let Some(program) = program::<Claude>("`/compact`") else { return };
    let world = World::guarded();
    let steps = [
        Step::uses([Claude::makes(&world, PART, "bad")]),
        Step::thinks(),
        Step::says("<summary>Some work was done.</summary>"),
        Step::says("I am done."),
        Step::uses([Claude::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let mut claude = Dialogue::begin(&program, &world, &model, &[]);
    claude.says(PROMPT);
    model.wait_for(2);
    claude.interrupt();
    claude.turn("/compact");
    claude.turn("Go on.");
    let session = Session::judged(world, &model, count, claude.end());
    let after = session.heard(3);
    session.must(after.says("Some work was done."), "the conversation is not shortened");
    session.must(!after.says(PROMPT), "the conversation is whole");
    session.must(after.says("ends only when `sh test.sh` passes"), "it was not told again");
    session.told(4, EVIDENCE);
    let log = session.world.person(&["log"]);
    session.must(log.matches("session.began").count() == 1, &log);
    session.must(session.world.verdicts() == ["fail", "pass"], "it is judged as before");
}
