//! Holds sprag against the recorded answers of the original systems.
//!
//! Reads the folder named by `SPRAG_CONFORMANCE`, else the copy at the root of the project. Each
//! case passes, differs in a way that has a name, or fails; only the last is bad. A difference is
//! no list of cases: see `pi_workflows/difference.rs`.
#![expect(clippy::disallowed_methods, reason = "asks where the data is")]

mod pi_workflows;

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

/// Runs the cases of one subfolder; says so when it is not there.
fn run(folder: &Path, name: &str, answer: fn(&Case, &mut Tally)) -> Result<bool, String> {
    let here = folder.join(name);
    if !here.is_dir() {
        say(&format!("{name}: not in {}\n", folder.display()));
        return Ok(true);
    }
    let listing = std::fs::read_dir(&here).map_err(|bad| format!("{}: {bad}", here.display()))?;
    let mut files: Vec<PathBuf> = listing
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    let mut tally = Tally::default();
    for file in files {
        let place = |bad: String| format!("{}: {bad}", file.display());
        let text = std::fs::read_to_string(&file).map_err(|bad| place(bad.to_string()))?;
        for case in Case::all(&text).map_err(place)? {
            answer(&case, &mut tally);
        }
    }
    say(&format!("{name}: {} cases\n{}", tally.cases(), tally.report(SHOWN)));
    Ok(tally.is_good() && tally.cases() > 0)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        // A test runner asks what is here; nothing is switched off.
        if !arguments.iter().any(|argument| argument == "--ignored") {
            say("conformance: test\n");
        }
        return ExitCode::SUCCESS;
    }
    match run(&folder(), "pi-workflows", pi_workflows::answer) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            say(&format!("{why}\n"));
            ExitCode::FAILURE
        }
    }
}
