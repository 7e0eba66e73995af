//! Compares sprag with the recorded answers of the original systems.
//!
//! It reads the folder named by `SPRAG_CONFORMANCE`, else the copy at the root of the project. Each
//! case passes, has a named difference, or fails; only the last is bad. A difference is not a list
//! of cases: see `pi_workflows/difference.rs`. The payloads of hosts are recordings without
//! answers: see `hosts.rs`. Samples with the decision of a correct implementation are compared in
//! `opti_gsd`. Outputs of test runners with what a person read in them are judged in `test_output`.
#![expect(clippy::disallowed_methods, reason = "asks where the data is")]

mod gsd;
mod gsd_rules;
mod hosts;
mod opti_gsd;
mod pi_workflows;
mod review_loop;
mod test_output;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sprag_conformance::{Case, Tally};

/// How many failures are shown in full.
const SHOWN: usize = 10;

fn folder() -> PathBuf {
    let copy = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    std::env::var_os("SPRAG_CONFORMANCE").map_or_else(copy, PathBuf::from)
}

fn say(text: &str) {
    // A closed pipe is the reader's choice.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Returns the JSON files of a folder with their texts, sorted.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let place = |path: &Path, bad: std::io::Error| format!("{}: {bad}", path.display());
    let listing = std::fs::read_dir(folder).map_err(|bad| place(folder, bad))?;
    let mut paths: Vec<PathBuf> = listing
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| match std::fs::read_to_string(&path) {
        Ok(text) => Ok((path, text)),
        Err(bad) => Err(place(&path, bad)),
    };
    paths.into_iter().map(read).collect()
}

/// Adds the cases of the files in a folder to a tally.
fn cases(folder: &Path, answer: fn(&Case, &mut Tally), tally: &mut Tally) -> Result<(), String> {
    for (path, text) in files(folder)? {
        for case in Case::all(&text).map_err(|bad| format!("{}: {bad}", path.display()))? {
            answer(&case, tally);
        }
    }
    Ok(())
}

/// Runs one subfolder, or reports that it is missing.
fn run(
    folder: &Path,
    name: &str,
    fill: impl Fn(&Path, &mut Tally) -> Result<(), String>,
) -> Result<bool, String> {
    let here = folder.join(name);
    if !here.is_dir() {
        say(&format!("{name}: not in {}\n", folder.display()));
        return Ok(true);
    }
    let mut tally = Tally::default();
    fill(&here, &mut tally)?;
    say(&format!("{name}: {} cases\n{}", tally.cases(), tally.report(SHOWN)));
    Ok(tally.is_good() && tally.cases() > 0)
}

/// Runs every subfolder, even after a failure.
fn all(folder: &Path) -> Result<bool, String> {
    let workflows =
        run(folder, "pi-workflows", |here, tally| cases(here, pi_workflows::answer, tally));
    let hosts = run(folder, "hosts", hosts::hear);
    let plans = run(folder, "opti-gsd", opti_gsd::decide);
    let gsd = run(folder, "gsd", |here, tally| {
        gsd::hold(here, tally)?;
        gsd_rules::traces(here, tally)
    });
    let reviews = run(folder, "review-loop", review_loop::hold);
    let outputs = run(folder, "test-output", test_output::judge);
    Ok(workflows? & hosts? & plans? & gsd? & reviews? & outputs?)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        // A test runner lists the ignored tests; there are none.
        if !arguments.iter().any(|argument| argument == "--ignored") {
            say("conformance: test\n");
        }
        return ExitCode::SUCCESS;
    }
    match all(&folder()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            say(&format!("{why}\n"));
            ExitCode::FAILURE
        }
    }
}
