//! T1 and T2 for the deed: a kill and an error at every system call of the command with which a
//! user adopts a folder. Afterwards the folder is either adopted or not, and the next attempt
//! succeeds.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sprag_testkit::folder::{self, Entry};
use sprag_testkit::inject::{Fault, Trial};
use sprag_testkit::strace::Call;

use crate::machine;
use crate::project::Project;
use crate::t1_doctor::{speaks, sprag};
use crate::t1_kill::kills;

/// A folder that another person set up: its guard would refuse every stop.
fn strangers(is_repository: bool) -> Project {
    let project = Project::new();
    project.write(".sprag/config.yaml", "guard: {gates: [{file: done}]}\n");
    if is_repository {
        let init = Command::new("git").args(["init", "-q"]).current_dir(&project.root).status();
        assert!(init.unwrap().success());
    }
    project
}

/// Returns a command line of the user's.
fn words(sprag: &Path, root: &Path, words: &[&str]) -> Vec<OsString> {
    let mut all = machine::alone(root);
    all.extend([sprag.into(), "-C".into(), root.into()]);
    all.extend(words.iter().map(OsString::from));
    all
}

fn ran(sprag: &Path, root: &Path, line: &[&str]) -> Output {
    let words = words(sprag, root, line);
    Command::new(&words[0]).args(&words[1..]).output().unwrap()
}

/// Returns whether the folder's settings have an effect, according to the JSON status.
fn counts(sprag: &Path, root: &Path) -> Result<bool, String> {
    let output = ran(sprag, root, &["--json"]);
    let said: Value = serde_json::from_slice(&output.stdout).map_err(|bad| bad.to_string())?;
    match said["belongs"].as_str() {
        None => Ok(true),
        Some("elsewhere") => Ok(false),
        Some(other) => Err(format!("it is `{other}`")),
    }
}

/// Checks that there is exactly one deed, whole and private to the user, and no partial file.
fn one_deed(root: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    let deeds = machine::home(root).join(".local/state/sprag/roots");
    let found = folder::entries(&deeds).map_err(|error| error.to_string())?;
    let names: Vec<&String> = found.keys().filter(|name| *name != "lock").collect();
    let [name] = names.as_slice() else { return Err(format!("deeds: {names:?}")) };
    let Some(Entry::File(bytes)) = found.get(*name) else { return Err((*name).clone()) };
    let deed: Value = serde_json::from_slice(bytes).map_err(|bad| format!("{name}: {bad}"))?;
    let mode = deeds.join(name).metadata().unwrap().permissions().mode() & 0o777;
    if deed["v"] == 1 && mode == 0o600 { Ok(()) } else { Err(format!("{mode:o}: {deed}")) }
}

fn adopts(what: &str, is_repository: bool, faults: fn(&Call) -> Vec<Fault>) {
    let Some(sprag) = sprag() else { return };
    let project = strangers(is_repository);
    let verify = |trial: &Trial<'_>| {
        speaks(trial)?;
        let is_ours = counts(&sprag, trial.root)?;
        let said = String::from_utf8_lossy(&trial.output.stdout);
        if said.contains("is yours now") && !is_ours {
            return Err("said to be adopted, and it is not".to_owned());
        }
        let again = ran(&sprag, trial.root, &["adopt", "--yes"]);
        if !again.status.success() || !counts(&sprag, trial.root)? {
            return Err(format!("the next fails: {}", String::from_utf8_lossy(&again.stderr)));
        }
        one_deed(trial.root)
    };
    let line = |root: &Path| words(&sprag, root, &["adopt", "--yes"]);
    machine::sweep(what, project, &line, faults, &verify);
}

#[test]
fn kill_while_a_folder_is_adopted() {
    adopts("adopt", false, kills);
    adopts("adopt a repository", true, kills);
}

/// Errors at the calls on the deed and on its id.
fn errors(call: &Call) -> Vec<Fault> {
    let is_young = ["/state/sprag", "roots", "\"id\"", "/id>"].iter();
    let is_young = is_young.into_iter().any(|name| call.text.contains(name));
    if is_young { machine::errors(call) } else { Vec::new() }
}

#[test]
fn errors_while_a_folder_is_adopted() {
    adopts("adopt, errors", true, errors);
}
