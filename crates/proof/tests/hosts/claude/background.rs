//! A background shell does not release the session: a server would do so forever.

use serde_json::json;
use sprag_testkit::model::{Call, Model, Step};

use super::Claude;
use super::dialogue::Dialogue;
use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::world::{EVIDENCE, PART, World};

#[test]
fn claude_with_a_server_in_the_background_is_held() {
    let Some(program) = program::<Claude>("a background shell") else { return };
    let world = World::guarded();
    let serve = json!({
        "command": "while :; do sleep 1; done",
        "description": "a server",
        "run_in_background": true,
    });
    let steps = [
        Step::uses([Call::new("Bash", serve), Claude::makes(&world, PART, "bad")]),
        Step::says("I am done, and the server runs."),
        Step::uses([Claude::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let mut claude = Dialogue::begin(&program, &world, &model, &[]);
    claude.turn(PROMPT);
    // Claude Code would wait for the server.
    let session = Session::judged(world, &model, count, claude.stop());
    session.told(1, "running in background");
    session.told(2, EVIDENCE);
    session.must(session.world.verdicts() == ["fail", "pass"], "it is judged as ever");
}
