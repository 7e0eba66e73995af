//! `sprag check` on the documents of opti-gsd: plans and the files beside them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{object, project, sprag};

const PLAN: &str = "---
phase: 1
title: Export
---
## Must-Haves
- [ ] it exports
<task id=\"01\" wave=\"1\">
  <files>
    <file action=\"create\">src/csv.rs</file>
  </files>
  <action>
    Write it.
  </action>
  <verify>
    <check type=\"file\">src/csv.rs exists</check>
    <check type=\"test\" cmd=\"cargo test csv\">tests pass</check>
    <check type=\"browser\">it looks right</check>
  </verify>
  <done>it exports</done>
</task>
";

#[test]
fn a_plan_says_which_checks_are_decided_and_which_are_claims() {
    project()
        .file(".gsd/plans/phase-01/plan.md", PLAN)
        .file(
            ".gsd/STATE.md",
            "---\nloop: {active: true, type: execute, iteration: 2, max_iterations: 18}\n---\n",
        )
        .run(["check"])
        .stdout(
            "
                 Checked .gsd/STATE.md  loop active: execute, iteration 2 of 18
                 Checked .gsd/plans/phase-01/plan.md  1 task in 1 wave: 01
                         01  file      src/csv.rs exists
                             run       cargo test csv (not approved)
                             claim     it looks right
                 Waiting 1 command is not approved, so it will not run: cargo test csv
                Finished 1 plan, 1 document: 0 errors, 0 warnings, in 0 ms
            ",
        )
        .exit(0);
}

#[test]
fn every_problem_of_a_plan_is_shown_and_none_of_it_is_run() {
    let broken = PLAN
        .replace("src/csv.rs</file>", "../csv.rs</file>")
        .replace("  <done>it exports</done>\n", "");
    let (said, _) = project().file("plan.md", broken).run(["check", "plan.md", "--plain"]).output();
    for line in [
        "error[K0301]: `../csv.rs` is no file of this project: `..` may lead out of the project (E_PATH:01)",
        "  --> plan.md:9:5",
        "error[K0301]: task `01` has no `<done>` (E_MISSING:01:done)",
        "  --> plan.md:7:1",
    ] {
        assert!(said.stdout.lines().any(|found| found == line), "{line}\n{}", said.stdout);
    }
    assert!(said.stdout.contains("Failed 2 errors, 0 warnings"), "{}", said.stdout);
    assert_eq!(said.exit, Some(6));
}

#[test]
fn a_phase_of_a_workflow_may_have_the_name_of_a_plan() {
    let phase =
        "---\nid: plan\nname: Plan\nemoji: 🧭\n---\nWrite one:\n\n<task id=\"01\">\n</task>\n";
    for file in ["plan.md", "config.md", "other.md", ".sprag/workflows/dev/plan.md"] {
        let (said, _) = project().file(file, phase).run(["check", file]).output();
        assert!(said.stdout.contains("Finished 1 phase"), "{file}: {}", said.stdout);
    }
}

#[test]
fn a_phase_with_two_folders_is_an_error() {
    let test = project()
        .file(".gsd/plans/phase-1/plan.md", PLAN)
        .file(".gsd/plans/phase-01/plan.md", PLAN)
        .file(".gsd/plans/phase-10/plan.md", PLAN);
    let (said, _) = test.run(["check", "--plain"]).output();
    assert!(said.stdout.contains("this phase has another folder"), "{}", said.stdout);
    assert!(said.stdout.contains("Failed 1 error, 0 warnings"), "{}", said.stdout);
}

#[test]
fn later_versions_are_named_with_what_is_not_read() {
    let test = sprag().file(".opti-gsd/state.json", r#"{"phase": 3, "phases": {}}"#);
    let (said, test) = test.run(["status"]).output();
    assert!(said.stdout.contains("opti-gsd 2 or 3"), "{}", said.stdout);
    let (said, test) = test.run(["why"]).output();
    assert!(said.stderr.contains("`sprag check` shows which parts sprag reads"), "{}", said.stderr);
    let (said, _) = test.run(["check"]).output();
    assert!(said.stdout.contains("Checked .opti-gsd/state.json  phase 3"), "{}", said.stdout);
    let named = "the state of opti-gsd 2 and 3: shown only; not read: phases";
    assert!(said.stdout.contains(named), "{}", said.stdout);
    assert_eq!(said.exit, Some(0));
}

#[test]
fn the_originals_own_entry_is_told_what_is_wrong_with_it() {
    let hooks = json!({"hooks": {"Stop": [{"matcher": "", "hooks": [{
        "type": "command", "command": "bash \"$CLAUDE_PROJECT_DIR/hooks/stop-hook.sh\"",
    }]}]}});
    let (said, _) = project()
        .file("hooks/hooks.json", hooks.to_string())
        .run(["check", "hooks/hooks.json"])
        .output();
    assert!(said.stdout.contains("the entry for Stop does not work"), "{}", said.stdout);
}

fn samples(kind: &str) -> Vec<(PathBuf, Value)> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/opti-gsd").join(kind);
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    found.sort();
    let expect = |path: PathBuf| {
        let text = std::fs::read_to_string(path.with_extension("expect.json")).unwrap();
        (path, serde_json::from_str(&text).unwrap())
    };
    found.into_iter().map(expect).collect()
}

/// The fields that are compared literally; `conformance` compares the others.
const FIELDS: [&str; 14] = [
    "kind",
    "task_ids",
    "must_haves",
    "key_links",
    "schedule",
    "mode",
    "execute_max_retries",
    "verify_max_iterations",
    "auto_loop",
    "ci_order",
    "status",
    "effective",
    "gaps",
    "loop_action",
];

#[test]
fn the_object_has_the_fields_of_the_samples() {
    for kind in ["plans", "config", "verification"] {
        for (path, expect) in samples(kind) {
            let sample = std::fs::read(&path).unwrap();
            let ran = project().file("sample.md", sample).run(["check", "--json", "sample.md"]);
            let (found, _) = object(ran);
            for field in FIELDS.iter().filter(|field| expect.get(field).is_some()) {
                assert_eq!(found[field], expect[field], "{field} of {}", path.display());
            }
        }
    }
}
