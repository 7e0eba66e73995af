//! T1 and T2 for the copy of the journal: a kill and an error at every system call that updates it,
//! and at every one that restores a project from it.

use std::path::Path;

use sprag_testkit::inject::{self, Fault, Trial};
use sprag_testkit::strace::Call;
use sprag_testkit::{folder, skip, strace};

use crate::project::{DOCS, Project, commit_docs, store, try_commit};
use crate::scenario;
use crate::t1_kill::{kills, sweep_with};
use crate::verify::{Expect, disk, nothing_is_left, view};

/// The next process waits this long for the lock.
const WAIT: std::time::Duration = std::time::Duration::from_secs(5);

/// Adds a git folder to a project.
fn in_git(project: Project) -> Project {
    std::fs::create_dir(project.path(".git")).unwrap();
    store(&project.root).keep_copy(WAIT).unwrap();
    project
}

/// Does what `git clean -fdx` does if nothing is committed.
fn clean(root: &Path) {
    for entry in std::fs::read_dir(root).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_name() != ".git" {
            let is_folder = path.is_dir();
            if is_folder { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
                .unwrap();
        }
    }
}

/// A cleaned project, whose whole state is in the copy.
fn cleaned() -> Project {
    let project = in_git(scenario::existing());
    let large = "x".repeat(100 << 10);
    project.commit(&[&format!("notes/c.md={large}\n")]);
    clean(&project.root);
    project
}

/// The next process finds everything that was acknowledged, and leaves nothing behind.
fn restored(expect: &Expect, trial: &Trial<'_>) -> Result<(), String> {
    let root = trial.root;
    expect.whole_on_disk(root)?;
    store(root).restore(WAIT).map_err(|error| format!("the copy is worth nothing: {error}"))?;
    let next = try_commit(&store(root), &["probe=1", "notes/probe=1"]);
    next.map_err(|error| format!("the next commit fails: {error}"))?;
    if view(root)? != expect.new || disk(root) != expect.new {
        return Err(format!("not all of it came back: {:?}", disk(root).keys()));
    }
    store(root).keep_copy(WAIT).map_err(|error| format!("the copy cannot be kept: {error}"))?;
    nothing_is_left(root)
}

/// After a commit that updated the copy, or tried to, a clean loses nothing that was visible.
fn survives(expect: &Expect, trial: &Trial<'_>) -> Result<(), String> {
    let root = trial.root;
    let next = try_commit(&store(root), &["probe=1", "notes/probe=1"]);
    next.map_err(|error| format!("the next commit fails: {error}"))?;
    let seen = view(root)?;
    expect.one_of_two("the first look", &seen)?;
    store(root).keep_copy(WAIT).map_err(|error| format!("the copy cannot be kept: {error}"))?;
    nothing_is_left(root)?;
    clean(root);
    let back = store(root).restore(WAIT).map_err(|error| format!("cannot come back: {error}"))?;
    if back.is_none() || disk(root) != seen {
        return Err("cleaning lost what was acknowledged".into());
    }
    Ok(())
}

fn sweep(
    what: &str,
    project: Project,
    words: &'static [&'static str],
    faults: fn(&Call) -> Vec<Fault>,
    check: &(dyn Fn(&Expect, &Trial<'_>) -> Result<(), String> + Sync),
) {
    if !strace::is_there() {
        return skip::skip("T1 of the copy", "strace is missing or may not trace");
    }
    sweep_with(what, project, &|root| commit_docs(root, words), faults, check);
}

const EDIT: &[&str] = &["a.md=one, new\n", "notes/b.md+=more\n"];

#[test]
fn a_kill_while_a_cleaned_project_is_restored_leaves_all_of_it_to_the_next() {
    sweep("restoring", cleaned(), &["notes/probe=x"], kills, &restored);
}

#[test]
fn an_error_while_a_cleaned_project_is_restored_leaves_all_of_it_to_the_next() {
    sweep("restoring, errors", cleaned(), &["notes/probe=x"], inject::errors, &restored);
}

#[test]
fn a_kill_while_the_copy_is_kept_loses_nothing() {
    for prepare in [scenario::existing, scenario::checkpoint, scenario::rotation] {
        let project = prepare();
        std::fs::create_dir(project.path(".git")).unwrap();
        sweep("keeping", project, EDIT, kills, &survives);
    }
}

#[test]
fn an_error_while_the_copy_is_kept_loses_nothing() {
    let all: [fn() -> Project; 2] = [scenario::rotation, scenario::checkpoint];
    let many = if skip::is_long() { 2 } else { 1 };
    for prepare in &all[..many] {
        let project = prepare();
        std::fs::create_dir(project.path(".git")).unwrap();
        sweep("keeping, errors", project, EDIT, inject::errors, &survives);
    }
}

#[test]
fn a_copy_of_bytes_is_as_good_as_a_second_name() {
    let project = cleaned();
    let apart = tempfile::tempdir().unwrap();
    // New files with the same bytes, as on another disk.
    folder::copy(&project.path(".git"), apart.path()).unwrap();
    std::fs::remove_dir_all(project.path(".git")).unwrap();
    folder::copy(apart.path(), &project.path(".git")).unwrap();
    assert!(store(&project.root).restore(WAIT).unwrap().is_some());
    assert_eq!(DOCS.map(|name| project.disk(name).is_some()), [true; 3]);
}
