//! T2: each error at each system call that touches the state, and the program's report of it.

use sprag_proof::exit::{self, Says};
use sprag_testkit::inject::{self, Trial};
use sprag_testkit::{skip, strace};

use crate::project::{DOCS, Project};
use crate::scenario::{self, EDITS};
use crate::t1_kill::sweep;
use crate::verify::Told;

/// Compares the program's output with its exit code.
pub(crate) fn told(trial: &Trial<'_>) -> Result<Told, String> {
    let said = String::from_utf8_lossy(&trial.output.stderr);
    let code = trial.output.status.code().and_then(|code| u8::try_from(code).ok());
    let says = code.and_then(exit::says).ok_or_else(|| {
        format!("ended with {}, which is not documented: {said}", trial.output.status)
    })?;
    let code = code.unwrap_or(exit::USAGE);
    let names_it = said.contains('/') || DOCS.iter().any(|name| said.contains(name));
    if code != exit::WRITTEN && !names_it && !trial.injection.mutes() {
        return Err(format!("exit {code}, and the message names no path: {said}"));
    }
    let ok = trial.output.stdout.starts_with(b"ok ");
    match says {
        Says::Happened if ok || code == exit::UNHEARD || code == exit::UNSYNCED => {
            Ok(Told::Happened)
        }
        Says::Never if !ok => Ok(Told::Never),
        Says::Happened | Says::Never => Err(format!("code {code} and ok={ok} contradict: {said}")),
    }
}

fn fail_everywhere(what: &str, prepare: fn() -> Project) {
    if !strace::is_there() {
        return skip::skip("T2 errors", "strace is missing or may not trace");
    }
    let edits = if skip::is_long() { &EDITS[..] } else { &EDITS[2..] };
    for words in edits {
        let what = format!("{what}, {} documents", words.len());
        sweep(&what, prepare(), words, inject::errors, told);
    }
}

#[test]
fn errors_during_the_first_commit_ever() {
    fail_everywhere("first commit", scenario::first);
}

#[test]
fn errors_during_a_commit() {
    fail_everywhere("commit", scenario::existing);
}

#[test]
fn errors_at_a_checkpoint() {
    fail_everywhere("checkpoint", scenario::checkpoint);
}

#[test]
fn errors_at_the_rotation_of_a_segment() {
    fail_everywhere("rotation", scenario::rotation);
}

#[test]
fn errors_while_the_commit_before_is_finished() {
    fail_everywhere("recovery", scenario::unfinished);
}
