//! `sprag next gsd` with rules: shows their effect on the table, and changes nothing.

use sprag_testkit::Test;

use crate::support::{object, sprag};

const SLICE: &str = ".gsd/milestones/M001/slices/S01";

fn tree() -> Test {
    let roadmap = "# M001: Parser\n\n## Slices\n\n- [ ] **S01: Lexer** `risk:low` `depends:[]`\n";
    let plan = "# S01: Lexer\n\n## Tasks\n\n- [x] **T01: Numbers**\n- [ ] **T02: Strings**\n";
    sprag()
        .file(".gsd/milestones/M001/M001-CONTEXT.md", "# M001: Parser\n\nA parser.\n")
        .file(".gsd/milestones/M001/M001-ROADMAP.md", roadmap)
        .file(format!("{SLICE}/S01-PLAN.md"), plan)
        .file(format!("{SLICE}/tasks/T01-PLAN.md"), "---\nid: T01\n---\n# T01\n")
        .file(format!("{SLICE}/tasks/T02-PLAN.md"), "---\nid: T02\n---\n# T02\n")
        .file(format!("{SLICE}/tasks/T01-SUMMARY.md"), "---\nid: T01\n---\n# Done\n")
}

#[test]
fn a_review_that_is_under_way_comes_before_the_table() {
    let hooks = "---\ngsd_hooks:\n  enabled:\n    - name: review-loop\n---\n";
    let block = "---\nid: T01\nextensions:\n  review-loop:\n    activeReview:\n      taskId: T01\n      \
                 cycle: 2\n      status: fixing\n      lastReviewPath: tasks/T01-CODE-REVIEW.md\n---\n";
    let test =
        tree().file(".gsd/PREFERENCES.md", hooks).file(format!("{SLICE}/tasks/T01-PLAN.md"), block);
    let before = test.env.files();
    let (said, test) = test.run(["next", "gsd"]).output();
    assert!(said.stdout.starts_with(" Next fix-task M001/S01/T01\n"), "{}", said.stdout);
    assert!(said.stdout.contains(" Rule review-loop: rework\n"), "{}", said.stdout);
    assert!(said.stdout.contains("Table execute-task M001/S01/T02\n"), "{}", said.stdout);
    assert_eq!(test.env.files(), before, "nothing is written");
    let (said, _) = object(test.run(["next", "gsd", "--json"]));
    assert_eq!(said["next"]["unitType"], "fix-task");
    assert_eq!(said["dispatch"]["unitType"], "execute-task");
}

#[test]
fn without_rules_the_table_speaks_alone() {
    let (said, _) = tree().run(["next", "gsd"]).output();
    assert!(said.stdout.starts_with(" Next execute-task M001/S01/T02\n"), "{}", said.stdout);
    assert!(!said.stdout.contains("Rule "), "{}", said.stdout);
}

#[test]
fn a_preference_that_does_not_parse_is_said_with_its_place() {
    let broken = "---\npost_unit_hooks:\n  - {name: a, prompt: p}\n---\n";
    let (said, _) = tree().file(".gsd/PREFERENCES.md", broken).run(["next", "gsd"]).output();
    assert!(said.stderr.contains(".gsd/PREFERENCES.md:3:"), "{}", said.stderr);
    assert_eq!(said.stdout, "", "and no unit is named");
    assert_eq!(said.exit, Some(9));
}

#[test]
fn what_is_said_of_the_next_unit_stands_beside_what_can_be_done() {
    let (said, _) = object(tree().run(["next", "gsd", "--json"]));
    assert_eq!(said["next"]["unitId"], "M001/S01/T02");
    assert!(said["next"]["safe"].is_array() && said["next"]["human"].is_array(), "{said}");
}

#[test]
fn a_tree_is_started_in_the_session_at_hand_and_its_first_unit_begins() {
    let started = tree().set("SPRAG_SESSION", "claude-a").run(["start", "gsd"]);
    let (said, test) = started.output();
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("(milestone tree)"), "{}", said.stdout);
    assert!(said.stdout.contains("execute-task M001/S01/T02: do the task"), "{}", said.stdout);
    let (said, _) = object(test.run(["next", "gsd", "--json"]));
    assert_eq!(said["next"]["begun"], "execute-task M001/S01/T02");
}

#[test]
fn a_layout_that_is_not_read_is_named_whoever_asks() {
    let flat = || sprag().file(".gsd/phases/01-a/PLAN.md", "# A\n");
    for words in [vec!["next", "gsd"], vec!["next"]] {
        let (said, _) = flat().run(words).output();
        assert_eq!(said.exit, Some(9), "{}", said.stderr);
        assert!(said.stderr.contains("the flat layout of gsd-pi"), "{}", said.stderr);
    }
    let (said, _) = sprag().file(".gsd/gsd.db", "x").run(["next", "gsd"]).output();
    assert_eq!(said.exit, Some(9));
    assert!(said.stderr.contains("have GSD write its Markdown"), "{}", said.stderr);
}
