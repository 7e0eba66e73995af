//! A driven agent that ends without a change: refused once, then held.

use sprag_core::{Hold, RunId, Stuck, UnitId};
use sprag_engine::drive::{BegunUnit, Coming, UnitEnd};

use crate::world::World;

const BUILD: &str =
    "---\nid: build\nname: Build\nemoji: 🔨\ngates:\n  - run: sh test.sh\n---\nGo.\n";

fn world() -> (World, RunId) {
    let world = World::new("");
    let workflow = "name: Dev\ncommandName: dev\ninitialMessage: Begin\nphases: [build.md]\n";
    world.env.write(".sprag/workflows/dev/workflow.yaml", workflow);
    world.env.write(".sprag/workflows/dev/build.md", BUILD);
    world.trust(&["sh", "test.sh"]);
    let begun = world.engine().start("dev", "csv", None).unwrap();
    let run = begun.run;
    world.engine().drive_claim(&run).unwrap();
    (world, run)
}

fn begins(world: &World, run: &RunId) -> Box<BegunUnit> {
    match world.engine().drive_begin(run, "claude", 1).unwrap() {
        Coming::Begun(work) => work,
        other @ (Coming::Held(_) | Coming::Wait { .. } | Coming::Done | Coming::Cancelled) => {
            panic!("{other:?}")
        }
    }
}

fn ends(world: &World, run: &RunId, work: &BegunUnit) -> UnitEnd {
    world.engine().drive_end(run, work.fence, "done").unwrap().end
}

/// Returns the counted ends without a change.
fn counted(world: &World, run: &RunId, work: &BegunUnit) -> serde_json::Value {
    let text = world.env.read(format!(".sprag/runs/{run}/agents.json")).unwrap();
    let agents: serde_json::Value = serde_json::from_str(&text).unwrap();
    agents["working"][work.fence.0.0.to_string()]["idle"].clone()
}

#[test]
fn the_second_end_without_a_change_holds_and_so_does_every_one_after_it() {
    let (world, run) = world();
    let first = begins(&world, &run);
    assert_eq!(first.evidence, None);
    assert!(matches!(ends(&world, &run, &first), UnitEnd::Failed { .. }));
    let again = begins(&world, &run);
    assert_eq!(again.retry.map(|retry| retry.number), Some(1));
    assert!(again.evidence.is_some() && again.prompt.contains("code.txt: not good"));
    let why = "sh test.sh: code.txt: not good".to_owned();
    assert_eq!(ends(&world, &run, &again), UnitEnd::Unchanged { why: why.clone(), is_news: false });
    assert_eq!(counted(&world, &run, &again), 1);
    let unit = UnitId::parse("dev/build").unwrap();
    let hold = Hold::NoProgress { what: Stuck::Unchanged { unit, failure: why.clone() } };
    assert_eq!(ends(&world, &run, &again), UnitEnd::Held { hold: hold.clone() });
    assert_eq!(counted(&world, &run, &again), 2);
    // After a resume it is judged as it is.
    world.engine().resume(&run, "person").unwrap();
    assert_eq!(ends(&world, &run, &again), UnitEnd::Held { hold });
    assert_eq!(counted(&world, &run, &again), 3);
    // A new agent gets its own tries.
    world.engine().resume(&run, "person").unwrap();
    let anew = world.engine().drive_again(&run, again.fence, "claude").unwrap().unwrap();
    assert_eq!(ends(&world, &run, &anew), UnitEnd::Unchanged { why, is_news: false });
}
