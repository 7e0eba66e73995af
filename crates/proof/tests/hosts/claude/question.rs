//! The host asks for permission, or the model asks the user a question: neither is a stop, and no
//! refusal is counted while the answer is open.

use serde_json::json;
use sprag_testkit::model::{Call, Model, Step};

use super::Claude;
use super::dialogue::Dialogue;
use crate::client::{Client, program};
use crate::session::{PROMPT, Session};
use crate::world::{EVIDENCE, PART, World};

#[test]
fn claude_asks_a_person_and_is_not_held_meanwhile() {
    let Some(program) = program::<Claude>("a question") else { return };
    let world = World::guarded();
    let options = ["A", "B"].map(|label| json!({ "label": label, "description": label }));
    let question = json!({ "question": "Which?", "header": "Which", "multiSelect": false, "options": options });
    let questions = json!({ "questions": [question] });
    let fetch = json!({ "url": "http://127.0.0.1:9/", "prompt": "what it says" });
    let steps = [
        Step::uses([Claude::makes(&world, PART, "bad")]),
        Step::uses([Call::new("WebFetch", fetch)]),
        Step::uses([Call::new("AskUserQuestion", questions.clone())]),
        Step::says("I am done."),
        Step::uses([Claude::changes(&world, PART, "bad", "good")]),
        Step::says("Now it is done."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let mut claude =
        Dialogue::begin(&program, &world, &model, &["--permission-prompt-tool", "stdio"]);
    claude.says(PROMPT);
    let asked = claude.asks("WebFetch");
    claude.allow(&asked, &asked["request"]["input"]);
    let asked = claude.asks("AskUserQuestion");
    let log = world.person(&["log"]);
    assert!(!log.contains("stop."), "a question was taken for a stop:\n{log}");
    let mut answered = questions;
    answered["answers"] = json!({ "Which?": "A" });
    claude.allow(&asked, &answered);
    claude.rests();
    let session = Session::judged(world, &model, count, claude.end());
    session.told(3, "\"A\"");
    session.told(4, EVIDENCE);
    session.must(session.world.verdicts() == ["fail", "pass"], "it is judged as ever");
}
