//! `sprag next gsd`, and the output of `check` and `init` on a milestone tree.

use sprag_world::root::{RootSearch, find};
use std::path::Path;

use serde_json::{Value, json};
use sprag_testkit::Test;

use crate::support::{object, sprag};

const ROADMAP: &str = "# M001: Shop\n\n## Slice Overview\n\
    | ID | Slice | Risk | Depends | Done | After this |\n\
    |----|-------|------|---------|------|------------|\n\
    | S01 | Cart | low | — | ⬜ | user can complete a purchase |\n\
    | S02 | Pay | high | S01 | ⬜ | pay works |\n";
const PLAN: &str = "# S01: Cart\n\n## Tasks\n\n- [x] **T01: Model**\n- [ ] **T02: View**\n";
const TASK: &str = "---\nid: T01\nextensions:\n  review-loop:\n    activeReview:\n      \
    taskId: T01\n      cycle: 2\n      status: fixing\n---\n# T01: Model\n";

/// A tree in the middle of its first slice, which GSD considers done.
fn shop() -> Test {
    let below = |name: &str| format!(".gsd/milestones/M001/{name}");
    sprag()
        .file(below("M001-CONTEXT.md"), "# M001: Shop\n")
        .file(below("M001-ROADMAP.md"), ROADMAP)
        .file(below("slices/S01/S01-PLAN.md"), PLAN)
        .file(below("slices/S01/tasks/T01-PLAN.md"), TASK)
        .file(below("slices/S01/tasks/T01-SUMMARY.md"), "---\nid: T01\n---\n# T01: Model\n")
        .file(below("slices/S01/tasks/T02-PLAN.md"), "# T02: View\n")
}

#[test]
fn next_says_the_unit_the_row_and_why_the_rows_above_did_not_match() {
    shop()
        .run(["next", "gsd"])
        .stdout(
            "
                    Next execute-task M001/S01/T02
                     Row executing → execute-task
                   Phase executing; 0 of 1 milestones complete
                    Says Execute T02: View in slice S01.
                     Not only a database has that phase: 3 rows
                     Not no override waits: rewrite-docs (override gate)
                     Not a slice has a plan: execution-entry phase (no context) → discuss-milestone
                     Not the phase is executing: 10 rows
                     Not uat_dispatch is not set: run-uat (post-completion)
                     Not it never matches: uat-verdict-gate (non-PASS blocks progression)
                     Not the preferences do not ask for it: reassess-roadmap (post-completion)
                     Not planning_depth is not deep: 5 rows
                     Not an open task does not say which files it needs or makes: executing → reac…
                     Not the task has a plan: executing → execute-task (recover missing task plan …
                    Note 1 problem: sprag check
            ",
        )
        .exit(0);
}

#[test]
fn the_object_has_the_originals_fields_and_what_rules_keep() {
    let (said, exit) = object(shop().run(["next", "gsd", "--json"]));
    assert_eq!(exit, Some(0));
    let dispatch = &said["dispatch"];
    assert_eq!(dispatch["action"], "dispatch");
    assert_eq!(dispatch["unitType"], "execute-task");
    assert_eq!(dispatch["unitId"], "M001/S01/T02");
    assert_eq!(dispatch["matchedRule"], "executing → execute-task");
    assert_eq!(dispatch["above"].as_array().map(Vec::len), Some(25));
    let state = &said["state"];
    assert_eq!(state["activeTask"], json!({ "id": "T02", "title": "View" }));
    assert_eq!(state["progress"]["slices"], json!({ "done": 0, "total": 2 }));
    let kept = &state["extensions"]["M001/S01/T01"]["review-loop"]["activeReview"];
    assert_eq!(*kept, json!({ "taskId": "T01", "cycle": 2, "status": "fixing" }));
}

#[test]
fn preferences_that_cannot_be_understood_stop_everything() {
    let test = shop().file(".gsd/PREFERENCES.md", "---\nphases:\n  skip_research: maybe\n---\n");
    let (said, exit) = object(test.run(["next", "gsd", "--json"]));
    assert_eq!(exit, Some(9));
    assert_eq!(said["dispatch"]["action"], "stop");
    let why = said["dispatch"]["reason"].as_str().unwrap();
    assert!(why.starts_with(".gsd/PREFERENCES.md cannot be read: line 3:"), "{why}");
}

#[test]
fn what_is_no_tree_is_said() {
    let flat = sprag().file(".gsd/phases/01-a/PLAN.md", "x");
    let (said, exit) = object(flat.run(["next", "gsd", "--json"]));
    assert_eq!((exit, &said["ok"]), (Some(9), &Value::Bool(false)));
    let none = sprag().file(".gsd/config.md", "x");
    let (_, exit) = object(none.run(["next", "gsd", "--json"]));
    assert_eq!(exit, Some(4));
    let (_, exit) = object(shop().run(["next", "other", "--json"]));
    assert_eq!(exit, Some(2));
}

#[test]
fn check_names_the_line_and_the_rule_where_gsd_reads_something_else() {
    let (said, exit) = object(shop().run(["check", "--json", "."]));
    assert_eq!(exit, Some(0));
    let told = &said["checked"][0];
    assert_eq!(
        *told,
        json!({
            "kind": "tree", "file": ".gsd", "told": "1 milestone, 0 done; 2 tasks, 1 done",
        })
    );
    let problem = said["problems"][0].to_string();
    for part in ["M001-ROADMAP.md", "\"line\":6", "table-done-words", "warning"] {
        assert!(problem.contains(part), "{part}: {problem}");
    }
}

#[test]
fn a_link_in_a_tree_is_not_followed() {
    let test = shop();
    let link = test.env.project().join(".gsd/REQUIREMENTS.md");
    std::os::unix::fs::symlink("/etc/hostname", link).unwrap();
    let (said, exit) = object(test.run(["next", "gsd", "--json"]));
    assert_eq!(exit, Some(9));
    let why = said["dispatch"]["reason"].as_str().unwrap();
    assert!(why.contains("REQUIREMENTS.md") && why.contains("symbolic link"), "{why}");
}

#[test]
fn the_recorded_trees_are_answered_with_at_least_the_recorded_fields() {
    let trees = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/gsd/trees");
    let mut seen = 0;
    for tree in std::fs::read_dir(&trees).unwrap() {
        let tree = tree.unwrap().path();
        let folder = tree.to_str().unwrap();
        let test = sprag();
        let place =
            find(RootSearch { folder: &tree.canonicalize().unwrap(), home: None, named: None });
        test.env.let_own(&place.unwrap().unwrap().state);
        let (said, exit) = object(test.run(["-C", folder, "next", "gsd", "--json"]));
        assert_eq!(exit, Some(0), "{folder}");
        for (key, file) in [("state", "expected.json"), ("dispatch", "expected.dispatch.json")] {
            let expected = std::fs::read_to_string(tree.join(file)).unwrap();
            let expected: Value = serde_json::from_str(&expected).unwrap();
            for (field, value) in expected.as_object().unwrap() {
                assert_eq!(said[key][field], *value, "{folder}: {key}.{field}");
            }
        }
        seen += 1;
    }
    assert!(seen >= 7, "{seen} trees");
}

#[test]
fn a_database_beside_the_tree_is_said() {
    let (said, _) = object(shop().file(".gsd/gsd.db", "x").run(["next", "gsd", "--json"]));
    assert_eq!(said["era"], "database");
    let (said, _) = object(shop().run(["next", "gsd", "--json"]));
    assert_eq!(said["era"], "markdown");
}
