//! The timeline as inline SVG: a bar per attempt, a mark per receipt, waits shaded, idle periods
//! folded.

use std::collections::BTreeSet;

use maud::{Markup, html};
use sprag_core::Time;
use sprag_core::reporting::{Axis, Bar, Lane, Stretch, Timeline, UnitRow, WIDTH as AXIS};

use super::super::sections::{length, moment};
use super::receipts::verdict;
use super::safe::{attribute, safe};
use crate::style::age;

/// Dimensions of the drawing, in its own units.
const NAMES: u32 = 170;
const PLOT: u32 = 660;
const TOP: u32 = 34;
const STEP: u32 = 24;
/// With more units than this, units that do not overlap share a row.
const ROWS: usize = 40;
/// With more marks than this, a row shows lines instead.
const CROWDED: usize = 80;
/// The most gates that get a row.
const GATES: usize = 24;

/// Draws the timeline, unless it is empty.
pub(super) fn draw(timeline: &Timeline) -> Markup {
    if timeline.rows.is_empty() && timeline.lanes.is_empty() {
        return Markup::default();
    }
    let axis = &timeline.axis;
    let packed = pack(&timeline.rows);
    let lanes = &timeline.lanes[..timeline.lanes.len().min(GATES)];
    let count = u32::try_from(packed.len() + lanes.len()).unwrap_or(u32::MAX / STEP);
    let bottom = TOP + count * STEP + 6;
    let (width, height) = (NAMES + PLOT + 10, bottom + 4);
    let rows = packed.iter().map(|drawn| ("unit", drawn.name.as_str(), Shown::Bars(&drawn.bars)));
    let lanes = lanes.iter().map(|lane| ("gate", lane.gate.as_str(), Shown::Marks(lane)));
    html! {
        section {
            h2 { "Timeline" }
            div class="scroll" {
                svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
                    aria-label="Timeline of units and gates" {
                    (scale(axis, bottom))
                    @for wait in &timeline.waits { (waiting(axis, wait, bottom)) }
                    @for ((class, name, shown), y) in rows.chain(lanes).zip((TOP..).step_by(STEP as usize)) {
                        (label(y, class, name))
                        @match shown {
                            Shown::Bars(bars) => (row(axis, y, bars)),
                            Shown::Marks(lane) => (marks(axis, y, lane)),
                        }
                    }
                }
            }
            (legend(timeline))
        }
    }
}

/// What is drawn behind a name.
enum Shown<'t> {
    Bars(&'t [(&'t str, Bar)]),
    Marks(&'t Lane),
}

fn waiting(axis: &Axis, wait: &Stretch, bottom: u32) -> Markup {
    let (x, w) = span(axis, wait.from, wait.to);
    let told = format!("waiting {}: {}", age(wait.to.since(wait.from)), wait.why);
    html! {
        rect class="wait" x=(x) y=(TOP) width=(w) height=(bottom - TOP) {
            title { (attribute(&told)) }
        }
    }
}

/// A row to draw: its name, and its bars with their units.
struct Drawn<'t> {
    name: String,
    bars: Vec<(&'t str, Bar)>,
}

fn bars_of(row: &UnitRow) -> impl Iterator<Item = (&str, Bar)> {
    row.bars.iter().map(|bar| (row.unit.as_str(), bar.clone()))
}

/// Merges a unit's bars into one, from its first start to its last end.
fn whole(row: &UnitRow) -> Option<(&str, Bar)> {
    let (first, last) = (row.bars.first()?, row.bars.last()?);
    Some((&row.unit, Bar { from: first.from, ..last.clone() }))
}

/// Returns the rows to draw; if there are many units, they share rows.
fn pack(rows: &[UnitRow]) -> Vec<Drawn<'_>> {
    if rows.len() <= ROWS {
        let alone = rows.iter();
        return alone
            .map(|row| Drawn { name: row.unit.clone(), bars: bars_of(row).collect() })
            .collect();
    }
    let mut bars: Vec<(&str, Bar)> = rows.iter().filter_map(whole).collect();
    bars.sort_by_key(|(_, bar)| (bar.from, bar.to));
    let mut packed: Vec<Drawn<'_>> = Vec::new();
    for (unit, bar) in bars {
        let free = |row: &Drawn<'_>| row.bars.last().is_none_or(|(_, last)| last.to <= bar.from);
        match packed.iter().position(free) {
            Some(at) => packed[at].bars.push((unit, bar)),
            None if packed.len() < ROWS => {
                let name = format!("at once {}", packed.len() + 1);
                packed.push(Drawn { name, bars: vec![(unit, bar)] });
            }
            None => {}
        }
    }
    if let Some(first) = packed.first_mut() {
        first.name = format!("{} units", rows.len());
    }
    packed
}

