//! Extracts the tests from a Rust source file.

use std::ops::Range;

use super::language::Language;
use super::lines::{TestLine, has_phrase};
use super::scan::scan;

/// Extracts the tests of a source file: every item that exists only for tests, with its attributes
/// and the heads of the items around it. `None` if there are none. A text that may have tests and
/// cannot be parsed is returned whole.
///
/// The enclosing items count, because a test in `#[cfg(any())] mod off { … }` never runs.
pub fn rust_tests(text: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(text).ok()?;
    if !text.contains("test") || !text.contains("#[") && !text.contains("mod ") {
        return None;
    }
    let read = scan(text, Language::Rust);
    if !read.is_certain {
        return Some(text.as_bytes().to_vec());
    }
    let lines = read.lines;
    let (mut found, mut inside) = (String::new(), Vec::new());
    for item in items(&lines) {
        if item.around != inside {
            leave(&mut found, &lines, &inside);
            enter(&mut found, &lines, &item.around);
            inside = item.around;
        }
        for line in &lines[item.range] {
            found.push_str(&line.raw);
            found.push('\n');
        }
    }
    leave(&mut found, &lines, &inside);
    let switches = lines.iter().filter(|line| line.code.starts_with("#![cfg"));
    let switches: String = switches.flat_map(|line| [line.code.as_str(), "\n"]).collect();
    (!found.is_empty()).then(|| format!("{switches}{found}").into_bytes())
}

/// An item that exists only for tests.
pub(super) struct TestItem {
    /// Its lines, including attributes.
    pub(super) range: Range<usize>,
    /// The lines that open the enclosing items, outermost first.
    pub(super) around: Vec<usize>,
}

/// Returns every item that exists only for tests, in order.
pub(super) fn items(lines: &[TestLine]) -> Vec<TestItem> {
    let (mut items, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        if !is_for_tests(&lines[at..]) {
            at += 1;
            continue;
        }
        let (start, end) = (first_attribute(lines, at), end(lines, at));
        items.push(TestItem { range: start..end, around: around(lines, at) });
        at = end.max(at + 1);
    }
    items
}

/// Returns whether the first line has an attribute that makes the next item a test or restricts it
/// to tests, or declares a module whose name says that it holds tests.
fn is_for_tests(lines: &[TestLine]) -> bool {
    if lines.first().is_some_and(declares_tests) {
        return true;
    }
    let Some(first) = lines.first().filter(|line| line.code.starts_with("#[")) else {
        return false;
    };
    let length = lines.iter().position(|line| line.depth_after <= first.depth_before);
    let code: Vec<&str> =
        lines[..=length.unwrap_or(0)].iter().map(|line| line.code.as_str()).collect();
    let code = code.join(" ");
    let attribute = code.trim_start_matches("#[").split(']').next().unwrap_or_default();
    let name = attribute.split('(').next().unwrap_or_default().trim();
    let is_condition = name == "cfg" && has_phrase(&without_not(attribute), "test");
    is_condition || name == "test" || name.ends_with("::test") || name == "rstest"
}

/// Returns whether a line declares a module of tests in a file of its own: `mod tests;`. Without the
/// line, that file is not compiled.
fn declares_tests(line: &TestLine) -> bool {
    let declared = line.code.strip_suffix(';').filter(|_| !line.starts_inside);
    let name = declared.and_then(|code| {
        let (visibility, name) = code.rsplit_once("mod ")?;
        let is_plain = visibility.is_empty()
            || visibility.starts_with("pub") && visibility.ends_with([' ', ')']);
        is_plain.then_some(name.trim())
    });
    let mut words = name.into_iter().flat_map(|name| name.split('_'));
    words.any(|word| word == "test" || word == "tests")
}

/// Removes the `not(…)` parts from a condition.
fn without_not(condition: &str) -> String {
    let mut rest = condition;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("not(") {
        kept.push_str(before);
        let mut depth = 1_u32;
        let end = after.find(|letter: char| {
            depth = match letter {
                '(' => depth + 1,
                ')' => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        });
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    kept + rest
}

/// Returns the first of the consecutive attributes and doc comments right before a line.
fn first_attribute(lines: &[TestLine], at: usize) -> usize {
    let is_attribute = |line: &&TestLine| {
        let is_comment = line.code.is_empty() && !line.is_blank();
        line.code.starts_with("#[") || is_comment && line.raw.trim_start().starts_with("///")
    };
    at - lines[..at].iter().rev().take_while(is_attribute).count()
}

/// Returns the line after the item whose attribute is at `at`.
fn end(lines: &[TestLine], at: usize) -> usize {
    let depth = lines[at].depth_before;
    let ends = |line: &TestLine| {
        let is_attribute = line.code.starts_with("#[") && line.code.ends_with(']');
        !is_attribute && line.depth_after <= depth && line.code.ends_with([';', '}', ','])
    };
    let length = lines[at..].iter().position(ends);
    length.map_or(lines.len(), |length| at + length + 1)
}

/// Returns the lines that open the items around a line, outermost first.
fn around(lines: &[TestLine], at: usize) -> Vec<usize> {
    let mut openers = Vec::new();
    let mut inner = lines[at].opener;
    while let Some(opener) = inner {
        openers.push(opener);
        inner = lines[opener].opener.filter(|outer| *outer < opener);
    }
    openers.reverse();
    openers
}

/// Writes the heads of the enclosing items, with their attributes.
pub(super) fn enter(found: &mut String, lines: &[TestLine], openers: &[usize]) {
    for opener in openers {
        for line in &lines[first_attribute(lines, *opener)..=*opener] {
            found.push_str(&line.code);
            found.push('\n');
        }
    }
}

/// Closes the brackets that these heads opened.
fn leave(found: &mut String, lines: &[TestLine], openers: &[usize]) {
    let mut open = Vec::new();
    for letter in openers.iter().flat_map(|opener| lines[*opener].code.chars()) {
        match letter {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    for letter in open.into_iter().rev() {
        found.extend([letter, '\n']);
    }
}
