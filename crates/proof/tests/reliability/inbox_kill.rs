//! Kills `set`, `done` and `mail send` at every system call that touches the state: the next
//! process finds a consistent state, and repeating the command gives the same result.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use sprag_testkit::inject::Trial;

use crate::inbox::{document, ran};
use crate::machine;
use crate::project::{Project, store};
use crate::t1_doctor::sprag;
use crate::t1_kill::kills;

/// Returns the command line of `sprag agent …`.
fn words(sprag: &Path, root: &Path, words: &str) -> Vec<OsString> {
    let mut all = machine::alone(root);
    all.extend([sprag.into(), "-C".into(), root.into(), "agent".into()]);
    all.extend(words.split_whitespace().map(OsString::from));
    all
}

/// Kills `command` at every call, repeats it, and judges the result.
fn killed(
    what: &str,
    before: &[&str],
    command: &str,
    judge: fn(&Path, Option<i32>, bool) -> Result<(), String>,
) {
    let Some(sprag) = sprag() else { return };
    let project = Project::new();
    for line in before {
        let all: Vec<&str> = line.split_whitespace().collect();
        let output = ran(&sprag, &project.root, &all);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    // Each copy of the machine is another machine; without an earlier start, the command itself
    // adopts it.
    if !before.is_empty() {
        machine::let_own(&project);
    }
    let verify = |trial: &Trial<'_>| {
        let all: Vec<&str> = command.split_whitespace().collect();
        let again = ran(&sprag, trial.root, &all);
        let said = !trial.output.stdout.is_empty();
        // Committed changes count; the next writer brings them to the disk.
        store(trial.root).tidy(Duration::from_secs(5)).map_err(|error| error.to_string())?;
        judge(trial.root, again.status.code(), said)
    };
    let line = |root: &Path| words(&sprag, root, command);
    let hits = machine::sweep(what, project, &line, kills, &verify);
    assert!(hits >= 10, "{what}: only {hits} calls");
}

fn same(what: &str, found: &serde_json::Value, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found}, not {expected}")) }
}

/// Returns the number of letters in a mailbox.
fn letters(root: &Path, to: &str) -> usize {
    let folder = root.join(".chipset/state/mail").join(to);
    std::fs::read_dir(folder).map_or(0, |names| {
        let names = names.flatten().filter_map(|name| name.file_name().into_string().ok());
        names.filter(|name| name.strip_suffix(".json").is_some()).count()
    })
}

#[test]
fn kill_while_work_is_assigned() {
    let set = "set polecat-alpha gt-1 --title One --as mayor";
    for before in [&[][..], &["set polecat-bravo gt-0 --title Zero --as mayor"][..]] {
        killed("set", before, set, |root, again, said| {
            // Either it happened and a repetition is refused, or it had not and the repetition did
            // it.
            match (again, said) {
                (Some(8), _) | (Some(0), false) => {}
                other => return Err(format!("asked again: {other:?}")),
            }
            let hook = document(root, "hooks/polecat-alpha.json");
            same("the slot", &hook["status"], "pending")?;
            let work = document(root, "work/gt-1.json");
            same("the unit", &work["status"], "hooked")?;
            same("its agent", &work["assignee"], "polecat-alpha")?;
            same("the record", &document(root, "dispatch/gt-1.json")["agentId"], "polecat-alpha")?;
            match letters(root, "polecat-alpha") {
                1 => Ok(()),
                many => Err(format!("{many} letters")),
            }
        });
    }
}

#[test]
fn kill_while_work_is_handed_in() {
    let before = [
        "set polecat-alpha gt-1 --title One --as mayor",
        "activate polecat-alpha --as polecat-alpha",
    ];
    killed("done", &before, "done polecat-alpha --as polecat-alpha", |root, again, said| {
        match (again, said) {
            (Some(1), _) | (Some(0), false) => {}
            other => return Err(format!("asked again: {other:?}")),
        }
        same("the slot", &document(root, "hooks/polecat-alpha.json")["status"], "completed")?;
        same("the unit", &document(root, "work/gt-1.json")["status"], "done")?;
        same("the request", &document(root, "merge-queue/mr-gt-1.json")["status"], "pending")?;
        match (letters(root, "mayor"), letters(root, "witness")) {
            (1, 1) => Ok(()),
            many => Err(format!("{many:?} letters")),
        }
    });
}

#[test]
fn kill_while_mail_is_sent() {
    let before = ["mail send polecat-alpha Before --as mayor"];
    killed(
        "mail send",
        &before,
        "mail send polecat-alpha Hello --as mayor",
        |root, again, said| {
            if again != Some(0) {
                return Err(format!("asked again: {again:?}"));
            }
            // An acknowledged letter exists; one whose sender was killed before may exist.
            match (letters(root, "polecat-alpha"), said) {
                (3, _) | (2, false) => Ok(()),
                many => Err(format!("{many:?} letters")),
            }
        },
    );
}
