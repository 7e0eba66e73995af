//! T1 and T2 for a host hook: a kill and each error at every system call of a refused stop.
//!
//! Whatever happens, the host gets a valid answer, nothing is charged twice, and the next stop is
//! refused as the first retry.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use sprag_testkit::inject::{Fault, Trial};
use sprag_testkit::strace::Call;

use crate::machine;
use crate::project::Project;
use crate::t1_doctor::sprag;
use crate::t1_kill::kills;

fn payload(event: &str, more: &str) -> String {
    format!(
        "{{\"session_id\":\"s1\",\"cwd\":\"/\",\"hook_event_name\":\"{event}\",\
         \"tool_name\":\"Edit\",\"tool_input\":{{\"file_path\":\"/x\"}}{more}}}"
    )
}

/// Sends an event to sprag as Claude Code does.
pub(crate) fn says(sprag: &Path, root: &Path, text: &str) -> Output {
    use std::io::Write as _;
    let mut child = Command::new(sprag)
        .args(["hook", "claude"])
        .current_dir(root)
        .env_clear()
        .envs(machine::variables(root))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Outside a project the hook does not even read its input.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

/// A project whose guard requires a file, and a session in it that changed another one.
fn worked(sprag: &Path) -> Project {
    let project = Project::new();
    machine::let_own(&project);
    project.write(".sprag/config.yaml", "guard: {gates: [{file: done}]}\n");
    project.write("stop", payload("Stop", ""));
    for text in [payload("SessionStart", ",\"source\":\"startup\""), payload("PreToolUse", "")] {
        assert!(says(sprag, &project.root, &text).status.success());
    }
    project.write("work", "done, I think\n");
    project
}

/// Sends a stop whose payload is in a file, so that it is a single command line.
fn stop(sprag: &Path, root: &Path) -> Vec<OsString> {
    let script = "cd \"$1\" && exec \"$0\" hook claude < stop";
    let mut words = machine::alone(root);
    words.extend(["/bin/sh", "-c", script].map(OsString::from));
    words.extend([sprag.into(), root.into()]);
    words
}

pub(crate) fn answered(trial: &Trial<'_>) -> Result<(), String> {
    let said = String::from_utf8_lossy(&trial.output.stdout);
    let is_ours = said.is_empty() || said.starts_with('{') && said.ends_with("}\n");
    match trial.output.status.code() {
        None if trial.injection.fault == Fault::Kill => Ok(()),
        Some(0) if is_ours => Ok(()),
        // The shell itself failed, or nothing can be written any more.
        Some(1 | 2 | 126 | 127) if said.is_empty() => Ok(()),
        code => Err(format!("{code:?}: {said}")),
    }
}

fn stops(what: &str, faults: fn(&Call) -> Vec<Fault>) {
    let Some(sprag) = sprag() else { return };
    let project = worked(&sprag);
    let command = |root: &Path| stop(&sprag, root);
    let verify = |trial: &Trial<'_>| {
        answered(trial)?;
        let again = says(&sprag, trial.root, &payload("Stop", ""));
        let said = String::from_utf8_lossy(&again.stdout);
        let refused = said.contains("\"decision\":\"block\"") && said.contains("Retry 1 of 3.");
        // If the gate itself met an error, its result is unknown, and a person is asked.
        if !refused && !said.contains("`file done` is not proven: `done` cannot be read") {
            return Err(format!("the next stop is answered {said:?}"));
        }
        // An unused folder is empty.
        let folders = std::fs::read_dir(trial.root.join(".sprag/runs")).unwrap().flatten();
        let runs = folders.filter(|run| run.path().join("run.yaml").exists()).count();
        if runs == 1 { Ok(()) } else { Err(format!("{runs} runs")) }
    };
    machine::sweep(what, project, &command, faults, &verify);
}

#[test]
fn kill_while_a_stop_is_refused() {
    stops("stop", kills);
}

#[test]
fn errors_while_a_stop_is_refused() {
    stops("stop", machine::errors);
}
