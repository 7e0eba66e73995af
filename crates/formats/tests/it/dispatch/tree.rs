//! Random trees.

use std::collections::BTreeMap;

use sprag_formats::gsd::Memory;

use crate::random::Random;

/// Makes a tree with a few milestones, slices and tasks, some of them done.
pub(super) fn tree(random: &mut Random) -> Memory {
    let mut files = BTreeMap::new();
    for milestone in 1..=random.below(2) + 1 {
        let id = format!("M{milestone:03}");
        let slices = random.below(2) + 1;
        let folder = format!("milestones/{id}");
        files.insert(format!("{folder}/{id}-CONTEXT.md"), format!("# {id}: Work\n\nText.\n"));
        if random.below(3) > 0 {
            files.insert(format!("{folder}/{id}-RESEARCH.md"), "# Research\n\nText.\n".into());
        }
        let mut roadmap = format!("# {id}: Work\n\n**Vision:** it works\n\n## Slices\n\n");
        for slice in 1..=slices {
            roadmap.push_str(&format!(
                "- [ ] **S{slice:02}: Part** `risk:low` `depends:[]`\n  > After this: it does\n"
            ));
            if random.below(4) > 0 {
                tasks(&format!("{folder}/slices/S{slice:02}"), slice, random, &mut files);
            }
        }
        files.insert(format!("{folder}/{id}-ROADMAP.md"), roadmap);
    }
    Memory(files)
}

/// Writes the plan of a slice with its tasks.
fn tasks(folder: &str, slice: usize, random: &mut Random, files: &mut BTreeMap<String, String>) {
    let mut plan = format!("# S{slice:02}: Part\n\n**Goal:** g\n\n## Tasks\n\n");
    for task in 1..=random.below(3) + 1 {
        let done = random.below(4) == 0;
        let mark = if done { "x" } else { " " };
        plan.push_str(&format!("- [{mark}] **T{task:02}: Do it** `est:1h`\n"));
        let own = format!("{folder}/tasks/T{task:02}");
        files.insert(format!("{own}-PLAN.md"), format!("---\nid: T{task:02}\n---\n# Do it\n"));
        if done {
            files.insert(format!("{own}-SUMMARY.md"), "---\nid: T\n---\n# Done\n".into());
        }
    }
    files.insert(format!("{folder}/S{slice:02}-PLAN.md"), plan);
    files.insert(format!("{folder}/S{slice:02}-RESEARCH.md"), "# Research\n\nText.\n".into());
}
