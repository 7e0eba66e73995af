//! The timeline as text: a row per unit and per gate, with long quiet periods folded.

use std::fmt::Write as _;

use sprag_core::reporting::{Axis, Bar, How, Timeline, VerdictMark, WIDTH as AXIS};
use sprag_core::{Time, Verdict};

use super::sections::heading;
use crate::style::{StreamStyle, age, columns};

/// The maximum width of names, and the minimum width of the time axis.
const NAME: usize = 18;
const TIME: usize = 10;
/// The most units and gates that are drawn.
const UNITS: usize = 12;
const GATES: usize = 6;

/// The scale of the time axis.
#[derive(Clone, Copy)]
struct Scale<'a> {
    look: StreamStyle,
    axis: &'a Axis,
    /// The width of the time axis.
    cells: usize,
}

/// Draws the timeline in `width` columns.
pub(super) fn timeline(out: &mut String, look: StreamStyle, timeline: &Timeline, width: usize) {
    if timeline.rows.is_empty() && timeline.lanes.is_empty() {
        return;
    }
    heading(out, look, "TIMELINE, UTC");
    let names = NAME.min(width / 3);
    let cells = width.saturating_sub(names + 4).max(TIME);
    let scale = Scale { look, axis: &timeline.axis, cells };
    let mut put = |name: &str, cells: &[char]| {
        let name = look.clip(name, names);
        let pad = " ".repeat(names + 1 - columns(&name));
        let row: String = cells.iter().collect();
        let _ = writeln!(out, "  {name}{pad}{}", row.trim_end());
    };
    put("", &scale.labels());
    for row in timeline.rows.iter().take(UNITS) {
        let mut cells = scale.empty();
        row.bars.iter().for_each(|bar| scale.draw(bar, &mut cells));
        put(&row.unit, &cells);
    }
    for lane in timeline.lanes.iter().take(GATES) {
        let mut cells = scale.empty();
        for mark in &lane.marks {
            cells[scale.cell(mark.at)] = sign(look, *mark);
        }
        put(&format!("  {}", lane.gate), &cells);
    }
    if !timeline.waits.is_empty() {
        let mut cells = scale.empty();
        for wait in &timeline.waits {
            let (from, to) = (scale.cell(wait.from), scale.cell(wait.to));
            cells[from..=to].fill(character(look, '░', '.'));
        }
        put("  waiting", &cells);
    }
    let more =
        timeline.rows.len().saturating_sub(UNITS) + timeline.lanes.len().saturating_sub(GATES);
    if more > 0 {
        let _ = writeln!(out, "  and {more} more rows: --html shows all");
    }
}

impl Scale<'_> {
    /// Returns the labels: the start and the end, and the length of each folded period.
    fn labels(self) -> Vec<char> {
        let (axis, most) = (self.axis, self.cells);
        let mut cells = vec![' '; most];
        let mut write = |at: usize, text: &str| {
            let end = at + text.chars().count();
            // A label that would touch another one is omitted.
            let free = cells.get(at.saturating_sub(1)..(end + 1).min(most));
            if end <= most && free.is_some_and(|free| free.iter().all(|cell| *cell == ' ')) {
                cells.splice(at..end, text.chars());
            }
        };
        let last = clock(axis.to);
        write(0, &clock(axis.from));
        write(most - last.len(), &last);
        for fold in &axis.folds {
            let what = if fold.waited { "waiting" } else { "idle" };
            let text = format!("{} {what}", age(fold.to.since(fold.from)));
            let middle = usize::midpoint(self.cell(fold.from), self.cell(fold.to));
            let latest = most.saturating_sub(text.chars().count());
            write(middle.saturating_sub(text.chars().count() / 2).min(latest), &text);
        }
        cells
    }

    fn empty(self) -> Vec<char> {
        let mut cells = vec![' '; self.cells];
        for fold in &self.axis.folds {
            let (from, to) = (self.cell(fold.from), self.cell(fold.to));
            cells[from..=to].fill(character(self.look, '┄', ':'));
        }
        cells
    }

    fn draw(self, bar: &Bar, cells: &mut [char]) {
        let (look, from, to) = (self.look, self.cell(bar.from), self.cell(bar.to));
        cells[from..to].fill(character(look, '█', '='));
        cells[to] = match bar.how {
            How::Passed => character(look, '✓', '+'),
            How::Failed => character(look, '✗', 'x'),
            How::SentBack => 'b',
            How::Waived => 'w',
            How::Claimed => 'c',
            How::Lost => '?',
            How::Gone => '-',
            How::Open => character(look, '▶', '>'),
        };
    }

    fn cell(self, at: Time) -> usize {
        self.axis.place(at) as usize * (self.cells - 1) / AXIS as usize
    }
}

fn sign(look: StreamStyle, mark: VerdictMark) -> char {
    match mark.verdict {
        Verdict::Pass => character(look, '✓', '+'),
        Verdict::Fail => character(look, '✗', 'x'),
        Verdict::Waived => 'w',
        Verdict::Void | Verdict::Unknown => '?',
    }
}

fn character(look: StreamStyle, unicode: char, ascii: char) -> char {
    if look.sign("u", "a") == "u" { unicode } else { ascii }
}

/// Formats a time in UTC: `10:41`.
fn clock(at: Time) -> String {
    at.to_string().chars().skip(11).take(5).collect()
}
