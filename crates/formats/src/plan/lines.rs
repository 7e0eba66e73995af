//! Splits a text into lines with their offsets, and converts offsets to places.

use crate::front_matter::after_mark;
use crate::place::Place;

/// The most bytes of a line for which columns are counted, so that many problems on one very long
/// line cost no more than on many short ones.
const COUNTED: usize = 4096;

/// A line without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// The offset of its start.
    pub(super) start: usize,
    pub(super) text: &'t str,
}

impl<'t> Line<'t> {
    /// The blanks at its start.
    pub(super) fn indent(&self) -> &'t str {
        &self.text[..self.text.len() - self.text.trim_start_matches([' ', '\t']).len()]
    }

    /// The text without surrounding blanks.
    pub(super) fn said(&self) -> &'t str {
        self.text.trim_matches([' ', '\t'])
    }

    /// The offset of its first character that is not a blank.
    pub(super) fn at(&self) -> usize {
        self.start + self.indent().len()
    }
}

/// The lines of a text, which end with LF, CRLF or CR.
#[derive(Debug)]
pub(super) struct TextLines<'t> {
    lines: Vec<Line<'t>>,
}

impl<'t> TextLines<'t> {
    /// Splits a text into lines. A byte order mark belongs to no line.
    pub(super) fn of(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let (bytes, mut start) = (text.as_bytes(), after_mark(text));
        while start < text.len() {
            let rest = &bytes[start..];
            let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = length.unwrap_or(rest.len());
            lines.push(Line { start, text: &text[start..start + length] });
            let ended = &rest[length..];
            start += length + if ended.starts_with(b"\r\n") { 2 } else { 1 };
        }
        Self { lines }
    }

    /// The line with this index, starting at 0.
    pub(super) fn get(&self, at: usize) -> Option<&Line<'t>> {
        self.lines.get(at)
    }

    /// The first line from index `at` on that is not blank.
    pub(super) fn filled(&self, at: usize) -> Option<&Line<'t>> {
        self.lines.iter().skip(at).find(|line| !line.said().is_empty())
    }

    /// The line and column of a byte.
    pub(super) fn place(&self, byte: usize) -> Place {
        let after = self.lines.partition_point(|line| line.start <= byte);
        let Some(line) = after.checked_sub(1).and_then(|at| self.lines.get(at)) else {
            return Place { line: 1, col: 1 };
        };
        let counted = (byte - line.start).min(line.text.len()).min(COUNTED);
        let before = line.text.char_indices().take_while(|(at, _)| *at < counted);
        Place { line: after, col: 1 + before.count() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_lf_crlf_or_cr() {
        let lines = TextLines::of("\u{feff}a\r\n\r\tb \rc\n");
        let said: Vec<_> = lines.lines.iter().map(|line| (line.start, line.text)).collect();
        assert_eq!(said, [(3, "a"), (6, ""), (7, "\tb "), (11, "c")]);
        assert_eq!((lines.lines[2].indent(), lines.lines[2].said()), ("\t", "b"));
        assert_eq!(lines.filled(1).map(|line| line.start), Some(7));
    }

    #[test]
    fn a_byte_has_a_line_and_a_column() {
        let lines = TextLines::of("\u{feff}aé\r\nüb");
        assert_eq!(lines.place(3), Place { line: 1, col: 1 });
        assert_eq!(lines.place(6), Place { line: 1, col: 3 });
        assert_eq!(lines.place(10), Place { line: 2, col: 2 });
        assert_eq!(lines.place(99), Place { line: 2, col: 3 });
        assert_eq!(TextLines::of("").place(0), Place { line: 1, col: 1 });
    }
}
