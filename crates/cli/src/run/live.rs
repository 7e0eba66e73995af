//! The terminal while a run is driven: what happened scrolls, and below it stands a block that is
//! redrawn. One thread draws, ten times a second at most, each time with one write.

use std::fmt::Write as _;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use sprag_engine::{clock, terminal};

use super::board::Board;
use crate::look::{Look, WIDTH};
use crate::screen;

/// How long a drawing stands at least.
const PACE: Duration = Duration::from_millis(100);
/// How many rows a terminal has that does not say so.
const HEIGHT: usize = 24;

/// Something that the painter is told.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    /// A line scrolls by.
    Line(String),
    /// What stands on the terminal is no longer ours.
    Anew,
}

/// The block and what scrolls above it; dropping it takes the block away.
#[derive(Debug)]
pub(super) struct Live {
    lines: Option<Sender<Fact>>,
    painter: Option<JoinHandle<()>>,
}

impl Live {
    /// Begins to draw.
    pub(super) fn begin(look: Look, board: Arc<Mutex<Board>>) -> Self {
        let (lines, facts) = channel();
        let painter = std::thread::spawn(move || paint(look, &facts, &board));
        Self { lines: Some(lines), painter: Some(painter) }
    }

    /// Lets a line scroll by.
    pub(super) fn line(&self, line: String) {
        self.tell(Fact::Line(line));
    }

    /// Leaves what was drawn as it is, and draws below it.
    pub(super) fn begin_anew(&self) {
        self.tell(Fact::Anew);
    }

    fn tell(&self, fact: Fact) {
        if let Some(lines) = &self.lines {
            // A painter that is gone had nobody to draw for.
            let _ = lines.send(fact);
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(painter) = self.painter.take() {
            // It ends with the last line; there is nothing to learn from how.
            let _ = painter.join();
        }
    }
}

/// Returns how much fits on the terminal. The last column stays free: what stands there may wrap.
pub(super) fn room() -> (usize, usize) {
    let (columns, rows) = terminal::size().unwrap_or((WIDTH, HEIGHT));
    (columns.saturating_sub(1).max(1), rows.saturating_sub(1).max(1))
}

fn paint(look: Look, facts: &Receiver<Fact>, board: &Mutex<Board>) {
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
            // Whoever does not look any more is not shown anything; the work goes on.
            let _ = screen::print(&text);
        }
        if over {
            return;
        }
        std::thread::sleep(PACE);
    }
}

/// What stands on the terminal now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Block {
    lines: Vec<String>,
}

impl Block {
    /// Leaves what stands there as it is, and begins below it.
    fn left_behind(self) -> Self {
        if !self.lines.is_empty() {
            // Whoever does not look any more is not shown anything; the work goes on.
            let _ = screen::print("\n");
        }
        Self::default()
    }

    /// Returns what to write so that `facts` stand above and `lines` in the place of what was
    /// there; nothing when nothing changes. The cursor stays at the end of the last line.
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
        // What is left of the old block, to the right and below.
        text.push_str("\u{1b}[J");
        self.lines = lines;
        Some(text)
    }
}

/// Returns how many rows a line takes: a terminal that became narrower has wrapped it.
fn rows(line: &str, width: usize) -> usize {
    visible(line).div_ceil(width.max(1)).max(1)
}

/// Returns how many columns a line takes; its colours take none.
fn visible(line: &str) -> usize {
    let mut pieces = line.split('\u{1b}');
    let first = pieces.next().map_or(0, crate::look::columns);
    let rest = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, text)| text));
    first + rest.map(crate::look::columns).sum::<usize>()
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
        // 79 columns are two rows of 40, and one more for the other line.
        let next = block.redraw(&[], lines(&["a"]), 40).unwrap();
        assert_eq!(next, "\r\u{1b}[2Aa\u{1b}[J");
    }
}
