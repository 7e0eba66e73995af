//! A subagent is not the session: the phase's tools do not apply to it, its end is not refused, and
//! the session may stop while it works.

use serde_json::json;
use sprag_testkit::model::{Call, Model, Step};

use super::Claude;
use crate::client::{Client, program};
use crate::process::Process;
use crate::session::{PROMPT, Session};
use crate::workflow;
use crate::world::PART;

const MARK: &str = "SUBTASK";

#[test]
fn claude_waits_for_its_subagent() {
    let Some(program) = program::<Claude>("a subagent") else { return };
    let world = workflow::started();
    // The subagent works until the session has stopped once.
    let stopped = world.env.top().join("stopped").display().to_string();
    let entry = json!({ "type": "command", "command": "touch", "args": [stopped] });
    let settings = json!({ "hooks": { "Stop": [{ "hooks": [entry] }] } });
    world.at_home(".claude/settings.json", &settings.to_string());
    let wait = format!("for i in $(seq 300); do test -e {stopped} && break; sleep 0.1; done");
    let agent = json!({
        "description": "works beside",
        "prompt": format!("{MARK}: make the part"),
        "subagent_type": "general-purpose",
    });
    let steps = [
        Step::uses([Call::new("Agent", agent)]),
        Step::says("A subagent works."),
        Step::says("It is done, and so am I."),
        Step::uses([Claude::shell("sprag step next")]),
        Step::uses([Claude::shell("sprag step next")]),
        Step::says("All phases are through."),
    ];
    let beside = vec![
        Step::uses([Claude::makes(&world, PART, "good")]),
        Step::uses([Claude::shell(&wait)]),
        Step::says("The part is made."),
    ];
    let (count, beside_count) = (steps.len(), beside.len());
    let model = Model::with_agents(steps, [(MARK, beside)]);
    let command = Claude::command(&program, &world, &model, PROMPT);
    let ended = Process::start(command, Claude::LIMIT).end();
    let heard = model.heard_from(MARK);
    let session = Session::judged(world, &model, count, ended);
    session.must(heard.len() == beside_count, &format!("the subagent asked {} times", heard.len()));
    let written = session.world.env.read(PART);
    session.must(written.as_deref() == Some("good\n"), "a phase forbids the subagent its tools");
    session.told(2, "<task-notification>");
    session.told(3, "You must NOT stop yet");
    session.told(5, "Two Complete");
    let log = session.world.person(&["log"]);
    session.must(log.matches("stop.refused").count() == 1, &log);
}
