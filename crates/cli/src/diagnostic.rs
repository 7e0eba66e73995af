//! Draws a diagnostic: its code and message, the position, the line with a caret, and one help
//! text.
//!
//! ```text
//! error[K0102]: expected a value
//!   ──▶ .sprag/config.yaml:3:7
//!    │
//!  3 │ guard: [
//!    │        ^ here
//! help: close the list
//! ```

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::codes::Code;
use crate::style::{StreamStyle, Tone, columns};

#[cfg(test)]
mod tests;

/// An error or a warning, as plain values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    pub(crate) level: Level,
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) at: Option<Location>,
    /// The one thing to do about it.
    pub(crate) help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) file: String,
    pub(crate) spot: Option<Spot>,
}

/// A position in a file, counted from one as in editors; columns are characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The line without its line break.
    pub(crate) text: String,
}

impl Diagnostic {
    /// Draws the diagnostic in at most `width` columns; message and help may be wider.
    pub(crate) fn draw(&self, look: StreamStyle, width: usize) -> String {
        let mut out = String::new();
        let (tone, word) = match self.level {
            Level::Error => (Tone::Bad, "error"),
            Level::Warning => (Tone::Note, "warning"),
        };
        let head = look.paint(tone, &format!("{word}[{}]", self.code.text()));
        let _ = writeln!(out, "{head}: {}", look.paint(Tone::Strong, &look.clean(&self.message)));
        if let Some(at) = &self.at {
            draw_place(&mut out, look, at, width);
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{}: {}", look.paint(Tone::Strong, "help"), look.clean(help));
        }
        out
    }

    pub(crate) fn json(&self) -> Value {
        let spot = self.at.as_ref().and_then(|at| at.spot.as_ref());
        json!({
            "code": self.code.text(),
            "message": self.message,
            "file": self.at.as_ref().map(|at| &at.file),
            "line": spot.map(|spot| spot.line),
            "column": spot.map(|spot| spot.column),
            "help": self.help,
        })
    }
}

fn draw_place(out: &mut String, look: StreamStyle, at: &Location, width: usize) {
    let (arrow, bar) = (look.sign("──▶", "-->"), look.sign("│", "|"));
    let file = look.clean(&at.file);
    let Some(spot) = &at.spot else {
        let _ = writeln!(out, "  {} {file}", look.paint(Tone::Quiet, arrow));
        return;
    };
    let place = format!("{file}:{}:{}", spot.line, spot.column);
    let _ = writeln!(out, "  {} {place}", look.paint(Tone::Quiet, arrow));
    let number = format!("{:>2}", spot.line);
    let margin = " ".repeat(number.len());
    let bar = look.paint(Tone::Quiet, bar);
    let room = width.saturating_sub(number.len() + 3);
    let DrawnLine { text, caret } = show(look, &spot.text, spot.column, room);
    let mark = look.paint(Tone::Bad, "^");
    let _ = writeln!(out, "{margin} {bar}");
    let _ = writeln!(out, "{number} {bar} {text}");
    let _ = writeln!(out, "{margin} {bar} {}{mark}", " ".repeat(caret));
}

/// A drawn line, and the column of the caret.
struct DrawnLine {
    text: String,
    caret: usize,
}

/// Draws a line in at most `room` columns, so that its `at`-th character is visible.
fn show(look: StreamStyle, line: &str, at: usize, room: usize) -> DrawnLine {
    // The cells of the line. A tab takes four columns, so that the caret stays in place.
    let cells: Vec<String> = line
        .chars()
        .map(|next| if next == '\t' { "    ".to_owned() } else { look.clean(&next.to_string()) })
        .collect();
    let at = at.saturating_sub(1).min(cells.len());
    let wide = |cells: &[String]| cells.iter().map(|cell| columns(cell)).sum::<usize>();
    let (more, gap) = (look.sign("…", "..."), columns(look.sign("…", "...")));
    if wide(&cells) < room {
        return DrawnLine { caret: wide(&cells[..at]), text: cells.concat() };
    }
    // The line is too long: keep the position, and as much text before it as fits in two thirds.
    let mut from = at;
    let mut before = 0;
    while from > 0 && before + columns(&cells[from - 1]) <= room * 2 / 3 {
        from -= 1;
        before += columns(&cells[from]);
    }
    let cut = if from > 0 { gap } else { 0 };
    let mut text = if from > 0 { more.to_owned() } else { String::new() };
    let (mut until, mut used) = (from, cut);
    while until < cells.len() && used + columns(&cells[until]) + gap < room {
        used += columns(&cells[until]);
        text.push_str(&cells[until]);
        until += 1;
    }
    if until < cells.len() {
        text.push_str(more);
    }
    DrawnLine { text, caret: cut + before }
}
