//! The terminal display of a driven run: events scroll above a block that is redrawn. One thread
//! draws, at most ten times a second, each time with a single write.

use std::fmt::Write as _;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use sprag_world::{clock, terminal};

use super::board::Board;
use crate::screen;
use crate::style::{StreamStyle, WIDTH};

/// The minimum time between two drawings.
const PACE: Duration = Duration::from_millis(100);
/// The assumed height of a terminal of unknown size.
const HEIGHT: usize = 24;

/// A message to the painter.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    /// A line to scroll.
    Line(String),
    /// The terminal's content is no longer known.
    Anew,
}

/// The live block and the lines above it; dropping it removes the block.
#[derive(Debug)]
pub(super) struct Live {
    lines: Option<Sender<Fact>>,
    painter: Option<JoinHandle<()>>,
}

impl Live {
    /// Starts the painter.
    pub(super) fn begin(look: StreamStyle, board: Arc<Mutex<Board>>) -> Self {
        let (lines, facts) = channel();
        let painter = std::thread::spawn(move || paint(look, &facts, &board));
        Self { lines: Some(lines), painter: Some(painter) }
    }

    /// Scrolls a line.
    pub(super) fn line(&self, line: String) {
        self.tell(Fact::Line(line));
    }

    /// Keeps what is on the terminal, and draws below it.
    pub(super) fn begin_anew(&self) {
        self.tell(Fact::Anew);
    }

    fn tell(&self, fact: Fact) {
        if let Some(lines) = &self.lines {
            // If the painter is gone, nothing is displayed any more.
            let _ = lines.send(fact);
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(painter) = self.painter.take() {
            // The painter ends with the last line; its result does not matter.
            let _ = painter.join();
        }
    }
}

/// Returns the usable size of the terminal. The last column stays free, since text there may wrap.
pub(super) fn room() -> (usize, usize) {
    let (columns, rows) = terminal::size().unwrap_or((WIDTH, HEIGHT));
    (columns.saturating_sub(1).max(1), rows.saturating_sub(1).max(1))
}

fn paint(look: StreamStyle, facts: &Receiver<Fact>, board: &Mutex<Board>) {
    let mut block = Block::default();
    loop {
        let mut lines = Vec::new();
        let over = loop {
            match facts.try_recv() {
                Ok(Fact::Line(line)) => lines.push(line),
                Ok(Fact::Anew) => block = block.left_behind(),
                Err(TryRecvError::Empty) => break false,
                Err(TryRecvError::Disconnected) => break true,
            }
        };
        let drawn = if over {
            Vec::new()
        } else {
            let board = board.lock().unwrap_or_else(PoisonError::into_inner);
            board.draw(look, room(), clock::now())
        };
        if let Some(text) = block.redraw(&lines, drawn, room().0 + 1) {
            // If the output is closed, nothing is displayed; the work continues.
            let _ = screen::print(&text);
        }
        if over {
            return;
        }
        std::thread::sleep(PACE);
    }
}

/// The lines on the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Block {
    lines: Vec<String>,
}

impl Block {
    /// Keeps what is on the terminal, and continues below it.
    fn left_behind(self) -> Self {
        if !self.lines.is_empty() {
            // If the output is closed, nothing is displayed; the work continues.
            let _ = screen::print("\n");
        }
        Self::default()
    }

    /// Returns the text that replaces the old block with `facts` and then `lines`; `None` if
    /// nothing changed. The cursor stays at the end of the last line.
    fn redraw(&mut self, facts: &[String], lines: Vec<String>, width: usize) -> Option<String> {
        if facts.is_empty() && self.lines == lines {
            return None;
        }
        let mut text = String::from("\r");
        let rows: usize = self.lines.iter().map(|line| rows(line, width)).sum();
        if rows > 1 {
            let _ = write!(text, "\u{1b}[{}A", rows - 1);
        }
        for fact in facts {
            let _ = writeln!(text, "{fact}\u{1b}[K");
        }
        let _ = write!(text, "{}", lines.join("\u{1b}[K\n"));
        // Clears the rest of the old block, to the right and below.
        text.push_str("\u{1b}[J");
        self.lines = lines;
        Some(text)
    }
}

/// Returns the rows that a line takes: a terminal that became narrower has wrapped it.
fn rows(line: &str, width: usize) -> usize {
    visible(line).div_ceil(width.max(1)).max(1)
}

/// Returns the columns that a line takes, without its colour codes.
fn visible(line: &str) -> usize {
    let mut pieces = line.split('\u{1b}');
    let first = pieces.next().map_or(0, crate::style::columns);
    let rest = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, text)| text));
    first + rest.map(crate::style::columns).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn a_block_is_drawn_over_and_taken_away_again() {
        let mut block = Block::default();
        let first = block.redraw(&[], lines(&["----", "one"]), 80).unwrap();
        assert_eq!(first, "\r----\u{1b}[K\none\u{1b}[J");
        assert_eq!(block.redraw(&[], lines(&["----", "one"]), 80), None);
        let next = block.redraw(&lines(&["fact"]), lines(&["----", "two"]), 80).unwrap();
        assert_eq!(next, "\r\u{1b}[1Afact\u{1b}[K\n----\u{1b}[K\ntwo\u{1b}[J");
        assert_eq!(block.redraw(&[], vec![], 80).unwrap(), "\r\u{1b}[1A\u{1b}[J");
        assert_eq!(block.redraw(&[], vec![], 80), None);
    }

    #[test]
    fn a_block_that_a_narrower_terminal_wrapped_is_found_whole() {
        let mut block = Block::default();
        let wide = format!("\u{1b}[2m{}\u{1b}[0m", "-".repeat(79));
        block.redraw(&[], vec![wide, "x".to_owned()], 80).unwrap();
        // 79 columns are two rows of 40, and the other line takes one more.
        let next = block.redraw(&[], lines(&["a"]), 40).unwrap();
        assert_eq!(next, "\r\u{1b}[2Aa\u{1b}[J");
    }
}
