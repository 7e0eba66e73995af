//! T1 for a review of three cycles: killed at every step and within every commit, and resumed each
//! time. The units are those of a review without kills: none is repeated within a cycle, none is
//! lost.

use std::process::Output;

use crate::project::{Project, is_killed};

const SLICE: &str = ".gsd/milestones/M001/slices/S01";

/// The units of the story.
const UNITS: [&str; 7] = [
    "execute-task M001/S01/T01",
    "review-task M001/S01/T01",
    "fix-task M001/S01/T01",
    "review-task M001/S01/T01",
    "fix-task M001/S01/T01",
    "review-task M001/S01/T01",
    "execute-task M001/S01/T02",
];

fn tree() -> Project {
    let project = Project::new();
    project.write(".sprag/config.yaml", "rules:\n  - name: review-loop\n");
    project.write(".gsd/milestones/M001/M001-CONTEXT.md", "# M001: Parser\n\nA parser.\n");
    let roadmap = "# M001: Parser\n\n## Slices\n\n- [ ] **S01: Lexer** `risk:low` `depends:[]`\n";
    project.write(".gsd/milestones/M001/M001-ROADMAP.md", roadmap);
    let plan = "# S01: Lexer\n\n## Tasks\n\n- [ ] **T01: Numbers**\n- [ ] **T02: Strings**\n";
    project.write(&format!("{SLICE}/S01-PLAN.md"), plan);
    for task in ["T01", "T02"] {
        let name = format!("{SLICE}/tasks/{task}-PLAN.md");
        project.write(&name, format!("---\nid: {task}\n---\n# {task}\n"));
    }
    project
}

fn drive(project: &Project, steps: usize, failpoints: &str) -> Output {
    project.drive(env!("CARGO_BIN_EXE_drive-tree"), steps, failpoints)
}

/// Returns every unit that began, according to the journal.
fn units(project: &Project) -> Vec<String> {
    let folder = project.path(".sprag/journal");
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    names.sort();
    let mut units = Vec::new();
    for path in names.iter().filter(|path| path.extension().is_some_and(|e| e == "jsonl")) {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            for event in line["events"].as_array().into_iter().flatten() {
                if event["kind"] == "attempt.began" {
                    units.push(event["data"]["unit"].as_str().unwrap().to_owned());
                }
            }
        }
    }
    units
}

/// Drives to the end and checks that the result is the same as without a kill.
fn verify(project: &Project, what: &str) -> String {
    let last = drive(project, 0, "");
    assert!(last.status.success(), "{what}: {last:?}");
    assert_eq!(units(project), UNITS, "{what}");
    let text = project.disk(&format!("{SLICE}/tasks/T01-PLAN.md")).unwrap();
    assert!(text.contains("cycles: 3") && text.contains("passed: true"), "{what}: {text}");
    text
}

#[test]
fn a_review_killed_at_every_step_is_resumed_to_the_same_units() {
    let project = tree();
    let clean = drive(&project, 0, "");
    let steps: usize = String::from_utf8_lossy(&clean.stdout).trim().parse().unwrap();
    let text = verify(&project, "without a kill");
    for step in 1..=steps {
        let project = tree();
        assert!(is_killed(&drive(&project, step, "")), "step {step} of {steps}");
        assert_eq!(verify(&project, &format!("killed at step {step}")), text);
    }
    // Killed repeatedly, with just enough work in between to make progress.
    let project = tree();
    for nth in 0..steps {
        drive(&project, 4 + nth % 3, "");
    }
    assert_eq!(verify(&project, "killed all the time"), text);
    println!("review: killed at {steps} steps");
}

#[test]
fn a_review_killed_within_every_commit_is_resumed_to_the_same_units() {
    let mut kills = 0;
    for place in ["locked", "staged", "appended", "committed", "publish"] {
        let project = tree();
        let order = format!("store.{place}=kill");
        for _ in 0..80 {
            let before = units_or_none(&project);
            let killed = drive(&project, 0, &order);
            if !is_killed(&killed) {
                break;
            }
            kills += 1;
            // A kill before the commit makes no progress, so another process must.
            if units_or_none(&project) == before {
                drive(&project, 5, "");
            }
        }
        verify(&project, place);
    }
    assert!(kills > 25, "{kills}");
    println!("review: {kills} kills within commits");
}

fn units_or_none(project: &Project) -> usize {
    if project.path(".sprag/journal").exists() { units(project).len() } else { 0 }
}