fn row(axis: &Axis, y: u32, bars: &[(&str, Bar)]) -> Markup {
    // Bars at the same spot are drawn once, to keep the page small.
    let mut drawn = BTreeSet::new();
    let spots = bars.iter().map(|(unit, bar)| (unit, bar, span(axis, bar.from, bar.to)));
    let new = spots.filter(|(_, bar, spot)| drawn.insert((spot.clone(), bar.how.as_str())));
    html! {
        @for (unit, bar, (x, w)) in new {
            rect class={ "bar " (bar.how.as_str()) } x=(x) y=(y + 6) width=(w) height="12" rx="3" {
                title { (attribute(&told(unit, bar))) }
            }
        }
    }
}

fn told(unit: &str, bar: &Bar) -> String {
    let took = u64::try_from(bar.to.since(bar.from)).unwrap_or(0);
    let agent = bar.agent.as_deref().map_or_else(String::new, |agent| format!(" · {agent}"));
    format!("{unit}: {} after {}{agent}", bar.how.as_str(), length(took))
}

fn marks(axis: &Axis, y: u32, lane: &Lane) -> Markup {
    if lane.marks.len() > CROWDED {
        return crowd(axis, y, lane);
    }
    let mut drawn = BTreeSet::new();
    let spots = lane.marks.iter().map(|mark| (mark, place(axis, mark.at), verdict(mark.verdict)));
    let new = spots.filter(|(_, x, (class, _))| drawn.insert((x.clone(), *class)));
    html! {
        @for (mark, x, (class, sign)) in new {
            text class={ "mark " (class) } x=(x) y=(y + 17) {
                (sign)
                title {
                    (attribute(&format!("{} {} {}", lane.gate, mark.verdict.as_str(), moment(mark.at))))
                }
            }
        }
    }
}

/// Draws many marks as thin lines: passes below, all others above.
fn crowd(axis: &Axis, y: u32, lane: &Lane) -> Markup {
    let mut drawn = BTreeSet::new();
    let spots = lane.marks.iter().map(|mark| {
        let (class, _) = verdict(mark.verdict);
        (axis.place(mark.at) * PLOT / AXIS / 2 * 2, class)
    });
    let new = spots.filter(|spot| drawn.insert(*spot));
    html! {
        @for (x, class) in new {
            rect class={ "mark " (class) } x=(NAMES + x) y=(y + if class == "good" { 13 } else { 5 })
                width="1.2" height="6" {}
        }
    }
}

fn label(y: u32, class: &str, name: &str) -> Markup {
    html! {
        text class={ "name " (class) } x=(NAMES - 12) y=(y + 16) {
            (safe(name, 24))
            title { (attribute(name)) }
        }
    }
}

/// Draws the folded periods and the times.
fn scale(axis: &Axis, bottom: u32) -> Markup {
    let mut taken: Vec<(i64, i64)> = Vec::new();
    let mut folds = Vec::new();
    for fold in &axis.folds {
        let middle = Time::from_millis(i64::midpoint(fold.from.as_millis(), fold.to.as_millis()));
        let what = if fold.waited { "waiting" } else { "idle" };
        let text = format!("{} {what}", age(fold.to.since(fold.from)));
        let text = put(axis, middle, "time fold-time", &text, &mut taken);
        folds.push((span(axis, fold.from, fold.to), text));
    }
    let times: Vec<(Time, Markup)> = ticks(axis)
        .into_iter()
        .filter_map(|at| Some((at, put(axis, at, "time", &clock(axis, at), &mut taken)?)))
        .collect();
    html! {
        @for ((x, w), text) in folds {
            rect class="fold" x=(x) y=(TOP) width=(w) height=(bottom - TOP) {}
            @if let Some(text) = text { (text) }
        }
        @for (at, text) in times {
            (text)
            line class="tick" x1=(place(axis, at)) y1=(TOP) x2=(place(axis, at)) y2=(bottom) {}
        }
    }
}

