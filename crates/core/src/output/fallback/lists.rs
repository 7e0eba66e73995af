//! Lists of failures below a heading.

use super::super::found::Found;
use super::super::layouts::{indentation, numbered_name};
use super::super::patterns::{Pattern, Text, line};

const HEADING: Pattern = line(
    "",
    r"(?i)^\W*(?:the following |list of |summary of |summarizing |there (?:was|were) )?(?:\d+ )?(?:(?:tests?|specs?|examples?|scenarios?) )?(?:(?:that )?fail(?:ed|ing|ures?)|errored|broken)(?: (?:tests?|test cases?|specs?|examples?|scenarios?|tasks|suites?))?(?: \(\d+\))?\W*$",
);
const OTHER: Pattern =
    line("", r"(?i)^\W*(?:\d+ )?(?:pending|skipped|ignored|omitted|warnings?|slow\w*)\b.*:");
const ITEM: Pattern = line(
    "",
    r"^(?:\[\w+\])?\s*(?:(?:[-*•]|\d+/\d+|\d+ -)\s+)?(?:\S+:\d+(?::\d+)?\s{2,})?(\S.*?)(?:\s+(?:FAIL|FAILED|TIMEOUT|ERROR)\b.*)?(?:\s+\((?i:failed|timeout|not run|error|subprocess aborted|sigsegv|exception)\))?$",
);
const NUMBER: Pattern = line(")", r"^\s*(?:\d+\)|\d+\.|\[\d+\]) +(\S.*)$");

/// Words with which the details begin; groups of a test do not have them.
const DETAILS: &[&str] =
    &["Message", "Error", "error", "xpected", "Failure", "Assert", "Stack", " at ", "("];

const SIGNS: [char; 5] = ['✖', '✗', '✘', '✕', '×'];

/// More lines below a heading are not its list.
const LONGEST: usize = 400;

/// Returns the items of lists: numbered ones up to the next heading, others up to an empty line.
pub(super) fn lists(text: &Text) -> Vec<Found> {
    let mut found = Vec::new();
    // minitest has no heading.
    for (at, _) in text.matches(line(") ", r"^\s*\d+\) (?:Failure|Error):$")) {
        found
            .extend(text.lines.get(at + 1).map(|line| Found { shown: line.clone(), line: at + 1 }));
    }
    for (at, _) in text.matches(HEADING) {
        let numbered = numbered(text, at);
        if numbered.is_empty() {
            found.extend(plain(text, at));
        } else {
            found.extend(numbered);
        }
    }
    found
}

fn numbered(text: &Text, heading: usize) -> Vec<Found> {
    let mut found = Vec::new();
    for at in heading + 1..text.lines.len().min(heading + LONGEST) {
        if text.at(at, OTHER).is_some() || text.at(at, HEADING).is_some() {
            break;
        }
        let Some(item) = text.at(at, NUMBER) else { continue };
        let first = item.get(1).map_or("", |part| part.as_str());
        let joined = numbered_name(text, at, first).filter(|_| !first.ends_with(':'));
        let shown = joined.filter(|joined| !DETAILS.iter().any(|word| joined.contains(word)));
        found.push(Found { shown: shown.unwrap_or_else(|| first.to_owned()), line: at });
    }
    found
}

fn plain(text: &Text, heading: usize) -> Vec<Found> {
    let has_number = text.lines[heading].contains(|letter: char| letter.is_ascii_digit());
    if !has_number && !text.lines[heading].trim_end().ends_with(':') {
        return Vec::new();
    }
    let deep = if has_number { indentation(&text.lines[heading]) + 1 } else { 0 };
    let mut found = Vec::new();
    let mut lines = text.lines.iter().enumerate().skip(heading + 1).take(LONGEST).peekable();
    lines.next_if(|(_, line)| line.trim().is_empty());
    for (at, line) in lines {
        if line.trim_start().starts_with(SIGNS) {
            // A tree of groups and tests; the signs name the tests.
            return Vec::new();
        }
        let is_item = line.starts_with([' ', '\t', '-', '*', '•', '['])
            || line.starts_with(|c: char| c.is_ascii_digit());
        if !is_item || line.trim().is_empty() || indentation(line) < deep {
            break;
        }
        let shown = text.at(at, ITEM).and_then(|item| Some(item.get(1)?.as_str().to_owned()));
        found.extend(shown.map(|shown| Found { shown, line: at }));
    }
    found
}
