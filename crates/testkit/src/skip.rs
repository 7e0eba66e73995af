//! Records a test that could not run here, so that it is counted and never taken for a pass.
#![expect(clippy::disallowed_methods, reason = "the test run names the file in the environment")]

use std::fs::OpenOptions;
use std::io::Write as _;

/// The variable with the file that collects the skips of a test run.
pub const SKIPS: &str = "SPRAG_SKIPS";

/// The variable that turns on the long forms of the tests.
pub const LONG: &str = "SPRAG_LONG";

/// Records that `what` was skipped and `why`: one line on standard error and in `$SPRAG_SKIPS`.
///
/// # Panics
///
/// If the line can be written to neither: an unrecorded skip would look like a pass.
pub fn skip(what: &str, why: &str) {
    let line = format!("SKIP: {what}: {why}\n");
    let mut heard = std::io::stderr().write_all(line.as_bytes()).is_ok();
    if let Some(path) = std::env::var_os(SKIPS) {
        let file = OpenOptions::new().create(true).append(true).open(path);
        heard = file.and_then(|mut file| file.write_all(line.as_bytes())).is_ok();
    }
    assert!(heard, "cannot say: {line}");
}

/// Returns whether the long forms of the tests are turned on.
pub fn is_long() -> bool {
    std::env::var_os(LONG).is_some_and(|value| !value.is_empty() && value != "0")
}
