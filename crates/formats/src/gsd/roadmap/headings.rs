//! Slices as headings: `## Slice S01: Title`, `### ✅ **S02** — Title`, `## 1. [S03] Title`.

use sprag_core::gsd::{Quirk, QuirkReader, Slice};
use sprag_core::workflow::javascript;

use super::super::line::{MarkdownLine, lines};
use super::super::scan::{Ranges, after_space, find_any_case, skip_space, slice, slice_ids, take};

/// Reads slices from the headings of a text.
pub(super) fn slices(text: &str, reader: &mut QuirkReader<usize>) -> Vec<Slice> {
    let mut found = Vec::new();
    let mut done_to = 0;
    let mut ranges = Ranges::new();
    for line in lines(text, 0) {
        if line.at < done_to {
            continue;
        }
        let Some(head) = head(line.text) else { continue };
        if line.fenced && reader.mends(Quirk::Fenced, line.at) {
            continue;
        }
        let Some(titled) = titled(text, &line, head, reader) else { continue };
        done_to = titled.end;
        found.extend(finish(text, &titled, head.checked, &mut ranges));
    }
    found
}

/// A heading that names a slice, up to the id and its closing bracket.
#[derive(Clone, Copy, Debug)]
struct SliceHeading<'t> {
    id: &'t str,
    /// The rest of the line.
    rest: &'t str,
    checked: bool,
}

fn head(line: &str) -> Option<SliceHeading<'_>> {
    let text = skip_space(line);
    let rest = text.trim_start_matches('#');
    (1..=4).contains(&(text.len() - rest.len())).then_some(())?;
    let rest = stars(after_space(rest)?);
    let marked = rest.strip_prefix(['✓', '✅']).and_then(after_space);
    let rest = marked.unwrap_or(rest);
    let rest = numbered(rest).unwrap_or(rest);
    let rest = in_brackets(rest).unwrap_or(rest);
    let rest = rest.strip_prefix("Slice").and_then(after_space).unwrap_or(rest);
    let rest = rest.strip_prefix('[').unwrap_or(rest);
    let (_, id) = slice_ids(rest).next().filter(|(at, _)| *at == 0)?;
    let rest = &rest[id.len()..];
    let rest = stars(rest.strip_prefix(']').unwrap_or(rest));
    Some(SliceHeading { id, rest, checked: marked.is_some() })
}

fn stars(text: &str) -> &str {
    text.strip_prefix("**").or_else(|| text.strip_prefix('*')).unwrap_or(text)
}

/// Returns the text after `1.` or `1)`.
fn numbered(text: &str) -> Option<&str> {
    let (digits, rest) = take(text, |c| c.is_ascii_digit());
    after_space(rest.strip_prefix(['.', ')']).filter(|_| !digits.is_empty())?)
}

/// Returns the text after `(1)`.
fn in_brackets(text: &str) -> Option<&str> {
    let (digits, rest) = take(text.strip_prefix('(')?, |c| c.is_ascii_digit());
    after_space(rest.strip_prefix(')').filter(|_| !digits.is_empty())?)
}

/// A slice with its raw title, and the end of the title.
struct Titled<'t> {
    id: &'t str,
    title: &'t str,
    end: usize,
}

const fn separates(c: char) -> bool {
    matches!(c, ':' | '.' | '-' | '—' | '–')
}

fn titled<'t>(
    text: &'t str,
    line: &MarkdownLine<'t>,
    head: SliceHeading<'t>,
    reader: &mut QuirkReader<usize>,
) -> Option<Titled<'t>> {
    let end = line.at + line.text.len();
    let (_, title) = take(head.rest, |c| separates(c) || javascript::is_space(c));
    if !title.is_empty() {
        return Some(Titled { id: head.id, title, end });
    }
    if reader.mends(Quirk::UntitledHeading, line.at) {
        return Some(Titled { id: head.id, title: head.id, end });
    }
    swallowed(text, end - head.rest.len(), head.id)
}

