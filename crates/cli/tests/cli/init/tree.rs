//! `init` in a project with a milestone tree: it shows the tree before anything is written.

use super::World;

#[test]
fn it_tells_what_it_read_and_where_gsd_would_do_something_else() {
    let world = World::new();
    let below = |name: &str| format!(".gsd/milestones/M001/{name}");
    let roadmap = "# M001: Shop\n\n## Slice Overview\n| ID | Slice | Done | After this |\n\
                   |--|--|--|--|\n| S01 | Cart | ⬜ | user can complete a purchase |\n\
                   | S02 | Pay | ⬜ | pay works |\n";
    world.env.write(below("M001-ROADMAP.md"), roadmap);
    let plan = "# S01: Cart\n\n## Tasks\n\n- [x] **T01: a**\n- [ ] **T02: b**\n";
    world.env.write(below("slices/S01/S01-PLAN.md"), plan);
    world.env.write(below("slices/S01/tasks/T02-PLAN.md"), "# T02: b\n");
    let said = world.types(&["init", "--dry-run"]).stdout;
    let begins = "      Read .gsd (GSD): 1 milestone, 0 done; 2 slices, 0 done; 2 tasks, 1 done\n      \
                  Next execute-task M001/S01/T02\n      \
                  Note GSD would do this instead: research-slice M001/S02; at \
                  .gsd/milestones/M001/M001-ROADMAP.md:6 it takes the word done or complete";
    assert!(said.starts_with(begins), "{said}");
}
