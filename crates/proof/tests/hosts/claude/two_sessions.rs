//! The session that claimed a workflow drives it; another session beside it is not affected.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use crate::client::{Client, program};
use crate::codex::Codex;
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::workflow;
use crate::world::PART;

#[test]
fn claude_drives_a_workflow_and_codex_beside_it_is_free() {
    let what = "two sessions";
    // One after the other, so that a missing client skips the test only once.
    let Some(claude) = program::<Claude>(what) else { return };
    let Some(codex) = program::<Codex>(what) else { return };
    let world = workflow::started();
    let steps = [
        Step::uses([Claude::shell("for i in $(seq 300); do test -e go && break; sleep 0.1; done")]),
        Step::uses([Claude::makes(&world, "other.txt", "too early")]),
        Step::uses([Claude::shell("sprag step next")]),
        Step::uses([Claude::shell("sprag step next")]),
        Step::says("All phases are through."),
    ];
    let count = steps.len();
    let model = Model::start(steps);
    let driver = Process::start(Claude::command(&claude, &world, &model, PROMPT), Claude::LIMIT);
    model.wait_for(1);

    let beside =
        Model::start([Step::uses([Codex::makes(&world, PART, "good")]), Step::says("I am done.")]);
    let ended = Codex::session(Codex::command(&codex, &world, &beside, PROMPT), &world, PROMPT);
    let session = Session::judged(world, &beside, 2, ended);
    session.must(!session.says("Workflow path"), "it learns of another's workflow");
    session.must(session.world.env.read(PART).is_some(), "another's phase forbids it a tool");

    session.world.env.write("go", "");
    let session = Session::judged(session.world, &model, count, driver.end());
    session.told(2, "is blocked during the plan phase");
    session.told(4, "Two Complete");
    let log = session.world.person(&["log"]);
    session.must(log.matches("run.claimed").count() == 1, &log);
}
