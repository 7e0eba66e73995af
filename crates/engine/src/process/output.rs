//! Keeps the head and the tail of what a process says, however much it says.

use super::Tail;

/// How much of an output is kept; the rest is counted.
const HEAD: usize = 16 << 10;
const TAIL: usize = 48 << 10;

/// What was kept of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    head: Vec<u8>,
    tail: Tail,
    total: u64,
}

impl Default for Output {
    fn default() -> Self {
        Self::keeping(TAIL)
    }
}

impl Output {
    /// Keeps so many of the last bytes, beside the head.
    pub(super) fn keeping(most: usize) -> Self {
        Self { head: Vec::new(), tail: Tail::new(most), total: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = HEAD - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        self.tail.push(rest);
    }

    /// Returns how many bytes there were.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Returns all of it, if nothing is missing.
    pub fn whole(&self) -> Option<Vec<u8>> {
        let kept = [&self.head, self.tail.bytes()].concat();
        (kept.len() as u64 == self.total).then_some(kept)
    }

    /// Returns what was kept as text, with a line that says how much is missing.
    pub fn text(&self) -> String {
        let tail = self.tail.bytes();
        let missing = self.total - self.head.len() as u64 - tail.len() as u64;
        if missing == 0 {
            return String::from_utf8_lossy(&[&self.head, tail].concat()).into_owned();
        }
        let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(tail));
        format!("{head}\n… {missing} bytes left out …\n{tail}")
    }

    /// Returns both ends as text, as if no more than usual had been kept.
    pub fn ends(&self) -> String {
        let mut usual = Self::default();
        usual.push(&self.head);
        usual.push(self.tail.bytes());
        usual.total = self.total;
        usual.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_outputs_are_kept_whole() {
        let mut output = Output::default();
        for piece in ["a", "", "é", "\n"] {
            output.push(piece.as_bytes());
        }
        assert_eq!((output.text().as_str(), output.total()), ("aé\n", 4));
    }

    #[test]
    fn a_character_across_head_and_tail_stays_whole() {
        let mut output = Output::default();
        output.push(&vec![b'x'; HEAD - 1]);
        output.push("é".as_bytes());
        assert!(output.text().ends_with("xé"));
    }

    #[test]
    fn of_a_long_one_both_ends_are_kept_and_the_rest_is_counted() {
        let mut output = Output::default();
        output.push(b"begin");
        for _ in 0..10_000 {
            output.push(&[b'.'; 1000]);
        }
        output.push(b"end");
        let text = output.text();
        assert!(text.starts_with("begin.") && text.ends_with("..end"));
        assert_eq!(output.total(), 10_000_008);
        assert!(text.contains(&format!("… {} bytes left out …", 10_000_008 - HEAD - TAIL)));
        assert!(output.tail.held().1 < 8 * TAIL);
        output.push(&vec![b'!'; 3 * TAIL]);
        assert!(output.text().ends_with("!!!") && output.tail.held().0 <= 2 * TAIL);
    }
}
