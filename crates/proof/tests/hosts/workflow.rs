//! A workflow of two phases, from start to end.

use sprag_testkit::model::Step;

use crate::client::Client;
use crate::session::Session;
use crate::world::{EVIDENCE, PART, World};

const FILES: &[(&str, &str)] = &[
    (
        "workflow.yaml",
        "name: Two\ncommandName: two\ninitialMessage: Begin.\nphases: [plan.md, build.md]\n",
    ),
    (
        "plan.md",
        "---\nid: plan\nname: plan\nemoji: 🧭\ntools: {blacklist: ['@edit']}\n---\n\
         Do plan for {description}.\n",
    ),
    (
        "build.md",
        "---\nid: build\nname: build\nemoji: 🔨\ngates: [{run: sh test.sh}]\n---\n\
         Do build for {description}.\n",
    ),
];

/// A repository in which the user has started the workflow; no session drives it yet.
pub(crate) fn started() -> World {
    let world = World::with_workflow(FILES);
    let said = world.person(&["start", "two", "csv export"]);
    assert!(said.contains("The next session here takes it up."), "{said}");
    world
}

pub(crate) fn shows<C: Client>() {
    let steps = |world: &World| {
        vec![
            Step::uses([C::makes(world, PART, "too early")]),
            Step::uses([C::step("a plan")]),
            Step::uses([C::makes(world, PART, "bad")]),
            Step::says("I am done."),
            Step::uses([C::changes(world, PART, "bad", "good")]),
            Step::uses([C::shell("sprag step next")]),
            Step::says("All phases are through."),
        ]
    };
    let Some(session) = Session::of::<C>("a workflow", started, steps) else { return };
    session.told(0, "[Workflow path: Two ▸ 🧭 plan]");
    session.told(0, "Do plan for csv export.");
    session.told(1, "is blocked during the plan phase");
    session.told(2, "Advanced: plan → 🔨 build");
    session.told(4, EVIDENCE);
    session.told(6, "Two Complete");
    let world = &session.world;
    session.must(world.verdicts() == ["fail", "pass"], &format!("{:?}", world.verdicts()));
    let status = world.status();
    session.must(status["runs"][0]["life"] == "done", &format!("the run is not done: {status}"));
    session.must(status["waits"] == serde_json::json!([]), &format!("something waits: {status}"));
    session.must(status["ok"] == true, &format!("something is wrong: {status}"));
}
