//! T1 and T2 for the commands of sprag that write: a kill and each error at every system call of
//! `sprag doctor --fix`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_core::Seq;
use sprag_store::StoreError;
use sprag_testkit::inject::{Fault, Trial};
use sprag_testkit::strace::{self, Call};
use sprag_testkit::{folder, skip};

use crate::machine;
use crate::project::{COMMIT_DOCS, Project, store, try_commit};
use crate::scenario;
use crate::t1_kill::kills;
use crate::verify::{Expect, Told, disk};

/// Returns the binary: the one named by `SPRAG_BIN`, as for a release, else the one built beside
/// these programs.
pub(crate) fn sprag() -> Option<PathBuf> {
    let named = std::env::var_os("SPRAG_BIN").map(PathBuf::from);
    assert!(named.as_ref().is_none_or(|path| path.exists()), "SPRAG_BIN names no file: {named:?}");
    let path = named.unwrap_or_else(|| Path::new(COMMIT_DOCS).with_file_name("sprag"));
    if !path.exists() {
        skip::skip("faults in the commands of sprag", "build it: cargo test --workspace");
    } else if !strace::is_there() {
        skip::skip("faults in the commands of sprag", "strace is missing or may not trace");
    } else {
        return Some(path);
    }
    None
}

/// Returns the command that repairs `root` as a user would, wherever the tests were started from.
fn mend(sprag: &Path, root: &Path) -> Vec<OsString> {
    let mut words = machine::alone(root);
    words.extend([sprag.into(), "-C".into(), root.into()]);
    words.extend(["doctor", "--fix", "--yes"].map(OsString::from));
    words
}

