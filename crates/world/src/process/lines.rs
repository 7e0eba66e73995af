//! Splits a process's output into lines, in pieces of any size and with a length limit.

/// Holds the beginning of a line until its end arrives, up to its cap.
#[derive(Clone, Debug)]
pub struct LineBuffer {
    held: Vec<u8>,
    cap: usize,
}

impl LineBuffer {
    /// Keeps the first `cap` bytes of each line.
    pub const fn new(cap: usize) -> Self {
        Self { held: Vec::new(), cap }
    }

    /// Takes a piece and passes on the lines that end in it, without line breaks.
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(&[u8])) {
        let mut parts = piece.split(|&byte| byte == b'\n').peekable();
        while let Some(part) = parts.next() {
            let is_whole = parts.peek().is_some();
            if is_whole && self.held.is_empty() {
                each(&part[..part.len().min(self.cap)]);
                continue;
            }
            let room = self.cap - self.held.len();
            self.held.extend_from_slice(&part[..part.len().min(room)]);
            if is_whole {
                each(&self.held);
                self.held.clear();
            }
        }
    }

    /// Passes on the last line if it had no line break.
    pub fn end(&mut self, mut each: impl FnMut(&[u8])) {
        if !self.held.is_empty() {
            each(&self.held);
            self.held.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines of a text that arrives in pieces of `size`.
    fn cut(text: &[u8], size: usize, cap: usize) -> Vec<Vec<u8>> {
        let (mut lines, mut all) = (LineBuffer::new(cap), Vec::new());
        for piece in text.chunks(size) {
            lines.push(piece, |line| all.push(line.to_vec()));
            assert!(lines.held.len() <= cap);
        }
        lines.end(|line| all.push(line.to_vec()));
        all
    }

    #[test]
    fn lines_are_the_same_however_they_come() {
        let text = b"one\n\ntwo three\n\xff\0\nlast";
        let all: [&[u8]; 5] = [b"one", b"", b"two three", b"\xff\0", b"last"];
        for size in 1..=text.len() {
            assert_eq!(cut(text, size, 64), all, "{size}");
        }
        assert_eq!(cut(b"", 1, 64), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn of_a_long_line_the_beginning_is_kept() {
        for size in 1..=12 {
            assert_eq!(cut(b"abcdefgh\nij\n", size, 3), [&b"abc"[..], b"ij"], "{size}");
        }
        assert_eq!(cut(&vec![b'x'; 100_000], 7, 10), [vec![b'x'; 10]]);
    }
}
