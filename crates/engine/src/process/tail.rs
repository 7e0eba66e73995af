//! Keeps the end of what a process says, however much it says.

/// The last bytes that were said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Grows to twice the cap before it is cut, so that cutting stays rare.
    bytes: Vec<u8>,
    cap: usize,
}

impl Tail {
    /// Makes one that keeps the last `cap` bytes.
    pub const fn new(cap: usize) -> Self {
        Self { bytes: Vec::new(), cap }
    }

    /// Takes what was said next.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(&bytes[bytes.len().saturating_sub(self.cap)..]);
        if self.bytes.len() > 2 * self.cap {
            self.bytes.drain(..self.bytes.len() - self.cap);
        }
    }

    /// Returns the last bytes.
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
    pub(super) fn held(&self) -> (usize, usize) {
        (self.bytes.len(), self.bytes.capacity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
