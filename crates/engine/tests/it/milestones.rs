//! A milestone tree with rules around its units: in a driven run, and in a session.

use sprag_core::{Fence, Hold, Ran, RunId};
use sprag_engine::milestones::Dispatch;
use sprag_engine::step::{Stepped, WorkflowActor};

use crate::world::{World, session};

pub(crate) const SLICE: &str = ".gsd/milestones/M001/slices/S01";

/// Creates a project with a slice of two tasks.
pub(crate) fn tree(config: &str) -> World {
    let world = World::new(config);
    let env = &world.env;
    env.write(".gsd/milestones/M001/M001-CONTEXT.md", "# M001: Parser\n\nA parser.\n");
    env.write(
        ".gsd/milestones/M001/M001-ROADMAP.md",
        "# M001: Parser\n\n## Slices\n\n- [ ] **S01: Lexer** `risk:low` `depends:[]`\n",
    );
    let plan = "# S01: Lexer\n\n**Goal:** tokens\n\n## Tasks\n\n- [ ] **T01: Numbers** `est:1h`\n\
                - [ ] **T02: Strings** `est:1h`\n";
    env.write(format!("{SLICE}/S01-PLAN.md"), plan);
    for task in ["T01", "T02"] {
        let text = format!("---\nid: {task}\n---\n# {task}\n\nDo it.\n");
        env.write(format!("{SLICE}/tasks/{task}-PLAN.md"), text);
    }
    world
}

pub(crate) fn plan_of(world: &World, task: &str) -> String {
    world.env.read(format!("{SLICE}/tasks/{task}-PLAN.md")).unwrap()
}

/// Does the work of `execute-task`.
pub(crate) fn execute(world: &World, task: &str) {
    let plan = world.env.read(format!("{SLICE}/S01-PLAN.md")).unwrap();
    let ticked = plan.replace(&format!("[ ] **{task}:"), &format!("[x] **{task}:"));
    world.env.write(format!("{SLICE}/S01-PLAN.md"), ticked);
    world.env.write(
        format!("{SLICE}/tasks/{task}-SUMMARY.md"),
        format!("---\nid: {task}\n---\n# Done\n"),
    );
}

pub(crate) fn review(world: &World, task: &str, cycle: u32, text: &str) {
    let number = if cycle == 1 { String::new() } else { format!("-{cycle}") };
    world.env.write(format!("{SLICE}/tasks/{task}-CODE-REVIEW{number}.md"), text);
}

/// Dispatches and returns the unit, or why there is none.
pub(crate) fn next(world: &World, run: &RunId) -> String {
    match world.engine().dispatch(run, "driver").unwrap() {
        Dispatch::Begun { unit, .. } => unit.id.to_string(),
        Dispatch::Held(hold) => format!("held: {hold}"),
        Dispatch::Wait(on) => format!("wait: {on}"),
        Dispatch::Done => "done".to_owned(),
    }
}

fn fence(world: &World, run: &RunId) -> Fence {
    match world.engine().dispatch(run, "driver").unwrap() {
        Dispatch::Begun { fence, .. } => fence,
        other @ (Dispatch::Held(_) | Dispatch::Wait(_) | Dispatch::Done) => panic!("{other:?}"),
    }
}

pub(crate) fn finish(world: &World, run: &RunId) -> Stepped {
    world.engine().step_next(run, WorkflowActor::Person, None).unwrap()
}

pub(crate) const RULES: &str = "rules:\n  - name: review-loop\n";

#[test]
fn a_task_is_reviewed_and_fixed_until_nothing_is_found() {
    let world = tree(RULES);
    let run = world.engine().milestones(None).unwrap();
    assert_eq!(world.engine().milestones(None).unwrap(), run, "there is one run of a tree");
    assert_eq!(next(&world, &run), "execute-task M001/S01/T01");
    assert!(matches!(finish(&world, &run), Stepped::Failed { .. }), "nothing is written yet");
    execute(&world, "T01");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "review-task M001/S01/T01", "before the next task");
    assert!(plan_of(&world, "T01").contains("status: pending_review"));
    review(
        &world,
        "T01",
        1,
        "VERDICT: issues\n- [critical] src/a.rs:3: it loses a digit\n- [minor] b\n",
    );
    finish(&world, &run);
    assert_eq!(next(&world, &run), "fix-task M001/S01/T01");
    let text = plan_of(&world, "T01");
    assert!(text.contains("status: fixing") && text.contains("cycle: 1"), "{text}");
    assert!(text.contains("lastReviewPath: \"tasks/T01-CODE-REVIEW.md\""), "{text}");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "review-task M001/S01/T01");
    review(&world, "T01", 2, "VERDICT: pass\n");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "execute-task M001/S01/T02");
    let text = plan_of(&world, "T01");
    assert!(text.contains("completedReviews:") && text.contains("cycles: 2"), "{text}");
    assert!(!text.contains("activeReview"), "{text}");
    assert!(text.ends_with("---\n# T01\n\nDo it.\n"), "{text}");
}

