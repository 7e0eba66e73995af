//! The lines that one text adds to another, stored as short hashes to check later whether they are
//! still present.

use std::collections::BTreeSet;
use std::fmt;

use crate::Hash;

/// Hex digits of the hash of a line.
const DIGITS: usize = 8;

/// Hashes a line; `None` if it has no letter or digit. Indentation, the amount of whitespace and a
/// trailing comma or semicolon do not matter: they change when a line moves.
fn hash_of(line: &[u8]) -> Option<u32> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    if !line.iter().any(is_word) {
        return None;
    }
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(&b' ');
    let end = line.iter().rposition(|byte| !b",;".contains(byte)).map_or(0, |last| last + 1);
    u32::from_str_radix(&Hash::of(&line[..end]).short(DIGITS), 16).ok()
}

/// The set of lines of some texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineSet(BTreeSet<u32>);

impl LineSet {
    pub fn of(text: &[u8]) -> Self {
        let mut lines = Self::default();
        lines.add(text);
        lines
    }

    pub fn add(&mut self, text: &[u8]) {
        self.0.extend(text.split(|byte| *byte == b'\n').filter_map(hash_of));
    }
}

/// The lines that one text adds to another, in blocks of adjacent lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedLines(Vec<Vec<u32>>);

impl AddedLines {
    /// The maximum number of lines kept for a file.
    pub const MOST: usize = 5_000;

    /// Collects the lines of `after` that are not in `before`, at most [`Self::MOST`]. A blank line
    /// or a line of `before` ends a block.
    pub fn between(before: &[u8], after: &[u8]) -> Self {
        let known = LineSet::of(before);
        let (mut blocks, mut left) = (vec![Vec::new()], Self::MOST);
        for line in after.split(|byte| *byte == b'\n') {
            let hash = hash_of(line);
            let is_blank = line.iter().all(u8::is_ascii_whitespace);
            if is_blank || hash.is_some_and(|hash| known.0.contains(&hash)) {
                blocks.push(Vec::new());
            } else if let (Some(hash), Some(block)) = (hash, blocks.last_mut().filter(|_| left > 0))
            {
                block.push(hash);
                left -= 1;
            }
        }
        Self(filled(blocks))
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Returns whether every block is still present. A block counts as present if less than half of
    /// it is missing: it was edited further.
    pub fn are_in(&self, lines: &LineSet) -> bool {
        self.0.iter().all(|block| {
            let missing = block.iter().filter(|line| !lines.0.contains(line)).count();
            missing * 2 < block.len()
        })
    }

    /// Returns the lines that are not among `others`.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        let known: BTreeSet<u32> = others.0.iter().flatten().copied().collect();
        let rest = |block: &Vec<u32>| {
            block.iter().filter(|line| !known.contains(line)).copied().collect::<Vec<_>>()
        };
        Self(filled(self.0.iter().map(rest).collect()))
    }

    /// Parses the output of [`Display`](fmt::Display) and skips malformed parts.
    pub fn read(text: &str) -> Self {
        let line = |word: &str| u32::from_str_radix(word, 16).ok();
        let block = |part: &str| part.split(' ').filter_map(line).collect::<Vec<_>>();
        Self(filled(text.split('/').map(block).collect()))
    }
}

fn filled(mut blocks: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    blocks.retain(|block| !block.is_empty());
    blocks
}

impl fmt::Display for AddedLines {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, block) in self.0.iter().enumerate() {
            out.write_str(if nth == 0 { "" } else { "/" })?;
            let words: Vec<_> = block.iter().map(|line| format!("{line:0DIGITS$x}")).collect();
            out.write_str(&words.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_in(before: &str, then: &str, now: &str) -> bool {
        let added = AddedLines::between(before.as_bytes(), then.as_bytes());
        assert!(!added.is_empty(), "{then:?}");
        added.are_in(&LineSet::of(now.as_bytes()))
    }

    #[test]
    fn lines_that_moved_were_indented_or_stand_among_others_are_there() {
        for now in [
            "code\nmine = 1\n",
            "mine = 1\ncode\n",
            "code\n    mine  =  1,\r\n",
            "new\ncode\nnew\nmine = 1\nnew\n",
        ] {
            assert!(are_in("code\n", "code\nmine = 1\n", now), "{now:?}");
        }
    }

    #[test]
    fn a_block_is_gone_with_half_of_its_lines() {
        let (before, then) = ("code\n", "one\ntwo\nthree\n\ncode\nlast\n");
        for (now, is_there) in [
            ("one\ntwo\nthree\nlast\n", true),
            ("one\ntwo\nother\nlast\n", true),
            ("one\nother\nlast\n", false),
            ("one\ntwo\nthree\nlast 2\n", false),
            ("code\n", false),
            ("", false),
        ] {
            assert_eq!(are_in(before, then, now), is_there, "{now:?}");
        }
    }

    #[test]
    fn lines_without_a_word_and_lines_that_were_there_before_say_nothing() {
        let of = |before: &str, after: &str| {
            AddedLines::between(before.as_bytes(), after.as_bytes()).len()
        };
        assert_eq!(of("", "{\n\n---\n};\n"), 0);
        assert_eq!(of("code\n", "code\n  code\n"), 0);
        assert_eq!(of("", "größe\n日本\n"), 2);
        // A line without a word does not end a block.
        assert!(!are_in("", "a(\n)\nb\n", "a(\n"));
    }

    #[test]
    fn a_long_text_is_kept_in_part() {
        let lines: Vec<_> = (0..AddedLines::MOST + 100).map(|nth| format!("line {nth}")).collect();
        let text = lines.join("\n");
        let added = AddedLines::between(b"", text.as_bytes());
        assert_eq!(added.len(), AddedLines::MOST);
        assert!(added.are_in(&LineSet::of(text.as_bytes())));
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in ["", "one\n", "one\ntwo\n\nthree\n"] {
            let added = AddedLines::between(b"", text.as_bytes());
            assert_eq!(AddedLines::read(&added.to_string()), added, "{added}");
        }
        assert_eq!(AddedLines::read("no hash/0000000g"), AddedLines::default());
    }

    #[test]
    fn known_lines_are_taken_away() {
        let of = |text: &str| AddedLines::between(b"", text.as_bytes());
        assert_eq!(of("one\ntwo\n\nthree\n").without(&of("two\n\nthree\n")), of("one\n"));
        assert!(of("one\n").without(&of("one\n")).is_empty());
    }
}
