//! An agent of the runner where `sprag init` was run: host hooks enforce the phase but allow every
//! stop, because the driver judges the work.

use serde_json::Value;
use sprag_testkit::model::Step;

use super::Claude;
use crate::client::Client as _;
use crate::driven::{Driven, planned};
use crate::world::{PART, World};

/// Returns a repository whose first phase allows only edits. The host has no option that denies all
/// unnamed tools, so only the hooks enforce this.
fn held() -> World {
    let world = planned::<Claude>("tools: {whitelist: ['@edit']}\n");
    world.person(&["init", "--yes", "--host", Claude::NAME]);
    world
}

#[test]
fn claude_is_held_to_the_phase_and_judged_by_its_driver_alone() {
    let steps = |world: &World| {
        vec![
            Step::uses([Claude::shell("echo early > early.txt")]),
            // The project's own test fails on this, and a user's session could not stop.
            Step::uses([Claude::makes(world, PART, "bad")]),
            Step::uses([Claude::makes(world, "PLAN.md", "a plan")]),
            Step::says("It is planned."),
            Step::uses([Claude::shell("echo good > part.txt")]),
            Step::says("It is built."),
            Step::uses([Claude::makes(world, "RESULT.txt", "done")]),
            Step::says("It is done."),
        ]
    };
    let Some(driven) = Driven::of::<Claude>("with host hooks", held, steps, &[]) else { return };
    let heard = driven.model.heard();
    driven.must(heard[1].says("is blocked during the plan phase"), "no host hook denies it");
    driven.must(driven.world.env.read("early.txt").is_none(), "it is done in spite of it");
    driven.must(!heard.iter().any(|one| one.says("Not finished")), "it was refused to stop");
    let files = driven.world.env.files();
    let sessions: Vec<Value> = files
        .iter()
        .filter(|file| file.starts_with(".sprag/sessions/claude-"))
        .map(|file| serde_json::from_str(&driven.world.env.read(file).unwrap()).unwrap())
        .collect();
    let is_driven = sessions.iter().all(|session| session["driven"].is_string());
    driven.must(!sessions.is_empty() && is_driven, &format!("{sessions:?}"));
    driven.must(driven.world.env.read(".sprag/trace").is_none(), "a host hook could not decide");
}
