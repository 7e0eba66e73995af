//! A driver without memory, and an agent that follows a script.
//!
//! Every step asks the engine for the state of the plan and does one thing, so any process can do
//! the next one. The agent acts only on its unit and its prompt.

use sprag_core::{Fence, Hold, RunId, Time};
use sprag_engine::drive::{BegunUnit, Coming, UnitEnd};
use sprag_engine::plan::{PlanView, Stands, Working};

use crate::world::World;

/// Three tasks in two waves; each has a check that the engine decides and one that it does not.
pub(super) const PLAN: &str = r#"---
phase: 1
title: Letters
---

## Must-Haves

- [ ] Every letter is there

## Wave 1

<task id="01" wave="1">
  <files>
    <file action="create">a.txt</file>
  </files>
  <action>
    Write the letter a.
  </action>
  <verify>
    <check type="file">a.txt exists</check>
    <check type="console">it looks nice</check>
  </verify>
  <done>a.txt is there</done>
</task>

<task id="02" wave="1">
  <files>
    <file action="create">b.txt</file>
  </files>
  <action>
    Write the letter b.
  </action>
  <verify>
    <check type="content">b.txt contains "good"</check>
  </verify>
  <done>b.txt is good</done>
</task>

<task id="03" wave="2" depends="01,02">
  <files>
    <file action="create">c.txt</file>
  </files>
  <action>
    Write the letter c.
  </action>
  <verify>
    <check type="file">c.txt exists</check>
  </verify>
  <done>c.txt is there</done>
</task>
"#;

const STATE: &str = "---\nmilestone: v1 # ours\nphase: null\ntask: null\nphases_complete: []\n\
                     phases_in_progress: []\nphases_pending: [1]\nloop:\n  active: false\n  \
                     type: null\n  iteration: 0\n---\n\n## Session Context\nReady.\n";

const ROADMAP: &str = "# Roadmap\n\n## Phase 1: Letters\n\n**Status:** PLANNED\n";

/// The end of an agent's turn.
pub(super) enum Turn {
    /// It ends with this message.
    Says(&'static str),
    /// Its model is unavailable for some time.
    Limited,
}

/// Decides an agent's turn by its unit and the number of its retry.
pub(super) type Script = fn(&World, &str, u32) -> Turn;

/// Creates a project with a plan, in a mode, with more settings.
pub(super) fn project(mode: &str, settings: &str) -> World {
    let world = World::new("");
    world.env.write(".gsd/config.md", format!("---\nmode: {mode}\n{settings}---\n"));
    world.env.write(".gsd/STATE.md", STATE);
    world.env.write(".gsd/ROADMAP.md", ROADMAP);
    world.env.write(".gsd/plans/phase-1/plan.md", PLAN);
    world
}

/// The agent that does everything right.
pub(super) fn diligent(world: &World, unit: &str, _: u32) -> Turn {
    match unit {
        "T01" => world.env.write("a.txt", "a\n"),
        "T02" => world.env.write("b.txt", "good b\n"),
        "T03" => world.env.write("c.txt", "c\n"),
        "verify" => verified(world, "passed", ""),
        _ => {}
    }
    Turn::Says(if unit.starts_with("FIX") { "GAP CLOSED: done" } else { "TASK COMPLETE" })
}

/// Writes a verification report.
pub(super) fn verified(world: &World, status: &str, gaps: &str) {
    let text = format!("# Verification\n\n## Status: {status}\n\n## Gaps\n<gaps>{gaps}</gaps>\n");
    world.env.write(".gsd/plans/phase-1/VERIFICATION.md", text);
}

pub(super) fn start(world: &World) -> RunId {
    world.engine().plan_start(None).unwrap()
}

pub(super) fn state(world: &World) -> String {
    world.env.read(".gsd/STATE.md").unwrap()
}

/// Returns the value of a key in `STATE.md`, as written.
pub(super) fn shown(world: &World, key: &str) -> String {
    let text = state(world);
    let start = format!("{key}:");
    let line = text.lines().find(|line| line.trim_start().starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("no `{key}` in\n{text}"));
    line.trim_start()[start.len()..].trim().trim_matches('"').to_owned()
}

/// Begins the next unit.
pub(super) fn begin(world: &World, run: &RunId) -> Box<BegunUnit> {
    let coming = world.engine().drive_begin(run, "agent", 8).unwrap();
    let Coming::Begun(work) = coming else { panic!("{coming:?}") };
    work
}

/// Does one thing; returns whether there was one.
pub(super) fn step(world: &World, run: &RunId, script: Script) -> bool {
    let view = world.engine().plan_view(run).unwrap();
    if let Some(work) = view.working.first() {
        end(world, run, work, script);
        return true;
    }
    match &view.stands {
        Stands::Ready => {
            assert_eq!(begin(world, run).unit.id, view.together[0].0.id);
            true
        }
        Stands::Held(Hold::Asked { what }) if what.ends_with("Proceed?") => {
            world.engine().plan_answer(run, "", "person").unwrap();
            true
        }
        Stands::Working
        | Stands::Waits { .. }
        | Stands::Held(_)
        | Stands::Done
        | Stands::Cancelled => false,
    }
}

/// Lets the agent of an attempt work, and ends the attempt.
fn end(world: &World, run: &RunId, work: &Working, script: Script) {
    match script(world, work.unit.as_str(), retry(&work.prompt)) {
        Turn::Says(message) => {
            ends(world, run, work.fence, message);
        }
        Turn::Limited => {
            let at = Time::parse("2199-01-01T00:00:00Z").unwrap();
            let hold = Hold::Until { at, why: "rate limit".to_owned() };
            world.engine().drive_stall(run, work.fence, hold).unwrap();
        }
    }
}

pub(super) fn ends(world: &World, run: &RunId, fence: Fence, message: &str) -> UnitEnd {
    world.engine().drive_end(run, fence, message).unwrap().end
}

/// Returns the number of the retry in a prompt: 0 for the first attempt.
pub(super) fn retry(prompt: &str) -> u32 {
    let number = prompt.rsplit_once("<attempt>").and_then(|(_, rest)| rest.split(' ').next());
    number.map_or(0, |number| number.parse().unwrap())
}

/// Drives until the plan needs a person or time.
pub(super) fn drive(world: &World, run: &RunId, script: Script) -> PlanView {
    for _ in 0..200 {
        if !step(world, run, script) {
            return world.engine().plan_view(run).unwrap();
        }
    }
    panic!("it never ends: {}", state(world));
}