/// The front matter block of GSD's proposal, without any other rules.
#[test]
fn the_example_of_the_proposal_resumes_literally() {
    let world = tree("");
    world.env.write(
        ".gsd/PREFERENCES.md",
        "---\ngsd_hooks:\n  enabled:\n    - name: review-loop\n      source: my-review-loop\n---\n",
    );
    execute(&world, "T01");
    let block = "---\nid: T01\nextensions:\n  review-loop:\n    activeReview:\n      taskId: T01\n      \
                 cycle: 2\n      status: fixing\n      lastReviewPath: tasks/T01-CODE-REVIEW.md\n---\n# T01\n";
    world.env.write(format!("{SLICE}/tasks/T01-PLAN.md"), block);
    let run = world.engine().milestones(None).unwrap();
    let Dispatch::Begun { unit, prompt, .. } = world.engine().dispatch(&run, "driver").unwrap()
    else {
        panic!()
    };
    assert_eq!(unit.id.as_str(), "fix-task M001/S01/T01");
    assert!(prompt.contains("cycle 2 of 5"), "{}", prompt);
    assert!(prompt.contains("`tasks/T01-CODE-REVIEW.md`"), "{}", prompt);
    finish(&world, &run);
    assert_eq!(next(&world, &run), "review-task M001/S01/T01");
    let text = plan_of(&world, "T01");
    assert!(text.contains("cycle: 3") && text.contains("status: pending_review"), "{text}");
    review(&world, "T01", 3, "VERDICT: pass\n");
    finish(&world, &run);
    assert_eq!(next(&world, &run), "execute-task M001/S01/T02");
}

#[test]
fn the_run_may_be_lost_and_the_review_goes_on_from_front_matter() {
    let world = tree(RULES);
    let run = world.engine().milestones(None).unwrap();
    next(&world, &run);
    execute(&world, "T01");
    finish(&world, &run);
    next(&world, &run);
    review(&world, "T01", 1, "VERDICT: issues\n- [critical] one\n- [critical] two\n");
    finish(&world, &run);
    world.env.remove(format!(".sprag/runs/{run}/run.yaml"));
    let other = world.engine().milestones(None).unwrap();
    assert_ne!(other, run);
    let Dispatch::Begun { unit, prompt, .. } = world.engine().dispatch(&other, "driver").unwrap()
    else {
        panic!()
    };
    assert_eq!(unit.id.as_str(), "fix-task M001/S01/T01");
    assert!(prompt.contains("1. [critical] one\n2. [critical] two"), "{}", prompt);
}

#[test]
fn what_is_lost_before_it_ran_is_given_back_once() {
    let world = tree(RULES);
    let run = world.engine().milestones(None).unwrap();
    next(&world, &run);
    execute(&world, "T01");
    finish(&world, &run);
    let used = |world: &World| {
        let text = world.env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap();
        let at = text.find("review-loop/execute-task/M001/S01/T01:").unwrap();
        text[at..]
            .lines()
            .find(|line| line.trim().starts_with("used:"))
            .map(str::trim)
            .map(str::to_owned)
    };
    assert_eq!(next(&world, &run), "review-task M001/S01/T01");
    assert_eq!(used(&world).as_deref(), Some("used: 1"), "charged with the dispatch");
    let fence = fence(&world, &run);
    world.engine().drive_lost(&run, fence, Ran::No, "").unwrap();
    assert_eq!(used(&world).as_deref(), Some("used: 0"));
    assert_eq!(next(&world, &run), "review-task M001/S01/T01", "and dispatched again");
    assert!(
        world.engine().drive_lost(&run, fence, Ran::Yes, "").is_err(),
        "the old fence is stale"
    );
}