fn sweep(
    what: &str,
    project: Project,
    faults: fn(&Call) -> Vec<Fault>,
    verify: &(dyn Fn(&Trial<'_>) -> Result<(), String> + Sync),
) {
    let Some(sprag) = sprag() else { return };
    machine::let_own(&project);
    machine::sweep(what, project, &|root| mend(&sprag, root), faults, verify);
}

/// Checks that a failed command exits with a code of docs/exit-codes.md and names what it is about.
pub(crate) fn speaks(trial: &Trial<'_>) -> Result<(), String> {
    let (status, said) = (trial.output.status, String::from_utf8_lossy(&trial.output.stderr));
    let place = |line: &str| line.trim().strip_prefix("──▶ ").is_some_and(|path| !path.is_empty());
    let names = said.contains('/') || said.lines().any(place);
    match status.code() {
        None if trial.injection.fault == Fault::Kill => Ok(()),
        Some(0) => Ok(()),
        // If the folder's owner is unknown, a person must fix that.
        Some(1 | 3 | 8 | 9) if names || trial.injection.mutes() => Ok(()),
        Some(1) if said.contains("cannot write the output") => Ok(()),
        Some(_) | None => Err(format!("{status}: {said}")),
    }
}

fn says_mended(trial: &Trial<'_>) -> bool {
    String::from_utf8_lossy(&trial.output.stdout).contains("Mended")
}

fn tidies(what: &str, faults: fn(&Call) -> Vec<Fault>) {
    let project = scenario::unfinished();
    let expect = Expect::of(&project.root, &project.root);
    sweep(what, project, faults, &|trial| {
        speaks(trial)?;
        if says_mended(trial) && disk(trial.root) != expect.new {
            return Err("said to be mended, but the documents are not written".to_owned());
        }
        expect.check(trial.root, Told::Nothing)
    });
}

#[test]
fn kill_while_a_half_written_commit_is_mended() {
    tidies("doctor tidies", kills);
}

#[test]
fn errors_while_a_half_written_commit_is_mended() {
    tidies("doctor tidies", machine::errors);
}

/// Creates a project whose journal has a bad line in the middle, and returns its last position.
fn damaged() -> (Project, Seq) {
    let project = Project::with_documents();
    project.commit(&["a.md=second\n"]);
    project.commit(&["a.md=third\n"]);
    let last = project.store().last().unwrap();
    let text = std::fs::read_to_string(project.segment()).unwrap();
    std::fs::write(project.segment(), text.replacen("second", "sEcond", 1)).unwrap();
    std::fs::remove_file(project.path(".sprag/journal/head")).unwrap();
    assert!(matches!(project.store().last(), Err(StoreError::Unknown { .. })));
    (project, last)
}

/// Checks that the documents are unchanged, the old journal is kept, and no position is used twice.
fn begins_anew(root: &Path, documents: &crate::project::State, last: Seq) -> Result<(), String> {
    if disk(root) != *documents {
        return Err(format!("the documents changed: {:?}", disk(root)));
    }
    let kept = folder::entries(root).map_err(|error| error.to_string())?.into_values();
    let is_old = |entry: folder::Entry| matches!(entry, folder::Entry::File(bytes) if String::from_utf8_lossy(&bytes).contains("sEcond"));
    if !kept.into_iter().any(is_old) {
        return Err("the old journal is gone".to_owned());
    }
    match try_commit(&store(root), &["probe=1"]) {
        Ok(committed) if committed.seq.is_some_and(|seq| seq > last) => Ok(()),
        Ok(committed) => Err(format!("{:?} was given out twice, after {last}", committed.seq)),
        // Unchanged: the user runs the command again.
        Err(error) if error.to_string().contains("cannot be read") => Ok(()),
        Err(error) => Err(format!("the next commit fails: {error}")),
    }
}

fn restarts(what: &str, faults: fn(&Call) -> Vec<Fault>) {
    let (project, last) = damaged();
    let documents = disk(&project.root);
    sweep(what, project, faults, &|trial| {
        speaks(trial)?;
        if says_mended(trial) && store(trial.root).last().is_err() {
            return Err("said to be mended, but it is not".to_owned());
        }
        begins_anew(trial.root, &documents, last)
    });
}

#[test]
fn kill_while_a_damaged_journal_is_set_aside() {
    restarts("doctor restarts", kills);
}

#[test]
fn errors_while_a_damaged_journal_is_set_aside() {
    restarts("doctor restarts", machine::errors);
}

/// A project with one run that ended long ago: two documents, and a file that is none.
fn old_run() -> Project {
    let project = Project::with_documents();
    let run = ".sprag/runs/r-0a1b";
    let text = format!(
        "v: 1\nid: r-0a1b\nsource: guard\nstarted: 2001-01-01T00:00:00Z\n\
         ended: 2001-01-01T00:00:00Z\nposition:\n  start: {}\n",
        "a".repeat(64)
    );
    project.commit(&[&format!("{run}/run.yaml={text}"), &format!("{run}/receipts/a={{}}")]);
    project.write(&format!("{run}/output/b"), b"\xff");
    project
}

/// Injects faults while a run is forgotten; afterwards the run is whole or removed, and the next
/// attempt finishes.
fn forgets(what: &str, faults: fn(&Call) -> Vec<Fault>) {
    sweep(what, old_run(), faults, &|trial| {
        speaks(trial)?;
        let run = trial.root.join(".sprag/runs/r-0a1b");
        if says_mended(trial) && run.join("run.yaml").exists() {
            return Err("said to be mended, but the run is still there".to_owned());
        }
        let Some(sprag) = sprag() else { return Ok(()) };
        let again = mend(&sprag, trial.root);
        let again = std::process::Command::new(&again[0]).args(&again[1..]).output().unwrap();
        if !again.status.success() {
            return Err(format!("the next fails: {}", String::from_utf8_lossy(&again.stderr)));
        }
        let left = std::fs::read_dir(&run).map_or(0, Iterator::count);
        if left > 0 {
            return Err(format!("{left} files of the run are left"));
        }
        try_commit(&store(trial.root), &["probe=1"]).map_err(|error| error.to_string())?;
        Ok(())
    });
}

#[test]
fn kill_while_an_old_run_is_forgotten() {
    forgets("doctor forgets", kills);
}

#[test]
fn errors_while_an_old_run_is_forgotten() {
    forgets("doctor forgets", machine::errors);
}
