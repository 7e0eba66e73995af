//! Slices as rows of a table: every line with a `|` and the id of a slice is one.

use sprag_core::gsd::{Quirk, QuirkReader, Slice};
use sprag_core::workflow::javascript;

use super::super::line::MarkdownLine;
use super::super::scan::{Ranges, has_word, own_slice_id, skip_space, slice, slice_ids, take};
use super::start;

/// The columns' meanings, from the header line before the first row.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    /// Indexes that count empty cells.
    depends: Option<usize>,
    risk: Option<usize>,
    done: Option<usize>,
    /// An index that does not count empty cells.
    depends_filled: Option<usize>,
}

/// Reads slices from the rows of a table.
pub(super) fn slices(lines: &[MarkdownLine<'_>], reader: &mut QuirkReader<usize>) -> Vec<Slice> {
    let columns = columns(lines);
    let mut found = Vec::new();
    let mut ranges = Ranges::new();
    for line in lines.iter().filter(|line| line.text.contains('|')) {
        let Some(id) = own_slice_id(line.text) else { continue };
        let listed = skip_space(line.text).starts_with(['-', '*', '>', '#', '+']);
        if listed && reader.mends(Quirk::OnePipe, start(line)) {
            continue;
        }
        if line.fenced && reader.mends(Quirk::Fenced, line.at) {
            continue;
        }
        found.push(row(line, id, columns, reader, &mut ranges));
    }
    found
}

fn columns(lines: &[MarkdownLine<'_>]) -> Columns {
    let mut found = Columns::default();
    for line in lines.iter().filter(|line| line.text.contains('|')) {
        if slice_ids(line.text).next().is_some() {
            break;
        }
        let all = cells(line.text);
        let named = |names: &[&str]| {
            all.iter().position(|cell| {
                let cell = cell.to_ascii_lowercase();
                names.iter().any(|name| cell.starts_with(name))
            })
        };
        let depends = named(&["depend", "deps"]);
        found = Columns {
            depends: found.depends.or(depends),
            risk: found.risk.or(named(&["risk"])),
            done: found.done.or(named(&["done", "status", "state", "complete", "progress"])),
            depends_filled: found
                .depends_filled
                .or(depends.map(|at| all[..at].iter().filter(|cell| !cell.is_empty()).count())),
        };
    }
    found
}

/// Returns the cells of a row, including empty ones, without the outer bars.
fn cells(line: &str) -> Vec<&str> {
    let line = javascript::trim(line);
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(javascript::trim).collect()
}

fn row(
    line: &MarkdownLine<'_>,
    id: &str,
    columns: Columns,
    reader: &mut QuirkReader<usize>,
    ranges: &mut Ranges,
) -> Slice {
    let all = cells(line.text);
    let filled: Vec<&str> = all.iter().copied().filter(|cell| !cell.is_empty()).collect();
    let at = start(line);
    let done = done(line.text, &all, columns.done);
    let risk = risk(&all, columns.risk);
    Slice {
        done: reader.pick(Quirk::TableDoneWords, at, done.0, done.1),
        risk: reader.pick(Quirk::TableRiskWords, at, risk.0, risk.1).to_owned(),
        depends: depends((&all, &filled), id, columns, reader, ranges, at),
        ..slice(id, title(&filled, id), "")
    }
}

/// Returns whether a row is done: in our reading, and in the original's.
fn done(line: &str, cells: &[&str], column: Option<usize>) -> (bool, bool) {
    let lower = line.to_lowercase();
    let marked = lower.contains("[x]") || line.contains(['✅', '☑', '✓', '✔']);
    let word = |text: &str| ["done", "complete", "completed"].iter().any(|w| has_word(text, w));
    let said = match column.and_then(|at| cells.get(at)) {
        Some(cell) => {
            let cell = cell.to_lowercase();
            word(&cell) && !has_word(&cell, "not")
        }
        None => cells.iter().any(|cell| {
            let cell = cell.to_lowercase();
            ["done", "complete", "completed"].contains(&cell.as_str())
        }),
    };
    (marked || said, marked || word(&lower))
}

const RISKS: [(&str, &str); 4] =
    [("high", "high"), ("low", "low"), ("medium", "medium"), ("med", "medium")];

/// Returns the risk of a row: in our reading, and in the original's.
fn risk(cells: &[&str], column: Option<usize>) -> (&'static str, &'static str) {
    let in_cell = |cell: &&str| {
        let cell = cell.to_lowercase();
        RISKS.iter().find(|(word, _)| has_word(&cell, word)).map(|(_, risk)| *risk)
    };
    let whole = |cell: &&str| {
        let cell = cell.to_lowercase();
        RISKS.iter().find(|(word, _)| cell == *word).map(|(_, risk)| *risk)
    };
    let ours = match column.and_then(|at| cells.get(at)) {
        Some(cell) => in_cell(cell),
        None => cells.iter().find_map(whole),
    };
    let theirs = cells.iter().find_map(in_cell);
    (ours.unwrap_or("medium"), theirs.unwrap_or("medium"))
}

fn depends(
    (all, filled): (&[&str], &[&str]),
    id: &str,
    columns: Columns,
    reader: &mut QuirkReader<usize>,
    ranges: &mut Ranges,
    at: usize,
) -> Vec<String> {
    let speaks = |cell: &&&str| {
        let cell = cell.to_lowercase();
        cell.contains("depends") || cell.contains("deps")
    };
    let named = || filled.iter().find(speaks).copied();
    let column = |cells: &[&str], at: Option<usize>| cells.get(at?).copied().map(str::to_owned);
    let cell = |found: Option<String>| found.or_else(|| named().map(str::to_owned));
    let ours = cell(column(all, columns.depends)).unwrap_or_default();
    let theirs = cell(column(filled, columns.depends_filled)).unwrap_or_default();
    let cell = reader.pick(Quirk::TableEmptyCell, at, ours, theirs);
    let without = |ids: Vec<String>| ids.into_iter().filter(|one| one != id).collect();
    let literal: Vec<String> = without(slice_ids(&cell).map(|(_, id)| id.to_owned()).collect());
    let whole: Vec<String> = without(ranges.expand(joined(&cell)));
    reader.pick(Quirk::TableRange, at, whole, literal)
}

/// Returns the slice ids in a cell; ids joined by a dash or dots stay together.
fn joined(cell: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, id)) = slice_ids(&cell[from..]).next() {
        let (at, end) = (from + at, from + at + id.len());
        let (between, rest) = take(&cell[end..], |c| c == '-' || c == '.');
        let other = slice_ids(rest).next().filter(|(at, _)| *at == 0 && !between.is_empty());
        let end = other.map_or(end, |(_, id)| end + between.len() + id.len());
        found.push(&cell[at..end]);
        from = end;
    }
    found
}

/// Returns the first cell that has no other meaning.
fn title<'t>(cells: &[&'t str], id: &'t str) -> &'t str {
    let own = cells.iter().position(|cell| cell.contains(id));
    let words = ["high", "medium", "med", "low", "done", "complete", "completed", "pending"];
    let is_title = |cell: &&str| {
        let lower = cell.to_lowercase();
        let is_box = cell.starts_with("[ ]") || lower.contains("[x]");
        let is_word = words.contains(&lower.as_str())
            || ["not started", "todo", "inprogress"].contains(&lower.as_str())
            || (lower.starts_with("in")
                && lower.ends_with("progress")
                && lower.chars().count() == 11);
        let is_none = ["none", "—", "-"].contains(cell);
        let is_slice = slice_ids(cell).next().is_some_and(|(at, _)| at == 0);
        let is_depends = lower.contains("depends") || lower.contains("deps");
        !(is_box || is_word || is_none || is_slice || is_depends || cell.is_empty())
    };
    let others = cells.iter().enumerate().filter(|(at, _)| Some(*at) != own);
    let found = others.map(|(_, cell)| *cell).find(|cell| is_title(cell));
    found.map(|cell| cell.trim_matches('*')).filter(|title| !title.is_empty()).unwrap_or(id)
}