/// Returns the original's title for a heading without one: the next non-empty line, and at the end
/// of the text the result of its pattern's backtracking.
fn swallowed<'t>(text: &'t str, at: usize, id: &'t str) -> Option<Titled<'t>> {
    let is_end = |c: char| matches!(c, '\n' | '\r');
    let line_from = |from: usize| {
        let line = text[from..].split(is_end).next().unwrap_or_default();
        (line, from + line.len())
    };
    let (skipped, _) = take(&text[at..], |c| separates(c) || javascript::is_space(c));
    let stops = skipped.char_indices().map(|(from, _)| from).chain([skipped.len()]);
    let found = stops.rev().map(|from| line_from(at + from)).find(|(title, _)| !title.is_empty());
    if let Some((title, end)) = found {
        return Some(Titled { id, title, end });
    }
    // `## S12` as the very last line becomes slice `S1` with the title `2`.
    let (short, last) = id.split_at(id.len() - 1);
    (short.len() > 1).then_some(Titled { id: short, title: last, end: text.len() })
}

/// Removes the marks from a title, and reads the dependencies from the lines below.
fn finish(text: &str, titled: &Titled<'_>, checked: bool, ranges: &mut Ranges) -> Option<Slice> {
    let title = javascript::trim(titled.title);
    let title = title.strip_suffix("**").or_else(|| title.strip_suffix('*')).unwrap_or(title);
    let title = javascript::trim(title);
    if title.is_empty() {
        return None;
    }
    let (title, done) = if checked { (title, true) } else { unmarked(title) };
    let depends = depends(&text[titled.end..], ranges);
    Some(Slice { done, depends, ..slice(titled.id, title, "medium") })
}

const MARK: &str = "(complete)";

/// Returns a title without its "done" mark, and whether it had one.
fn unmarked(title: &str) -> (&str, bool) {
    if let Some(rest) = title.strip_prefix(['✓', '✅']) {
        return (skip_space(rest), true);
    }
    let trim_end = |text: &'_ str| text.trim_end_matches(javascript::is_space).len();
    if let Some(rest) = title.strip_suffix('✅') {
        return (&rest[..trim_end(rest)], true);
    }
    let from = title.len().wrapping_sub(MARK.len());
    match title.get(from..).filter(|end| end.eq_ignore_ascii_case(MARK)) {
        Some(_) => (&title[..trim_end(&title[..from])], true),
        None => (title, false),
    }
}

/// The most bytes below a heading that are searched for dependencies.
const NEAR: usize = 500;

fn depends(below: &str, ranges: &mut Ranges) -> Vec<String> {
    let is_heading = |line: &str| {
        let text = skip_space(line);
        let rest = text.trim_start_matches('#');
        (1..=4).contains(&(text.len() - rest.len())) && after_space(rest).is_some()
    };
    let mut at = 0;
    let mut end = None;
    for line in below.split_inclusive('\n') {
        if is_heading(line) {
            end = Some(at);
            break;
        }
        at += line.len();
    }
    let near = below.char_indices().nth(NEAR).map_or(below.len(), |(at, _)| at);
    let said = said_depends(&below[..end.unwrap_or(near)]).unwrap_or_default();
    let none = find_any_case(said, "none");
    let said = none.map_or(said.to_owned(), |at| format!("{}{}", &said[..at], &said[at + 4..]));
    let ids = said.split([',', ';']);
    let ids: Vec<String> =
        ids.map(|id| id.chars().filter(char::is_ascii_alphanumeric).collect()).collect();
    ranges.expand(ids.iter().map(String::as_str))
}

/// Returns the text after `Depends on:`.
fn said_depends(section: &str) -> Option<&str> {
    let lower = section.to_ascii_lowercase();
    lower.match_indices("depends").find_map(|(at, word)| {
        let rest = after_space(&section[at + word.len()..])?;
        let on = rest.get(..2).filter(|on| on.eq_ignore_ascii_case("on"))?;
        let rest = &rest[on.len()..];
        let rest = stars(rest.strip_prefix(':').unwrap_or(rest));
        let said = skip_space(rest).split(['\n', '\r']).next()?;
        (!said.is_empty()).then_some(said)
    })
}