#[test]
fn a_preference_that_does_not_parse_refuses_to_dispatch_and_says_where() {
    let world = tree("");
    let run = world.engine().milestones(None).unwrap();
    let broken = "---\nmode: solo\npost_unit_hooks:\n  - name: a\n    after: execute-task\n    prompt: p\n---\n";
    world.env.write(".gsd/PREFERENCES.md", broken);
    let error = world.engine().dispatch(&run, "driver").unwrap_err().to_string();
    assert!(error.starts_with(".gsd/PREFERENCES.md:5:12: "), "{error}");
    world.env.write(".gsd/PREFERENCES.md", "---\nmode: [\n---\n");
    let error = world.engine().dispatch(&run, "driver").unwrap_err().to_string();
    assert!(error.starts_with(".gsd/PREFERENCES.md:"), "{error}");
    world.env.write(".gsd/PREFERENCES.md", "---\nmode: solo\n---\n");
    assert_eq!(next(&world, &run), "execute-task M001/S01/T01");
}

const VETO: &str = "rules:\n  - name: veto\n    run: [sh, veto.sh]\n    before: [execute-task]\n";

#[test]
fn a_command_vetoes_a_unit_wherever_it_would_begin() {
    let world = tree(VETO);
    world.env.write("veto.sh", "echo '{\"v\":1,\"do\":\"hold\",\"why\":\"not on a Friday\"}'\n");
    let run = world.engine().milestones(Some(&session("a"))).unwrap();
    let untrusted = "`sh veto.sh` is not yet allowed to run here";
    assert_eq!(next(&world, &run), format!("held: {untrusted}"));
    assert_eq!(world.waits(), [untrusted], "status shows it without running anything");
    world.engine().approve(&run, None, "person").unwrap();
    let held = "asks: veto of M001/S01/T01: not on a Friday";
    assert_eq!(next(&world, &run), format!("held: {held}"));
    let said = world.free("a");
    assert!(said.iter().any(|line| line.contains(held)), "in session as well: {said:?}");
    assert_eq!(world.waits(), [held], "and status remembers it, and asks no person");
    world.env.write("veto.sh", "exit 3\n");
    let broken = "held: `veto` is not proven: it exited with 3";
    assert_eq!(next(&world, &run), broken, "a rule that fails never passes");
    world
        .env
        .write("veto.sh", "echo '{\"v\":1,\"do\":\"change\",\"prepend\":\"Read STYLE.md.\"}'\n");
    let Dispatch::Begun { prompt, .. } = world.engine().dispatch(&run, "driver").unwrap() else {
        panic!()
    };
    assert!(prompt.starts_with("Read STYLE.md.\n\nexecute-task M001/S01/T01"), "{}", prompt);
}

#[test]
fn a_person_lets_a_unit_begin_that_a_rule_holds() {
    let world = tree(VETO);
    world.env.write("veto.sh", "echo '{\"v\":1,\"do\":\"hold\",\"why\":\"not on a Friday\"}'\n");
    let run = world.engine().milestones(None).unwrap();
    next(&world, &run);
    world.engine().approve(&run, None, "person").unwrap();
    let held = "asks: veto of M001/S01/T01: not on a Friday";
    assert_eq!(next(&world, &run), format!("held: {held}"));
    world.engine().resume(&run, "person").unwrap();
    assert_eq!(next(&world, &run), format!("held: {held}"), "it is only asked again");
    let shown = Hold::Asked { what: held.trim_start_matches("asks: ").to_owned() };
    world.engine().approve(&run, Some(&shown), "person").unwrap();
    assert_eq!(next(&world, &run), "execute-task M001/S01/T01");
    execute(&world, "T01");
    finish(&world, &run);
    assert!(next(&world, &run).contains("veto of M001/S01/T02"), "this once");
}

