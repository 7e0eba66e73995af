//! Measures opti-gsd's loop: the decision of a stop against the shell script that the original
//! specifies, and a plan of many tasks.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::rounds::Pair;
use crate::spawn::PAYLOAD;
use crate::{Failure, Figure, own};

/// A reimplementation of the original's work at every stop: a pipe of its own extracts each value.
const SHELL: &str = r#"#!/usr/bin/env bash
set -e
file=.gsd/STATE.md
let_go() { echo '{"decision": "allow"}'; exit 0; }
hold() { echo "{\"decision\": \"block\", \"prompt\": \"$1\"}"; exit 0; }
[[ -f $file ]] || let_go
of_loop() { grep -A 20 '^loop:' "$file" 2>/dev/null | grep "$1:" | head -1 | awk '{print $2}' || echo "$2"; }
active=$(of_loop active false)
kind=$(of_loop type '')
turn=$(of_loop iteration 0)
most=$(of_loop max_iterations 20)
paused=$(of_loop paused false)
[[ $paused == true ]] && let_go
[[ $active == true ]] || let_go
[[ $turn -ge $most ]] && let_go
hold "Loop active. Continuing $kind loop iteration $((turn + 1))/$most."
"#;

/// The state that the original's own plan specifies.
const STATE: &str = "---\nmilestone: v0.6.0\nphase: 1\ntask: 0/7\nbranch: gsd/v0.6.0\n\n\
    last_active: 2026-01-19\nsession_tokens: 0\n\nphases_complete: []\nphases_in_progress: []\n\
    phases_pending: [1]\n\nopen_issues: []\n\nloop:\n  active: false\n  type: null\n  phase: null\n  \
    iteration: 0\n  max_iterations: 20\n  task_retries: {}\n  gaps_remaining: 0\n  started: null\n  \
    last_iteration: null\n  paused: false\n  pause_reason: null\n  history: []\n---\n\n\
    ## Session Context\nPhase 1 planned: Loop mechanism for execute and verify.\n";

const PROMPT: &str =
    r#"{"session_id":"bench","hook_event_name":"UserPromptSubmit","cwd":"/","prompt":"go on"}"#;

/// Measures stops with an inactive loop, and with one that holds the session.
pub(crate) fn stops(sprag: &Path, scratch: &Path, runs: usize) -> Result<[Figure; 2], Failure> {
    let (quiet, busy) = (scratch.join("loop-quiet"), scratch.join("loop-busy"));
    for root in [&quiet, &busy] {
        std::fs::create_dir_all(root.join(".gsd"))?;
        std::fs::write(root.join(".gsd/STATE.md"), STATE)?;
        std::fs::write(root.join("payload"), PAYLOAD)?;
        // A repository of its own, independent of the surrounding one.
        says(root, Command::new("git").args(["init", "-q"]), "")?;
        own::let_own(sprag, scratch, root)?;
    }
    let shell = scratch.join("stop.sh");
    std::fs::write(&shell, SHELL)?;
    let theirs = |root: &Path| says(root, Command::new("bash").arg(&shell), "decision");
    let ours =
        |root: &Path, answer| says(root, Command::new(sprag).args(["hook", "claude"]), answer);
    let calm = Pair::measure(runs, || ours(&quiet, ""), || theirs(&quiet))?;
    // A prompt before each stop resets the limit on refusals without progress.
    let prompt = busy.join("prompt");
    std::fs::write(&prompt, PROMPT)?;
    let speaks = || {
        let mut command = Command::new(sprag);
        command.args(["hook", "claude"]).current_dir(&busy).env("HOME", scratch);
        let done = command.stdin(File::open(&prompt)?).stdout(Stdio::null()).status()?;
        if done.success() { Ok(()) } else { Err(format!("{command:?}: {done}").into()) }
    };
    std::fs::write(busy.join(".gsd/STATE.md"), active())?;
    let held = || ours(&busy, "\"decision\":\"block\"");
    let held = Pair::measure_after(runs, speaks, held, || theirs(&busy))?;
    Ok([
        calm.ratio("a stop beside the seed's STATE.md / its shell", Some(0.1)),
        held.ratio("a stop that its loop refuses, a commit / its shell", None),
    ])
}

/// Returns the state of a loop that holds the payload's session.
fn active() -> String {
    STATE
        .replace("active: false", "active: true\n  session_id: bench")
        .replace("type: null", "type: execute")
        .replace("max_iterations: 20", "max_iterations: 1000000")
}

/// Runs a stop, whose answer must contain `answer`.
fn says(root: &Path, command: &mut Command, answer: &str) -> Result<(), Failure> {
    // The home directory is never a project, so it must be another folder.
    let home = root.parent().ok_or("no folder")?;
    command.current_dir(root).env("HOME", home).stdin(File::open(root.join("payload"))?);
    let done = command.stderr(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&done.stdout);
    if done.status.success() && said.contains(answer) {
        return Ok(());
    }
    Err(format!("{command:?}: {} {said:?}", done.status).into())
}

/// Measures the check of a plan of 10,000 tasks that all touch one file.
pub(crate) fn many_tasks(sprag: &Path, scratch: &Path) -> Result<Figure, Failure> {
    let root = scratch.join("many-tasks");
    std::fs::create_dir_all(root.join(".gsd/plans/phase-01"))?;
    let mut plan = String::from("---\nphase: 1\ntitle: Many\n---\n\n");
    for task in 0..10_000 {
        // Writing to a string cannot fail.
        let _ = write!(
            plan,
            "<task id=\"{task}\" wave=\"1\">\n  <files>\n    <file>src/{task}.rs</file>\n    \
             <file>src/lib.rs</file>\n  </files>\n  <action>\n    Do it.\n  </action>\n  <verify>\n    \
             <check type=\"file\">src/{task}.rs exists</check>\n  </verify>\n  <done>It is.</done>\n\
             </task>\n\n"
        );
    }
    std::fs::write(root.join(".gsd/plans/phase-01/plan.md"), plan)?;
    let check = || {
        let mut command = Command::new(sprag);
        command.args(["check", "--json", ".gsd/plans/phase-01/plan.md"]).current_dir(&root);
        let done = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
        if done.status.success() {
            Ok(())
        } else {
            Err(format!("{command:?}: {}", done.status).into())
        }
    };
    let nothing = || {
        let done = Command::new("/bin/true").status()?;
        if done.success() { Ok(()) } else { Err(format!("true: {done}").into()) }
    };
    let pair = Pair::measure(10, check, nothing)?;
    Ok(pair.millis("a plan of 10,000 tasks, checked", Some(1000.0)))
}
