//! T1: a kill at every system call that touches the state, followed by the next process.

use std::ffi::OsString;
use std::path::Path;

use sprag_testkit::inject::{Fault, Sweep, Tally, Trial};
use sprag_testkit::strace::{self, Call};
use sprag_testkit::{folder, skip};

use crate::order;
use crate::project::{Project, commit_docs};
use crate::scenario::{self, EDITS};
use crate::verify::{Expect, Told};

/// Kills at calls that may change something; a kill at a read equals one at the next change.
pub(crate) fn kills(call: &Call) -> Vec<Fault> {
    if call.only_reads() { Vec::new() } else { vec![Fault::Kill] }
}

/// Returns what a killed run had acknowledged.
pub(crate) fn told(trial: &Trial<'_>) -> Told {
    if trial.output.stdout.starts_with(b"ok ") { Told::Happened } else { Told::Nothing }
}

/// Fails with all violations, each with its command line; otherwise prints the number of faults.
pub(crate) fn conclude(what: &str, tally: &Tally, project: Project) {
    println!("{what}: {} faults met, {} not met", tally.hits, tally.misses);
    if !tally.violations.is_empty() {
        std::mem::forget(project);
        panic!("{what}: {} violations\n{}", tally.violations.len(), tally.violations.join("\n"));
    }
    assert!(tally.hits > 0, "{what}: nothing was tried");
}

/// Runs one sweep of `commit-docs` over a prepared project.
pub(crate) fn sweep(
    what: &str,
    project: Project,
    words: &'static [&'static str],
    faults: fn(&Call) -> Vec<Fault>,
    told: fn(&Trial<'_>) -> Result<Told, String>,
) -> usize {
    let check = |expect: &Expect, trial: &Trial<'_>| expect.check(trial.root, told(trial)?);
    sweep_with(what, project, &|root| commit_docs(root, words), faults, &check)
}

/// Like `sweep`, with its own command line and check.
pub(crate) fn sweep_with(
    what: &str,
    project: Project,
    command: &(dyn Fn(&Path) -> Vec<OsString> + Sync),
    faults: fn(&Call) -> Vec<Fault>,
    check: &(dyn Fn(&Expect, &Trial<'_>) -> Result<(), String> + Sync),
) -> usize {
    let after = project.scratch().join("after");
    folder::copy(&project.root, &after).unwrap();
    let (calls, output) =
        strace::record(&command(&after), &project.scratch().join("order")).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(order::faults(&calls, &after), Vec::<String>::new(), "{what}");
    let expect = Expect::of(&project.root, &after);
    assert_ne!(expect.old, expect.new);
    let sweep = Sweep { fixture: &project.root, command, faults };
    let runs = project.scratch().join("runs");
    std::fs::create_dir(&runs).unwrap();
    let tally = sweep.run(&runs, &|trial| check(&expect, trial)).unwrap();
    let hits = tally.hits;
    conclude(what, &tally, project);
    hits
}

fn kill_everywhere(what: &str, prepare: fn() -> Project) {
    if !strace::is_there() {
        return skip::skip("T1 kills", "strace is missing or may not trace");
    }
    for words in EDITS {
        let what = format!("{what}, {} documents", words.len());
        let hits = sweep(&what, prepare(), words, kills, |trial| Ok(told(trial)));
        // Temporary files, journal, renames, head: fewer would mean that calls are not recognized.
        assert!(hits >= 6, "{what}: only {hits} calls");
    }
}

#[test]
fn kill_during_the_first_commit_ever() {
    kill_everywhere("first commit", scenario::first);
}

#[test]
fn kill_during_a_commit() {
    kill_everywhere("commit", scenario::existing);
}

#[test]
fn kill_at_a_checkpoint() {
    kill_everywhere("checkpoint", scenario::checkpoint);
}

#[test]
fn kill_at_the_rotation_of_a_segment() {
    kill_everywhere("rotation", scenario::rotation);
}

#[test]
fn kill_while_the_commit_before_is_finished() {
    kill_everywhere("recovery", scenario::unfinished);
}
