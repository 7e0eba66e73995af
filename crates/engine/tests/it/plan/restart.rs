//! A second process takes over at any moment, and the plan ends in the same state.

use sprag_core::Id;
use sprag_engine::plan::Stands;

use super::driver::{Script, Turn, diligent, drive, project, retry, start, step};
use super::scenes::stubs;
use crate::world::World;

/// Fails, lies and leaves a stub, then does better.
fn careless(world: &World, unit: &str, retry: u32) -> Turn {
    match (unit, retry) {
        ("T02", 0) => Turn::Says("TASK FAILED: it is hard"),
        ("T02", 1) => Turn::Says("TASK COMPLETE"),
        ("T03" | "verify" | "FIX-01", _) => stubs(world, unit, retry),
        _ => diligent(world, unit, retry),
    }
}

/// Returns everything the documents say, without what differs between two runs.
fn told(world: &World, run: &Id) -> Vec<String> {
    let files = [
        ".gsd/STATE.md".to_owned(),
        ".gsd/ROADMAP.md".to_owned(),
        format!(".sprag/runs/{run}/run.yaml"),
    ];
    let text = files.map(|file| world.env.read(&file).unwrap()).join("\n");
    let is_same = |line: &&str| {
        let differs =
            ["started:", "last_iteration:", "ended:", "last_active:", "digest:", "at:", "tree:"];
        !differs.iter().any(|key| line.trim_start().starts_with(key))
    };
    text.lines().filter(is_same).map(|line| line.replace(run.as_str(), "RUN")).collect()
}

fn finish(world: &World, run: &Id, script: Script) -> Vec<String> {
    assert_eq!(drive(world, run, script).stands, Stands::Done);
    told(world, run)
}

/// Makes a copy of a project as a kill would leave it.
fn copy(world: &World) -> World {
    let copy = World::new("");
    for file in world.env.files() {
        // What is not text is a cache.
        if let Some(text) = world.env.read(&file) {
            copy.env.write(&file, text);
        }
    }
    copy
}

#[test]
fn killed_between_any_two_steps_it_ends_in_the_same_state() {
    let world = project("yolo", "");
    let run = start(&world);
    let mut left = vec![copy(&world)];
    while step(&world, &run, careless) {
        left.push(copy(&world));
    }
    left.pop();
    let whole = told(&world, &run);
    assert!(left.len() > 12, "{}", left.len());
    for (killed, world) in left.iter().enumerate() {
        // The agent of the attempt that was under way may have done all of its work.
        if let Some(work) = world.engine().plan_view(&run).unwrap().working.first() {
            careless(world, work.unit.as_str(), retry(&work.prompt));
        }
        assert_eq!(world.engine().plan_start(None).unwrap(), run, "it is found, not begun again");
        assert_eq!(finish(world, &run, careless), whole, "killed after {killed} steps");
    }
}
