//! T1 and T2 for the storage of a doubt: a kill and an error at every system call of the hooks that
//! write the texts, turns and doubts of a session, and of a person's approval of a change.
//!
//! Whatever happens, a pass that depends on a file the agent changed is never silent, and an
//! approval is whole or absent.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use sprag_testkit::inject::{Fault, Trial};
use sprag_testkit::skip;
use sprag_testkit::strace::Call;

use crate::machine;
use crate::project::Project;
use crate::t1_doctor::sprag;
use crate::t1_kill::kills;
use crate::t1_stop::{answered, says};

/// The protected file.
const KEPT: &str = "kept.txt";
const CONFIG: &str = "guard: {gates: [{file: done, protect: [kept.txt]}]}\n";
/// The events of a session, in order; its agent works between the second and the third.
const EVENTS: [&str; 5] = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "Stop"];
/// The payload of the hook under test, relative to the project.
const PAYLOAD: &str = "../home/payload";
/// The number of events before the agent's work.
const WORKED: usize = 2;

fn payload(event: &str) -> String {
    let mut payload = json!({ "session_id": "s1", "cwd": "/", "hook_event_name": event });
    match event {
        "SessionStart" => payload["source"] = json!("startup"),
        "UserPromptSubmit" => payload["prompt"] = json!("go on"),
        "PreToolUse" => {
            payload["tool_name"] = json!("Bash");
            payload["tool_input"] = json!({ "command": "sh work.sh" });
        }
        _ => {}
    }
    payload.to_string()
}

/// Plays a part of the session; returns all output.
fn plays(sprag: &Path, root: &Path, events: std::ops::Range<usize>) -> String {
    let mut said = String::new();
    for at in events {
        let output = says(sprag, root, &payload(EVENTS[at]));
        assert!(output.status.success(), "{}", EVENTS[at]);
        said.push_str(&String::from_utf8_lossy(&output.stdout));
        if at == WORKED {
            works(root);
        }
    }
    said
}

/// Creates the file that the guard requires, and changes the protected one.
fn works(root: &Path) {
    std::fs::write(root.join("done"), "yes\n").unwrap();
    std::fs::write(root.join(KEPT), "weaker\n").unwrap();
}

/// Creates a project with a session after this many events.
fn after(sprag: &Path, events: usize) -> Project {
    let project = Project::new();
    machine::let_own(&project);
    project.write(".sprag/config.yaml", CONFIG);
    project.write(KEPT, "as a person wrote it\n");
    plays(sprag, &project.root, 0..events);
    project
}

/// Returns the command line of the hook with the stored payload.
fn hook(sprag: &Path, root: &Path) -> Vec<OsString> {
    let script = format!("cd \"$1\" && exec \"$0\" hook claude < {PAYLOAD}");
    let mut words = machine::alone(root);
    words.extend(["/bin/sh".into(), "-c".into(), script.into(), sprag.into(), root.into()]);
    words
}

/// Errors at the files of this feature; the others are covered by the sweep of a refused stop.
fn errors(call: &Call) -> Vec<Fault> {
    let is_young = ["texts", "turns", "doubts"].iter().any(|name| call.text.contains(name));
    if is_young { machine::errors(call) } else { Vec::new() }
}

/// Injects faults into the hook of one event, and continues the session to its end.
fn hurt(at: usize, faults: fn(&Call) -> Vec<Fault>) {
    let Some(sprag) = sprag() else { return };
    let project = after(&sprag, at);
    project.write(PAYLOAD, payload(EVENTS[at]));
    let verify = |trial: &Trial<'_>| {
        answered(trial)?;
        let mut said = String::from_utf8_lossy(&trial.output.stdout).into_owned();
        if at == WORKED {
            works(trial.root);
        }
        said.push_str(&plays(&sprag, trial.root, at + 1..EVENTS.len()));
        // A killed hook gave no answer, so the host asks again.
        said.push_str(&plays(&sprag, trial.root, EVENTS.len() - 1..EVENTS.len()));
        if !said.contains(KEPT) && !said.contains(".sprag/texts/") {
            return Err(format!("no message: {said:?}"));
        }
        doubts(trial.root).map(drop)
    };
    let what = format!("{} {at}", EVENTS[at]);
    machine::sweep(&what, project, &|root| hook(&sprag, root), faults, &verify);
}

/// Returns the doubts and the approvals; each file must be whole.
fn doubts(root: &Path) -> Result<Value, String> {
    for name in ["turns", "doubts"] {
        let path = root.join(format!(".sprag/{name}.json"));
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let read: Value = serde_json::from_str(&text).map_err(|bad| format!("{name}: {bad}"))?;
        if name == "doubts" {
            return Ok(read);
        }
    }
    Ok(Value::Null)
}

/// Returns the events whose hooks get faults: the beginning, and the stop that is sent back.
fn hurt_events() -> Vec<usize> {
    if skip::is_long() { vec![0, 1, 3, 4] } else { vec![0, 3] }
}

#[test]
fn kill_while_a_session_that_changes_what_judges_it_begins_and_stops() {
    for at in hurt_events() {
        hurt(at, kills);
    }
}

#[test]
fn errors_while_a_session_that_changes_what_judges_it_begins_and_stops() {
    for at in hurt_events() {
        hurt(at, errors);
    }
}

/// Returns the command line of a person's approval.
fn agree(sprag: &Path, root: &Path) -> Vec<OsString> {
    let mut words = machine::alone(root);
    words.extend([sprag.into(), "-C".into(), root.into()]);
    words.extend(["approve", "1", "--yes"].map(OsString::from));
    words
}

fn agrees(what: &str, faults: fn(&Call) -> Vec<Fault>) {
    let Some(sprag) = sprag() else { return };
    let project = after(&sprag, EVENTS.len());
    machine::let_own(&project);
    let verify = |trial: &Trial<'_>| {
        let again = agree(&sprag, trial.root);
        // If the approval already succeeded, nothing waits any more.
        Command::new(&again[0]).args(&again[1..]).output().unwrap();
        let kept = doubts(trial.root)?;
        let is_open = |doubt: &Value| doubt["key"]["path"] == KEPT;
        let is_open = kept["doubts"].as_array().is_none_or(|open| open.iter().any(is_open));
        if is_open || kept["agreed"][0]["key"]["path"] != KEPT {
            return Err(format!("a yes was lost: {kept}"));
        }
        let said = plays(&sprag, trial.root, EVENTS.len() - 1..EVENTS.len());
        if said.is_empty() { Ok(()) } else { Err(format!("it is asked again: {said}")) }
    };
    machine::sweep(what, project, &|root| agree(&sprag, root), faults, &verify);
}

#[test]
fn kill_while_a_person_agrees_to_a_change() {
    agrees("approve", kills);
}

#[test]
fn errors_while_a_person_agrees_to_a_change() {
    agrees("approve, errors", errors);
}
