//! Counts at the end of an output, on one line or on several.

use super::super::counts::{CountKind, TestCounts, in_words};
use super::super::patterns::Text;

/// Closing lines are near the end.
const NEAR: usize = 60;
/// A line with more words is a sentence.
const WORDS: usize = 24;

/// Returns the counts of the last lines that tell any, which follow one another.
pub(super) fn counts(text: &Text) -> TestCounts {
    let mut pairs = Vec::new();
    for line in text.lines.iter().rev().take(NEAR) {
        let found = of_line(line);
        let tells = found.iter().any(|(counted, _)| is_state(*counted)) || !pairs.is_empty();
        if !found.is_empty() && tells {
            pairs.extend(found);
        } else if !pairs.is_empty() && !line.trim().is_empty() && !is_other_count(line) {
            break;
        }
    }
    TestCounts::first(pairs)
}

/// A test of the Test Anything Protocol has a number that counts nothing.
fn of_line(line: &str) -> Vec<(CountKind, u64)> {
    let mut words = line.split_whitespace();
    let is_test = matches!(words.next(), Some("ok" | "not"));
    if is_test || words.count() >= WORDS { Vec::new() } else { in_words(line) }
}

/// `suites 0` stands between others.
fn is_other_count(line: &str) -> bool {
    line.split_whitespace().count() <= 3 && line.contains(|letter: char| letter.is_ascii_digit())
}

const fn is_state(counted: CountKind) -> bool {
    matches!(
        counted,
        CountKind::Passed
            | CountKind::Failed
            | CountKind::Skipped
            | CountKind::Errors
            | CountKind::Warnings
    )
}