#[test]
fn in_a_session_a_stop_is_refused_until_task_and_review_are_done() {
    let world = tree(RULES);
    world.begins("a");
    let run = world.engine().milestones(Some(&session("a"))).unwrap();
    let first = world.refused("a");
    assert!(first.contains("execute-task M001/S01/T01"), "{first}");
    execute(&world, "T01");
    let second = world.refused("a");
    assert!(second.contains("Review the work on M001/S01/T01 (review 1 of 5)"), "{second}");
    review(&world, "T01", 1, "VERDICT: issues\n- [critical] a\n");
    let third = world.refused("a");
    assert!(third.contains("Fix what the review of M001/S01/T01 found"), "{third}");
    assert!(third.contains("1. [critical] a"), "{third}");
    world.env.write("code.txt", "fixed\n");
    let fourth = world.refused("a");
    assert!(fourth.contains("review 2 of 5"), "{fourth}");
    review(&world, "T01", 2, "VERDICT: pass\n");
    let fifth = world.refused("a");
    assert!(fifth.contains("execute-task M001/S01/T02"), "{fifth}");
    assert_eq!(world.run(), run);
}

#[test]
fn an_exhausted_review_is_held_with_its_findings_and_a_person_may_accept_it() {
    let world = tree("rules:\n  - name: review-loop\n    max: 1\n");
    let run = world.engine().milestones(None).unwrap();
    next(&world, &run);
    execute(&world, "T01");
    finish(&world, &run);
    next(&world, &run);
    review(&world, "T01", 1, "VERDICT: issues\n- [critical] a.rs:1: bad\n");
    finish(&world, &run);
    let held = "review-loop of M001/S01/T01: gave up after 1 review rounds; open: a.rs:1: bad";
    assert_eq!(next(&world, &run), format!("held: {held}"));
    assert_eq!(world.waits(), [held]);
    assert!(plan_of(&world, "T01").contains("passed: false"));
    let shown = Hold::RoundsOver { what: held.to_owned() };
    world.engine().approve(&run, Some(&shown), "person").unwrap();
    assert!(plan_of(&world, "T01").contains("accepted: true"));
    assert_eq!(next(&world, &run), "execute-task M001/S01/T02");
}

#[test]
fn a_tree_with_a_database_is_written_only_where_a_person_said_so() {
    let world = tree("");
    world.env.write(".gsd/gsd.db", "binary");
    let refused = world.engine().milestones(None).unwrap_err().to_string();
    assert!(refused.contains("`.gsd/gsd.db` is what GSD goes by"), "{refused}");
    world.env.write(".sprag/config.yaml", "gsd: {write: markdown}\n");
    let run = world.engine().milestones(None).unwrap();
    assert_eq!(next(&world, &run), "execute-task M001/S01/T01");
}

#[test]
fn a_skipped_validation_is_written_and_the_tree_goes_on() {
    let world = tree("");
    let preferences = "---\nphases:\n  skip_milestone_validation: true\n---\n";
    world.env.write(".gsd/PREFERENCES.md", preferences);
    let roadmap = "# M001: Parser\n\n## Slices\n\n- [x] **S01: Lexer** `risk:low` `depends:[]`\n";
    world.env.write(".gsd/milestones/M001/M001-ROADMAP.md", roadmap);
    for task in ["T01", "T02"] {
        execute(&world, task);
    }
    world.env.write(format!("{SLICE}/S01-SUMMARY.md"), "---\nid: S01\n---\n# S01\n\nDone.\n");
    let run = world.engine().milestones(None).unwrap();
    assert_eq!(next(&world, &run), "complete-milestone M001");
    let written = world.env.read(".gsd/milestones/M001/M001-VALIDATION.md").unwrap();
    assert!(written.contains("verdict: pass"), "{written}");
}

#[test]
fn the_persons_own_preferences_count_as_the_run_found_them() {
    let world = tree("");
    let own = "---\npre_dispatch_hooks:\n  - name: own\n    before: [execute-task]\n    action: modify\n    \
               prepend: Mine.\n---\n";
    std::fs::create_dir_all(world.env.home().join(".gsd")).unwrap();
    std::fs::write(world.env.home().join(".gsd/PREFERENCES.md"), own).unwrap();
    let run = world.engine().milestones(None).unwrap();
    std::fs::remove_dir_all(world.env.home().join(".gsd")).unwrap();
    let Dispatch::Begun { prompt, .. } = world.engine().dispatch(&run, "driver").unwrap() else {
        panic!()
    };
    assert!(prompt.starts_with("Mine.\n\n"), "{}", prompt);
}
