//! The recorded outputs of test runners, linters and build tools, each with what a person read in
//! it: `cases/<runner>/<case>.out` beside `<case>.json`.
//!
//! A case is judged as `score.py` beside the recordings does. Every answer must be right: sprag has
//! no named difference from these expectations.

mod judge;

use std::path::Path;

use sprag_conformance::{Outcome, Tally, as_text, field, read};
use sprag_core::{Plain, output};

use crate::files;

/// Reads every output of every runner.
pub(crate) fn judge(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let folder = folder.join("cases");
    let listing =
        std::fs::read_dir(&folder).map_err(|bad| format!("{}: {bad}", folder.display()))?;
    let mut runners: Vec<_> = listing
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    runners.sort();
    for runner in runners {
        for (path, text) in files(&runner)? {
            let case = read(&text).map_err(|bad| format!("{}: {bad}", path.display()))?;
            let output = path.with_extension("out");
            let bytes =
                std::fs::read(&output).map_err(|bad| format!("{}: {bad}", output.display()))?;
            let expected = field(&case, "expect");
            let group = as_text(field(expected, "kind")).unwrap_or("?");
            let name = path.strip_prefix(&folder).unwrap_or(&path).with_extension("");
            tally.add(group, &name.to_string_lossy(), outcome(&case, &bytes, expected));
        }
    }
    Ok(())
}

fn outcome(case: &Plain, bytes: &[u8], expected: &Plain) -> Outcome {
    let Plain::Int(exit) = field(case, "exit_code") else {
        return Outcome::Failed("a case without `exit_code`".to_owned());
    };
    let exit = i32::try_from(*exit).unwrap_or(i32::MAX);
    let reading = output::read(exit, bytes, as_text(field(case, "command")));
    match judge::wrong(expected, &reading) {
        wrong if wrong.is_empty() => Outcome::Passed,
        wrong => Outcome::Failed(format!("{}\n  {reading:?}", wrong.join("\n  "))),
    }
}
