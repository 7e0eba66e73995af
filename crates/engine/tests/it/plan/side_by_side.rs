//! Two tasks of one wave fail and are retried at the same time.
//!
//! The gates print what some tools print: several lines, and a blank at the end of the last one.

use sprag_core::{Fence, RunId};
use sprag_engine::drive::UnitEnd;

use super::driver::{begin, ends, project, start};
use crate::world::World;

/// Fails until the file has a good line; the output depends on the file's contents.
const CHECK: &str = "grep -q good $1 && exit 0\n\
                     printf 'FAIL %s\\n  expected good, got %s\\n\\n1 failed \\n' $1 \"$(cat $1)\"\n\
                     exit 1\n";

fn task(id: &str, wave: u32) -> String {
    format!(
        "<task id=\"{id}\" wave=\"{wave}\">\n  <files>\n    <file action=\"create\">{id}.txt</file>\n  \
         </files>\n  <action>\n    Write {id}.\n  </action>\n  <verify>\n    \
         <check type=\"test\" cmd=\"sh check.sh {id}.txt\">it passes</check>\n  </verify>\n  \
         <done>{id}.txt is good</done>\n</task>\n\n"
    )
}

fn world() -> World {
    let world = project("yolo", "");
    let tasks = [("01", 1), ("02", 1), ("03", 2), ("04", 2)];
    let text: String = tasks.iter().map(|(id, wave)| task(id, *wave)).collect();
    world.env.write(
        ".gsd/plans/phase-1/plan.md",
        format!("---\nphase: 1\ntitle: Letters\n---\n\n{text}"),
    );
    world.env.write("check.sh", CHECK);
    for (id, _) in tasks {
        world.trust(&["sh", "check.sh", &format!("{id}.txt")]);
    }
    world
}

/// Writes the file of a task and ends its attempt; returns whether the task passed.
fn passes(world: &World, run: &RunId, id: &str, fence: Fence, text: &str) -> bool {
    world.env.write(format!("{id}.txt"), text);
    matches!(ends(world, run, fence, "TASK COMPLETE"), UnitEnd::Passed(_))
}

#[test]
fn two_tasks_that_fail_and_are_tried_again_together_are_recorded() {
    let world = world();
    let run = start(&world);
    let next = || {
        let work = begin(&world, &run);
        (work.unit.id.to_string(), work.fence)
    };
    let both = |names: [&str; 2]| {
        let (one, two) = (next(), next());
        assert_eq!([one.0.as_str(), two.0.as_str()], names);
        (one.1, two.1)
    };
    let file = || world.env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap();

    let (one, two) = both(["T01", "T02"]);
    assert!(passes(&world, &run, "01", one, "good") && passes(&world, &run, "02", two, "good"));
    let (three, four) = both(["T03", "T04"]);
    assert!(!passes(&world, &run, "03", three, "a") && !passes(&world, &run, "04", four, "a"));
    let (three, four) = both(["T03", "T04"]);
    let text = file();
    let tasks = "  tasks:\n    \"01\": complete\n    \"02\": complete\nbaselines:\n";
    assert!(text.contains(tasks) && text.contains("\nfailed:\n  T03:\n"), "{text}");
    assert!(text.contains("\n        1 failed \n"), "{text}");
    assert!(text.contains("attempts:\n") && text.matches("  - fence: ").count() == 2, "{text}");

    assert!(!passes(&world, &run, "03", three, "b"), "its output is another one now");
    let text = file();
    assert!(text.contains("\"03\": again\n") && text.contains("expected good, got b\n"), "{text}");
    let three = next().1;
    assert!(passes(&world, &run, "03", three, "good"), "while T04 is still worked on");
    let text = file();
    assert!(text.contains("    \"03\": complete\nbaselines:\n  T04: "), "{text}");
    assert!(text.contains("\nfailed:\n  T04:\n"), "{text}");
    // A time has digits after its hour, so `T03` at the end of a line is the task.
    let names_three = |line: &str| line.ends_with("T03") || line.ends_with("T03:");
    assert!(text.contains("unit: T04\n") && !text.lines().any(names_three), "{text}");
    assert!(passes(&world, &run, "04", four, "good"));
    let text = file();
    assert!(text.contains("    \"04\": complete\n") && !text.contains("failed:"), "{text}");
}
