//! T1 for a plan of opti-gsd: its driver is killed before every step and within every commit, and
//! another process takes over each time. The documents end as without a kill.

use std::process::Output;

use sprag_store::Doc;

use crate::project::{Project, is_killed};

const STATE: &str = ".gsd/STATE.md";
const PLAN: &str = ".gsd/plans/phase-1/plan.md";
/// The documents that record the plan's state, apart from the run.
const DOCUMENTS: [&str; 7] = [
    STATE,
    ".gsd/ROADMAP.md",
    ".gsd/plans/phase-1/summary.md",
    ".gsd/plans/phase-1/VERIFICATION.md",
    "a.txt",
    "b.txt",
    "c.txt",
];

fn task(id: &str, wave: u32, file: &str, check: &str) -> String {
    format!(
        "<task id=\"{id}\" wave=\"{wave}\">\n  <files>\n    <file action=\"create\">{file}</file>\n  \
         </files>\n  <action>\n    Write it.\n  </action>\n  <verify>\n    {check}\n  </verify>\n  \
         <done>{file} is there</done>\n</task>\n\n"
    )
}

fn project() -> Project {
    let project = Project::new();
    project.write(".gsd/config.md", "---\nmode: interactive\n---\n");
    let state = "---\nmilestone: v1 # ours\nphases_pending: [1]\nloop:\n  active: false\n---\n";
    project.write(STATE, state);
    project.write(".gsd/ROADMAP.md", "## Phase 1: Letters\n\n**Status:** PLANNED\n");
    let tasks = [
        task("01", 1, "a.txt", "<check type=\"file\">a.txt exists</check>"),
        task("02", 1, "b.txt", "<check type=\"content\">b.txt contains \"good\"</check>"),
        task("03", 2, "c.txt", "<check type=\"file\">c.txt exists</check>"),
    ];
    project.write(PLAN, format!("---\nphase: 1\ntitle: Letters\n---\n\n{}", tasks.concat()));
    project
}

fn drive(project: &Project, steps: usize, failpoints: &str) -> Output {
    project.drive(env!("CARGO_BIN_EXE_drive-plan"), steps, failpoints)
}

/// Returns the documents of a finished plan, without times and generated names.
fn told(project: &Project, what: &str) -> Vec<String> {
    // A folder without the file remains from a kill before the commit.
    let folders = std::fs::read_dir(project.path(".sprag/runs")).unwrap().flatten();
    let runs: Vec<_> = folders.filter(|run| run.path().join("run.yaml").exists()).collect();
    assert_eq!(runs.len(), 1, "{what}: it is found, not begun again");
    let run = runs[0].file_name().into_string().unwrap();
    let file = format!(".sprag/runs/{run}/run.yaml");
    let names = DOCUMENTS.into_iter().chain([file.as_str()]);
    let text = |name| project.disk(name).unwrap_or_else(|| panic!("{what}: no {name}"));
    let texts: Vec<String> = names.map(text).collect();
    let differs =
        ["started:", "last_iteration:", "ended:", "last_active:", "**Completed:**", "at:"];
    let is_same = |line: &&str| !differs.iter().any(|key| line.trim_start().starts_with(key));
    let lines = texts.iter().flat_map(|text| text.lines()).filter(is_same);
    lines.map(|line| line.replace(&run, "RUN")).collect()
}

/// Drives until the plan is over; returns the number of kills.
fn finish(project: &Project, mut next: impl FnMut(usize) -> Output) -> usize {
    let is_over =
        || matches!(project.seen(STATE), Doc::Text(text) if text.contains("completed: true"));
    let mut kills = 0;
    while !is_over() {
        let output = next(kills);
        assert!(is_killed(&output) || output.status.success(), "{output:?}");
        kills += usize::from(is_killed(&output));
        assert!(kills < 200, "it never ends: {:?}", project.disk(STATE));
    }
    // The next commit, whatever it contains, writes what the last kill left unwritten.
    project.commit(&["after.md=all\n"]);
    kills
}

/// Drives without a kill; returns the number of steps, and the final documents.
fn undisturbed() -> (usize, Vec<String>) {
    let project = project();
    let done = drive(&project, 0, "");
    let steps = String::from_utf8_lossy(&done.stdout).trim().parse().unwrap();
    let state = project.disk(STATE).unwrap();
    for told in ["completed: true", "T02: 3", "final_iteration: 1", "stub:c.txt"] {
        assert!(state.contains(told), "no `{told}` in {state}{done:?}");
    }
    (steps, told(&project, "without a kill"))
}

#[test]
fn a_plan_killed_between_any_two_steps_ends_in_the_same_state() {
    let (steps, whole) = undisturbed();
    assert!(steps > 30, "{steps}");
    for step in 1..=steps {
        let project = project();
        let kills = finish(&project, |nth| drive(&project, if nth == 0 { step } else { 0 }, ""));
        assert_eq!(kills, 1, "step {step} of {steps}");
        assert_eq!(told(&project, &format!("step {step}")), whole, "killed before step {step}");
    }
    println!("plan: killed before each of {steps} steps");
}

#[test]
fn a_plan_killed_again_and_again_ends_in_the_same_state() {
    let (steps, whole) = undisturbed();
    let project = project();
    // Each process restarts the plan and does so little that the next one just gets further.
    let kills = finish(&project, |nth| drive(&project, 3 + nth % 2, ""));
    assert!(kills > steps / 3, "{kills}");
    assert_eq!(told(&project, "all the time"), whole);
    println!("plan: killed {kills} times on one way");
}

#[test]
fn a_plan_killed_within_every_commit_ends_in_the_same_state() {
    let (_, whole) = undisturbed();
    let mut all = 0;
    for place in ["staged", "committed", "publish"] {
        let project = project();
        let order = format!("store.{place}=kill");
        // A commit killed before its end has not happened, so every other process runs without that
        // kill.
        let kills = finish(&project, |nth| match nth % 2 {
            0 => drive(&project, 0, &order),
            _ => drive(&project, 4, ""),
        });
        assert_eq!(told(&project, place), whole, "killed at {place}");
        all += kills.div_ceil(2);
    }
    assert!(all > 25, "{all}");
    println!("plan: killed within {all} commits");
}
