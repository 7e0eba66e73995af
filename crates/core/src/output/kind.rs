//! Decides what an exit code and an output mean: passed, failed, could not run, no tests.

use super::cannot::{cannot_run, no_tests};
use super::counts::CountKind;
use super::fallback::{Marked, is_file};
use super::patterns::Text;
use super::recognise::Recognised;
use super::rows::Work;

/// What a run of a check meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingKind {
    Passed,
    /// The check ran and found something.
    Failed,
    /// Nothing was checked: a tool or module is missing, the configuration is wrong, the tests do
    /// not compile, or the run was killed.
    CouldNotRun,
    NoTests,
}

/// A shell found the file but could not execute it, or found no file.
const NOT_EXECUTED: [i32; 2] = [126, 127];
/// Ended by `timeout`, or killed.
const KILLED: [i32; 2] = [124, 137];

pub(super) fn kind(
    exit: i32,
    text: &Text,
    command: Option<&str>,
    runners: &[Recognised],
    marked: &Marked,
) -> ReadingKind {
    let says_none = runners.iter().any(|one| text.contains_any(one.row.none));
    if exit == 0 {
        let none = !any_passed(runners) && (is_empty(runners) || says_none || no_tests(text));
        return if none { ReadingKind::NoTests } else { ReadingKind::Passed };
    }
    if NOT_EXECUTED.contains(&exit) || KILLED.contains(&exit) {
        return ReadingKind::CouldNotRun;
    }
    let stopped = runners.iter().any(|one| text.contains_any(one.row.cannot));
    if stopped && !any_passed(runners) && !has_failed_tests(runners) {
        return ReadingKind::CouldNotRun;
    }
    if runners.iter().any(|one| !one.names.is_empty()) {
        let compiled = is_compiler_only(runners) && is_test(text, command);
        return if compiled { ReadingKind::CouldNotRun } else { ReadingKind::Failed };
    }
    if any_passed(runners) || marked.is_sure {
        return ReadingKind::Failed;
    }
    if says_none {
        return ReadingKind::NoTests;
    }
    if cannot_run(text) || ended_early(runners, marked) {
        return ReadingKind::CouldNotRun;
    }
    let none = marked.names.is_empty() && no_tests(text);
    if none { ReadingKind::NoTests } else { ReadingKind::Failed }
}

/// Returns whether a test runner began and did not tell a result.
pub(super) fn ended_early(runners: &[Recognised], marked: &Marked) -> bool {
    let told =
        |one: &Recognised| one.counts.iter().any(|(counted, _)| counted != CountKind::Collected);
    let tests = runners.iter().find(|one| one.row.work == Work::Tests);
    marked.names.is_empty() && tests.is_some_and(|one| one.names.is_empty() && !told(one))
}

fn any_passed(runners: &[Recognised]) -> bool {
    runners.iter().any(|one| one.row.work == Work::Tests && one.counts.passes() > 0)
}

/// Returns whether tests failed beside what could not run; a file that failed is not a test.
fn has_failed_tests(runners: &[Recognised]) -> bool {
    runners.iter().any(|one| {
        one.row.work == Work::Tests
            && one.counts.get(CountKind::Failed).unwrap_or_default() > 0
            && one.names.iter().any(|name| !is_file(&name.shown))
    })
}

fn is_empty(runners: &[Recognised]) -> bool {
    let total = |one: &Recognised| one.counts.get(CountKind::Total) == Some(0);
    runners.iter().any(total) && !any_passed(runners)
}

fn is_compiler_only(runners: &[Recognised]) -> bool {
    !runners.is_empty() && runners.iter().all(|one| one.row.work == Work::Compiler)
}

/// Under a command that tests, a compiler error means that no test ran; under a build it is the
/// finding.
fn is_test(text: &Text, command: Option<&str>) -> bool {
    let is_word = |word: &str| matches!(word, "test" | "tests" | "t" | "nextest" | "check:test");
    command.map_or_else(
        || text.contains_any(&["(lib test)", "(bin test)", "--test "]),
        |command| command.split([' ', ';', '&', '|', ':']).any(is_word),
    )
}
