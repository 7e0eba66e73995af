//! Positions in a text: bytes for machines, line and column for people.

use std::ops::Range;

/// A range of bytes. Documents are small, so 32 bits suffice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The span from `start` up to, but not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end.max(start)) }
    }

    /// The empty span at `at`.
    pub fn at(at: usize) -> Self {
        Self::new(at, at)
    }

    /// The offset of the first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// The offset after the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A line and a column, both starting at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    /// Counted in characters.
    pub col: usize,
}

impl Place {
    /// The place of byte `at` in `text`. A byte order mark is not a column.
    pub fn of(text: &str, at: usize) -> Self {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        let col = 1 + before[start..].chars().filter(|&c| c != '\u{feff}').count();
        Self { line, col }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_no_byte_order_mark() {
        let text = "\u{feff}aé\r\nüb";
        assert_eq!(Place::of(text, 3), Place { line: 1, col: 1 });
        assert_eq!(Place::of(text, 6), Place { line: 1, col: 3 });
        assert_eq!(Place::of(text, 10), Place { line: 2, col: 2 });
        assert_eq!(Place::of(text, 9), Place { line: 2, col: 1 }, "inside a character");
        assert_eq!(Place::of(text, 99), Place { line: 2, col: 3 }, "past the end");
    }
}
