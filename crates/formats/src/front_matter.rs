//! Finds the YAML at the start of a Markdown file.
//!
//! Front matter extends from a first line `---` to the next line that is exactly `---`; blanks
//! after the dashes are allowed. Everything else is body, and a body never contains state.

use std::ops::Range;

use crate::fault::{Fault, FaultKind};
use crate::place::Span;

/// The positions of the parts of a Markdown file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The lines between the two markers, or `None` without front matter.
    pub(crate) yaml: Option<Range<usize>>,
    /// The first byte after the closing marker's line.
    pub(crate) body: usize,
}

/// Returns the start of the text after a byte order mark.
pub(crate) fn after_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Splits a Markdown file into front matter and body.
pub(crate) fn split(text: &str) -> Result<Parts, Fault> {
    let start = after_mark(text);
    let mut at = start;
    let mut opened = None;
    for line in text[start..].split_inclusive('\n') {
        let next = at + line.len();
        match (opened, is_marker(line)) {
            (None, false) => break,
            (None, true) => opened = Some(next),
            (Some(from), true) => return Ok(Parts { yaml: Some(from..at), body: next }),
            (Some(_), false) => {}
        }
        at = next;
    }
    match opened {
        None => Ok(Parts { yaml: None, body: start }),
        Some(_) => Err(Fault::new(
            FaultKind::Syntax,
            text,
            Span::new(start, start + 3),
            "the front matter is not closed",
        )
        .expecting("a line `---` after the last key")
        .help("close the front matter with a line `---`")),
    }
}

fn is_marker(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.trim_matches([' ', '\t', '\r', '\n']).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Option<(&str, &str)> {
        let parts = split(text).unwrap();
        parts.yaml.map(|yaml| (&text[yaml], &text[parts.body..]))
    }

    #[test]
    fn markers_are_whole_lines() {
        assert_eq!(cut("---\na: 1\n---\nbody\n---\n"), Some(("a: 1\n", "body\n---\n")));
        assert_eq!(cut("---\r\na: 1\r\n---  \r\nx"), Some(("a: 1\r\n", "x")));
        assert_eq!(cut("\u{feff}---\n---"), Some(("", "")));
        assert_eq!(
            cut("---\na: |\n ---\n--- x\n----\n---\n"),
            Some(("a: |\n ---\n--- x\n----\n", ""))
        );
    }

    #[test]
    fn without_a_marker_all_is_body() {
        for text in ["", "# Title\n---\na: 1\n---\n", " ---\na: 1\n---\n", "\n---\n---\n", "----\n"]
        {
            assert_eq!(cut(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_open_end_is_one_fault() {
        let fault = split("\u{feff}---\na: 1\n").unwrap_err();
        assert_eq!((fault.place.line, fault.place.col), (1, 1));
        assert_eq!(fault.what, "the front matter is not closed");
    }
}
