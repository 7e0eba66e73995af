//! T1 and T2 where new texts have named temporary files from the start, as on a file system without
//! unnamed files: a kill before the commit leaves files behind, and the next commit removes them.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use sprag_testkit::inject::{self, Fault, Trial};
use sprag_testkit::strace::{self, Call};
use sprag_testkit::{folder, skip};

use crate::project::{Project, commit_docs};
use crate::scenario::{self, EDITS};
use crate::verify::{Expect, Told, nothing_is_left};
use crate::{t1_kill, t2_errors};

const NO_NAMELESS: &str = "store.nameless=error:EIO";

/// Returns the command line of `commit-docs` without unnamed files.
pub(crate) fn commit_named(root: &Path, words: &[&str]) -> Vec<OsString> {
    let mut command = vec!["env".into(), format!("SPRAG_FAILPOINTS={NO_NAMELESS}").into()];
    command.extend(commit_docs(root, words));
    command
}

fn fail_everywhere(
    what: &str,
    faults: fn(&Call) -> Vec<Fault>,
    told: fn(&Trial<'_>) -> Result<Told, String>,
) {
    if !strace::is_there() {
        return skip::skip(what, "strace is missing or may not trace");
    }
    let check = |expect: &Expect, trial: &Trial<'_>| {
        expect.whole_on_disk(trial.root)?;
        let next = commit_named(trial.root, &["probe=0", "notes/probe=0"]);
        let next = Command::new(&next[0]).args(&next[1..]).output().unwrap();
        if !next.status.success() {
            return Err(format!("the next fails: {}", String::from_utf8_lossy(&next.stderr)));
        }
        nothing_is_left(trial.root)?;
        expect.check(trial.root, told(trial)?)
    };
    let command = |root: &Path| commit_named(root, EDITS[2]);
    for prepare in [scenario::existing, scenario::unfinished] {
        t1_kill::sweep_with(what, prepare(), &command, faults, &check);
    }
}

#[test]
fn kill_during_a_commit_with_named_temporaries() {
    fail_everywhere("named, kills", t1_kill::kills, |trial| Ok(t1_kill::told(trial)));
}

#[test]
fn errors_during_a_commit_with_named_temporaries() {
    fail_everywhere("named, errors", inject::errors, t2_errors::told);
}

/// Commits up to the point where the texts are staged, is killed there, and returns whether a
/// temporary file stays behind.
fn leaves_a_temporary(failpoints: &str) -> bool {
    let project = Project::with_documents();
    let killed = project.commit_with(failpoints, &["a.md=new\n"]).status().unwrap();
    assert_eq!(killed.code(), None);
    let left = folder::entries(&project.root).unwrap();
    left.keys().any(|name| name.contains(".sprag-tmp-"))
}

#[test]
fn a_kill_before_the_commit_leaves_nothing_where_there_are_nameless_files() {
    assert!(leaves_a_temporary(&format!("{NO_NAMELESS};store.staged=kill")));
    if cfg!(target_os = "linux") {
        assert!(!leaves_a_temporary("store.staged=kill"));
    }
}
