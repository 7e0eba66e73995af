//! Shows that the tests detect writers with known mistakes.

use std::ffi::OsString;
use std::path::Path;

use sprag_proof::exit::{self, Says};
use sprag_testkit::inject::{self, Fault, Sweep, Trial};
use sprag_testkit::strace::{self, Call};
use sprag_testkit::{folder, skip};

use crate::order;
use crate::project::Project;
use crate::t7_race;
use crate::verify::{Expect, Side, disk};

const BROKEN: &str = env!("CARGO_BIN_EXE_broken");

fn command(mode: &str, root: &Path) -> Vec<OsString> {
    vec![BROKEN.into(), mode.into(), root.into(), "a.md=one, new\n".into()]
}

/// Returns the findings of a sweep over a writer without a journal: torn files and broken promises.
fn found(mode: &str, faults: fn(&Call) -> Vec<Fault>) -> Vec<String> {
    let project = Project::new();
    project.write("a.md", "one\n");
    let after = project.scratch().join("after");
    folder::copy(&project.root, &after).unwrap();
    std::fs::write(after.join("a.md"), "one, new\n").unwrap();
    let expect = Expect::of(&project.root, &after);
    let build = |root: &Path| command(mode, root);
    let sweep = Sweep { fixture: &project.root, command: &build, faults };
    let runs = project.scratch().join("runs");
    std::fs::create_dir(&runs).unwrap();
    let verify = |trial: &Trial<'_>| {
        expect.whole_on_disk(trial.root)?;
        let side = expect.one_of_two("at once", &disk(trial.root))?;
        let code = trial.output.status.code().and_then(|code| u8::try_from(code).ok());
        match (side, trial.output.stdout.starts_with(b"ok "), code.and_then(exit::says)) {
            (Side::Old, true, _) => Err("said to have happened, but lost".to_owned()),
            (Side::New, _, Some(Says::Never)) => Err("said to have failed, but visible".to_owned()),
            _ => Ok(()),
        }
    };
    sweep.run(&runs, &verify).unwrap().violations
}

fn assert_found(mode: &str, faults: fn(&Call) -> Vec<Fault>, what: &str) {
    if !strace::is_there() {
        return skip::skip("broken writers", "strace is missing or may not trace");
    }
    let found = found(mode, faults);
    assert!(found.iter().any(|one| one.contains(what)), "{mode} was not caught: {found:?}");
    assert!(found.iter().all(|one| one.contains("strace -f")), "no command line: {found:?}");
}

#[test]
fn a_file_written_in_place_is_caught() {
    assert_found("in-place", |_| vec![Fault::Kill], "is torn");
}

#[test]
fn an_ok_before_the_write_is_caught() {
    assert_found("ack-first", |_| vec![Fault::Kill], "but lost");
}

#[test]
fn a_failure_that_everybody_sees_is_caught() {
    assert_found("error-after", inject::errors, "but visible");
}

#[test]
fn an_ok_before_the_sync_is_caught() {
    if !strace::is_there() {
        return skip::skip("broken writers", "strace is missing or may not trace");
    }
    let project = Project::new();
    let log = project.scratch().join("log");
    let (calls, _) = strace::record(&command("unsynced", &project.root), &log).unwrap();
    let found = order::faults(&calls, &project.root);
    assert!(found.iter().any(|one| one.contains("said ok before")), "{found:?}");
}

#[test]
fn a_race_without_a_lock_is_caught() {
    // Losing an update takes luck; a handful of seeds has always been enough.
    let caught = (0..20).any(|seed| {
        let project = Project::new();
        let race = t7_race::race(&project, &[BROKEN, "register"], 16, 60, seed);
        race.is_err()
    });
    assert!(caught, "no seed showed a lost update");
}