/// Draws a label above the chart unless it would overlap another one.
fn put(
    axis: &Axis,
    at: Time,
    class: &str,
    text: &str,
    taken: &mut Vec<(i64, i64)>,
) -> Option<Markup> {
    let x = i64::from(axis.place(at)) * i64::from(PLOT) / i64::from(AXIS);
    let half = i64::try_from(text.chars().count()).unwrap_or(0) * 3 + 6;
    if taken.iter().any(|&(from, to)| x - half < to && x + half > from) {
        return None;
    }
    taken.push((x - half, x + half));
    Some(html! { text class=(class) x=(place(axis, at)) y=(TOP - 12) { (text) } })
}

const SECOND: i64 = 1_000;
const STEPS: [i64; 16] = [
    SECOND,
    5 * SECOND,
    15 * SECOND,
    30 * SECOND,
    60 * SECOND,
    120 * SECOND,
    300 * SECOND,
    600 * SECOND,
    900 * SECOND,
    1_800 * SECOND,
    3_600 * SECOND,
    7_200 * SECOND,
    10_800 * SECOND,
    21_600 * SECOND,
    43_200 * SECOND,
    86_400 * SECOND,
];

/// Returns round times, about six outside the folds; the first is the start.
fn ticks(axis: &Axis) -> Vec<Time> {
    let folded: i64 = axis.folds.iter().map(|fold| fold.to.since(fold.from)).sum();
    let shown = (axis.to.since(axis.from) - folded).max(1);
    let days = (shown / 6 / STEPS[15] + 1) * STEPS[15];
    let step = STEPS.into_iter().find(|step| shown / step <= 7).unwrap_or(days);
    let inside = |at: &Time| !axis.folds.iter().any(|fold| (fold.from..fold.to).contains(at));
    let first = axis.from.as_millis().div_euclid(step) + 1;
    let last = axis.to.as_millis().div_euclid(step);
    // A long fold contains many times that are not drawn.
    let most = 10_000;
    (first..=last.min(first + most))
        .map(|nth| Time::from_millis(nth * step))
        .filter(inside)
        .collect()
}

/// Formats a time: `10:41`, with the date in a long report, with seconds in a short one.
fn clock(axis: &Axis, at: Time) -> String {
    let text = at.to_string();
    let whole = axis.to.since(axis.from);
    let (from, to) = match whole {
        ..180_000 => (11, 19),
        180_000..172_800_000 => (11, 16),
        _ => (5, 16),
    };
    text.chars().take(to).skip(from).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

fn legend(timeline: &Timeline) -> Markup {
    let mut seen: Vec<&str> = Vec::new();
    for bar in timeline.rows.iter().flat_map(|row| &row.bars) {
        if !seen.contains(&bar.how.as_str()) {
            seen.push(bar.how.as_str());
        }
    }
    let rest = timeline.lanes.len().saturating_sub(GATES);
    html! {
        p class="legend" {
            (moment(timeline.axis.from)) " to " (moment(timeline.axis.to))
            @for how in seen { " " span { i class={ "key " (how) } {} (how) } }
            @if !timeline.waits.is_empty() { " " span { i class="key waiting" {} "waiting" } }
            @if rest > 0 { " " span { (rest) " more gates are not drawn" } }
        }
    }
}

/// Returns the position and the width of a period; even the shortest one is visible.
fn span(axis: &Axis, from: Time, to: Time) -> (String, String) {
    let (from, to) = (axis.place(from), axis.place(to));
    let width = ((to - from.min(to)) * PLOT * 10 / AXIS).max(30);
    (tenths(NAMES * 10 + from * PLOT * 10 / AXIS), tenths(width))
}

fn place(axis: &Axis, at: Time) -> String {
    tenths(NAMES * 10 + axis.place(at) * PLOT * 10 / AXIS)
}

fn tenths(number: u32) -> String {
    format!("{}.{}", number / 10, number % 10)
}
