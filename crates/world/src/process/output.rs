//! Keeps the head and the tail of a process's output, whatever its size.

/// How many bytes of an output are kept; the rest is only counted.
const HEAD: usize = 16 << 10;
const TAIL: usize = 48 << 10;

/// The kept parts of an output.
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
    /// Keeps `most` of the last bytes, in addition to the head.
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

    /// Returns the total number of bytes.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Returns the whole output if it was kept completely.
    pub fn whole(&self) -> Option<Vec<u8>> {
        let kept = [&self.head, self.tail.bytes()].concat();
        (kept.len() as u64 == self.total).then_some(kept)
    }

    /// Returns the kept parts as text, with a line that counts the missing bytes.
    pub fn text(&self) -> String {
        let tail = self.tail.bytes();
        let missing = self.total - self.head.len() as u64 - tail.len() as u64;
        if missing == 0 {
            return String::from_utf8_lossy(&[&self.head, tail].concat()).into_owned();
        }
        let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(tail));
        format!("{head}\n… {missing} bytes left out …\n{tail}")
    }

    /// Returns both ends as text, shortened to the default sizes.
    pub fn ends(&self) -> String {
        let mut usual = Self::default();
        usual.push(&self.head);
        usual.push(self.tail.bytes());
        usual.total = self.total;
        usual.text()
    }
}

/// The last bytes of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Grows to twice the cap before it is cut, so that cutting is rare.
    bytes: Vec<u8>,
    cap: usize,
}

impl Tail {
    /// Keeps the last `cap` bytes.
    pub const fn new(cap: usize) -> Self {
        Self { bytes: Vec::new(), cap }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(&bytes[bytes.len().saturating_sub(self.cap)..]);
        if self.bytes.len() > 2 * self.cap {
            self.bytes.drain(..self.bytes.len() - self.cap);
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.bytes.len().saturating_sub(self.cap)..]
    }

    /// Returns them as text that begins with a whole character.
    pub fn text(&self) -> String {
        let bytes = self.bytes();
        let is_cut = bytes.len() < self.bytes.len() || bytes.len() == self.cap;
        let inside = |byte: &&u8| (0x80..0xc0).contains(*byte);
        let skipped = if is_cut { bytes.iter().take(3).take_while(inside).count() } else { 0 };
        String::from_utf8_lossy(&bytes[skipped..]).into_owned()
    }

    #[cfg(test)]
    fn held(&self) -> (usize, usize) {
        (self.bytes.len(), self.bytes.capacity())
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

    #[test]
    fn the_end_is_kept_and_begins_with_a_whole_character() {
        let mut tail = Tail::new(5);
        tail.push(b"");
        assert_eq!(tail.text(), "");
        tail.push("aé".as_bytes());
        assert_eq!(tail.text(), "aé");
        tail.push("éüx".as_bytes());
        assert_eq!((tail.text().as_str(), tail.bytes().len()), ("éüx", 5));
        tail.push(b"y");
        assert_eq!(tail.text(), "üxy");
        for _ in 0..1000 {
            tail.push(&[b'.'; 1000]);
        }
        assert_eq!(tail.text(), ".....");
        assert!(tail.held().1 < 64);
    }
}
