//! Ways in which an agent may try to evade the rules of a milestone tree, and their results.

use crate::milestones::{RULES, SLICE, execute, finish, next, plan_of, review, tree};
use crate::world::{World, session};
use sprag_engine::step::Stepped;

/// Creates a tree in which the review of T01 is dispatched.
fn in_review() -> (World, sprag_core::RunId) {
    let world = tree(RULES);
    let run = world.engine().milestones(None).unwrap();
    next(&world, &run);
    execute(&world, "T01");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "review-task M001/S01/T01");
    (world, run)
}

#[test]
fn a_task_that_is_done_on_the_side_is_reviewed_as_well() {
    let world = tree(RULES);
    let run = world.engine().milestones(None).unwrap();
    assert_eq!(next(&world, &run), "execute-task M001/S01/T01");
    execute(&world, "T01");
    execute(&world, "T02");
    finish(&world, &run);
    let held = "held: `tree` is not proven: M001/S01/T02 done, never begun";
    assert_eq!(next(&world, &run), held, "another unit's box is a person's");
    world.engine().resume(&run, "person").unwrap();
    assert_eq!(next(&world, &run), "review-task M001/S01/T01");
    review(&world, "T01", 1, "VERDICT: pass\n");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "review-task M001/S01/T02", "it was not dispatched");
    review(&world, "T02", 1, "VERDICT: pass\n");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "complete-slice M001/S01");
}

#[test]
fn a_task_that_is_done_before_the_first_stop_is_reviewed() {
    let world = tree(RULES);
    world.begins("a");
    world.engine().milestones(Some(&session("a"))).unwrap();
    execute(&world, "T01");
    let first = world.refused("a");
    assert!(first.contains("Review the work on M001/S01/T01"), "{first}");
}

#[test]
fn what_was_done_before_the_run_is_left_alone() {
    let world = tree(RULES);
    execute(&world, "T01");
    let run = world.engine().milestones(None).unwrap();
    assert_eq!(next(&world, &run), "execute-task M001/S01/T02");
}

#[test]
fn ticking_the_slice_does_not_end_the_review_of_its_task() {
    let (world, run) = in_review();
    let roadmap = "# M001: Parser\n\n## Slices\n\n- [x] **S01: Lexer** `risk:low` `depends:[]`\n\
                   - [ ] **S02: Parser** `risk:low` `depends:[S01]`\n";
    world.env.write(".gsd/milestones/M001/M001-ROADMAP.md", roadmap);
    assert_eq!(next(&world, &run), "review-task M001/S01/T01");
    review(&world, "T01", 1, "VERDICT: issues\n- [critical] a\n");
    finish(&world, &run);
    assert!(next(&world, &run).contains("M001/S01 done, never begun"));
    world.engine().resume(&run, "person").unwrap();
    assert_eq!(next(&world, &run), "fix-task M001/S01/T01");
    assert!(plan_of(&world, "T01").contains("status: fixing"));
}

#[test]
fn taking_the_state_of_a_review_away_does_not_end_it() {
    let (world, run) = in_review();
    world.env.write(format!("{SLICE}/tasks/T01-PLAN.md"), "---\nid: T01\n---\n# T01\n");
    review(&world, "T01", 1, "VERDICT: issues\n- [critical] a\n");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "fix-task M001/S01/T01");
}

#[test]
fn a_unit_that_passes_and_comes_again_is_held() {
    let world = tree("");
    let preferences = "---\nphases:\n  skip_research: true\n---\n";
    world.env.write(".gsd/PREFERENCES.md", preferences);
    let text = "# S01: Lexer\n\nNo task yet: **T\n";
    world.env.write(format!("{SLICE}/S01-PLAN.md"), text);
    let run = world.engine().milestones(None).unwrap();
    for _ in 0..2 {
        assert_eq!(next(&world, &run), "plan-slice M001/S01");
        assert!(!matches!(finish(&world, &run), Stepped::Failed { .. }));
    }
    let held = next(&world, &run);
    assert!(held.contains("plan-slice M001/S01 derived 3 consecutive times"), "{held}");
    world.engine().resume(&run, "person").unwrap();
    assert_eq!(next(&world, &run), "plan-slice M001/S01", "a person may insist");
}

#[test]
fn what_was_counted_for_a_finished_task_is_forgotten() {
    let (world, run) = in_review();
    let file = format!(".sprag/runs/{run}/run.yaml");
    let bounds = |world: &World| world.env.read(&file).unwrap().matches("review-loop/").count();
    assert!(bounds(&world) > 0);
    review(&world, "T01", 1, "VERDICT: pass\n");
    finish(&world, &run);
    assert_eq!(bounds(&world), 0);
}

#[test]
fn two_rules_of_one_name_are_never_taken_for_one() {
    let world =
        tree("rules:\n  - name: check\n    run: [sh, -c, exit 1]\n    after: [execute-task]\n");
    let hooks = "---\npost_unit_hooks:\n  - {name: check, after: [execute-task], prompt: p}\n---\n";
    world.env.write(".gsd/PREFERENCES.md", hooks);
    let refused = world.engine().milestones(None).unwrap_err().to_string();
    assert!(refused.contains("another rule is called `check` as well"), "{refused}");
    let other = "---\npre_dispatch_hooks:\n  - {name: check, before: [execute-task], action: modify, \
                 prepend: p}\n---\n";
    world.env.write(".gsd/PREFERENCES.md", other);
    assert!(world.engine().milestones(None).is_ok(), "they are never asked at the same time");
}
