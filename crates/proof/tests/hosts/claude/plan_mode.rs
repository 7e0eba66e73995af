//! A session in plan mode may stop, although its workflow has not ended.

use sprag_testkit::model::{Model, Step};

use super::Claude;
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::workflow;

#[test]
fn claude_in_plan_mode_is_let_go() {
    let Some(program) = program::<Claude>("plan mode") else { return };
    let world = workflow::started();
    let model = Model::start([Step::says("This is the plan.")]);
    let mut command = Claude::command(&program, &world, &model, PROMPT);
    command.args(["--permission-mode", "plan"]);
    let ended = Process::start(command, Claude::LIMIT).end();
    let session = Session::judged(world, &model, 1, ended);
    session.told(0, "[Workflow path: Two ▸ 🧭 plan]");
    let log = session.world.person(&["log"]);
    session.must(!log.contains("stop.refused"), &log);
}
