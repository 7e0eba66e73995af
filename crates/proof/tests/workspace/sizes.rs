//! The maximum length of files and functions: STYLE.md §1, enforced by a test.

use std::path::PathBuf;

const FILE_MAX: usize = 800;
const FILE_P95: usize = 500;
const FILE_P50: usize = 180;
const FUNCTION_MAX: usize = 100;
const FUNCTION_P95: usize = 45;

/// Returns the value below which `percent` of the sorted `sizes` lie.
fn percentile(sizes: &[usize], percent: usize) -> usize {
    sizes.get(sizes.len() * percent / 100).or(sizes.last()).copied().unwrap_or(0)
}

/// Returns name, first line and length of each function of a formatted source.
///
/// rustfmt closes a function with a brace at the indentation of its first line, which suffices
/// here.
fn functions(text: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let Some(name) = function_name(code) else { continue };
        let ends = [format!("{indent}}}"), format!("{indent})")];
        // `}` closes a body; `) -> T;` closes a signature without one.
        let is_end =
            |line: &&str| **line == *ends[0] || line.starts_with(&ends[1]) && line.ends_with(';');
        let is_whole = code.ends_with(';') || code.ends_with('}');
        let end = if is_whole { None } else { lines[at..].iter().position(is_end) };
        let length = end.map_or(1, |end| end + 1);
        found.push((name.to_owned(), at + 1, length));
    }
    found
}

fn function_name(code: &str) -> Option<&str> {
    let mut words = code.split_whitespace();
    let modifiers = ["pub", "pub(crate)", "pub(super)", "const", "async", "unsafe", "extern"];
    let first = words.find(|word| !modifiers.contains(word))?;
    (first == "fn").then(|| words.next())?.map(|word| word.split(['(', '<']).next().unwrap_or(word))
}

#[test]
fn files_are_short() {
    let mut files: Vec<(usize, PathBuf)> =
        crate::sources().into_iter().map(|(path, text)| (text.lines().count(), path)).collect();
    files.sort();
    let sizes: Vec<usize> = files.iter().map(|(lines, _)| *lines).collect();
    let (p50, p95) = (percentile(&sizes, 50), percentile(&sizes, 95));
    let longest = files.last().unwrap();
    assert!(longest.0 <= FILE_MAX, "{longest:?} is longer than {FILE_MAX} lines");
    assert!(p95 <= FILE_P95, "p95 of file lengths is {p95}, more than {FILE_P95}");
    assert!(p50 <= FILE_P50, "the median file has {p50} lines, more than {FILE_P50}");
}

#[test]
fn functions_are_short() {
    let mut all: Vec<(usize, String)> = Vec::new();
    for (path, text) in crate::sources() {
        let place = |(name, line, length): (String, usize, usize)| {
            (length, format!("{}:{line} {name}", path.display()))
        };
        all.extend(functions(&text).into_iter().map(place));
    }
    all.sort();
    let sizes: Vec<usize> = all.iter().map(|(lines, _)| *lines).collect();
    let (longest, p95) = (all.last().unwrap(), percentile(&sizes, 95));
    assert!(longest.0 <= FUNCTION_MAX, "{longest:?} is longer than {FUNCTION_MAX} lines");
    assert!(p95 <= FUNCTION_P95, "p95 of function lengths is {p95}, more than {FUNCTION_P95}");
}

#[test]
fn functions_are_found_and_measured() {
    let text = "pub(crate) fn one(\n    a: u8,\n) -> u8 {\n    a\n}\n\nimpl X {\n    fn two(&self) {}\n    const fn three() {\n        x();\n    }\n    fn four(\n        a: u8,\n    ) -> u8;\n}\n";
    let found = functions(text);
    let short: Vec<(&str, usize, usize)> =
        found.iter().map(|(name, line, length)| (name.as_str(), *line, *length)).collect();
    assert_eq!(short, [("one", 1, 5), ("two", 8, 1), ("three", 9, 3), ("four", 12, 3)]);
    assert_eq!(percentile(&[1, 2, 3, 4], 50), 3);
}
