//! The timeline in text: a row a unit, a row a gate, a long quiet stretch folded.

use std::fmt::Write as _;

use sprag_core::reporting::{Axis, Bar, How, Mark, Timeline, WIDTH as AXIS};
use sprag_core::{Time, Verdict};

use super::sections::heading;
use crate::look::{Look, age, columns};

/// How many columns names take, and how many time takes.
const NAME: usize = 18;
const TIME: usize = 58;
/// So many units and gates are drawn.
const UNITS: usize = 12;
const GATES: usize = 6;

/// Draws the timeline.
pub(super) fn timeline(out: &mut String, look: Look, timeline: &Timeline) {
    if timeline.rows.is_empty() && timeline.lanes.is_empty() {
        return;
    }
    heading(out, look, "TIMELINE, UTC");
    let mut put = |name: &str, cells: &[char]| {
        let name = look.clip(name, NAME);
        let pad = " ".repeat(NAME + 1 - columns(&name));
        let row: String = cells.iter().collect();
        let _ = writeln!(out, "  {name}{pad}{}", row.trim_end());
    };
    put("", &scale(look, &timeline.axis));
    for row in timeline.rows.iter().take(UNITS) {
        let mut cells = empty(look, &timeline.axis);
        row.bars.iter().for_each(|bar| draw(look, &timeline.axis, bar, &mut cells));
        put(&row.unit, &cells);
    }
    for lane in timeline.lanes.iter().take(GATES) {
        let mut cells = empty(look, &timeline.axis);
        for mark in &lane.marks {
            cells[cell(&timeline.axis, mark.at)] = sign(look, *mark);
        }
        put(&format!("  {}", lane.gate), &cells);
    }
    if !timeline.waits.is_empty() {
        let mut cells = empty(look, &timeline.axis);
        for wait in &timeline.waits {
            let (from, to) = (cell(&timeline.axis, wait.from), cell(&timeline.axis, wait.to));
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

/// Returns the beginning and the end of the time, and how long each folded stretch is.
fn scale(look: Look, axis: &Axis) -> Vec<char> {
    let mut cells = vec![' '; TIME];
    let mut write = |at: usize, text: &str| {
        let end = at + text.chars().count();
        // What would run into another label is left out.
        let free = cells.get(at.saturating_sub(1)..(end + 1).min(TIME));
        if end <= TIME && free.is_some_and(|free| free.iter().all(|cell| *cell == ' ')) {
            cells.splice(at..end, text.chars());
        }
    };
    let last = clock(axis.to);
    write(0, &clock(axis.from));
    write(TIME - last.len(), &last);
    for fold in &axis.folds {
        let what = if fold.waited { "waiting" } else { "idle" };
        let text = format!("{} {what}", age(fold.to.since(fold.from)));
        let middle = usize::midpoint(cell(axis, fold.from), cell(axis, fold.to));
        let most = TIME.saturating_sub(text.chars().count());
        write(middle.saturating_sub(text.chars().count() / 2).min(most), &text);
    }
    let _ = look;
    cells
}

fn empty(look: Look, axis: &Axis) -> Vec<char> {
    let mut cells = vec![' '; TIME];
    for fold in &axis.folds {
        cells[cell(axis, fold.from)..=cell(axis, fold.to)].fill(character(look, '┄', ':'));
    }
    cells
}

fn draw(look: Look, axis: &Axis, bar: &Bar, cells: &mut [char]) {
    let (from, to) = (cell(axis, bar.from), cell(axis, bar.to));
    cells[from..to].fill(character(look, '█', '='));
    cells[to] = match bar.how {
        How::Passed => character(look, '✓', '+'),
        How::Failed => character(look, '✗', 'x'),
        How::Waived => 'w',
        How::Claimed => 'c',
        How::Lost => '?',
        How::Gone => '-',
        How::Open => character(look, '▶', '>'),
    };
}

fn sign(look: Look, mark: Mark) -> char {
    match mark.verdict {
        Verdict::Pass => character(look, '✓', '+'),
        Verdict::Fail => character(look, '✗', 'x'),
        Verdict::Waived => 'w',
        Verdict::Void | Verdict::Unknown => '?',
    }
}

fn character(look: Look, unicode: char, ascii: char) -> char {
    if look.sign("u", "a") == "u" { unicode } else { ascii }
}

fn cell(axis: &Axis, at: Time) -> usize {
    axis.place(at) as usize * (TIME - 1) / AXIS as usize
}

/// Returns `10:41`, in UTC.
fn clock(at: Time) -> String {
    at.to_string().chars().skip(11).take(5).collect()
}
