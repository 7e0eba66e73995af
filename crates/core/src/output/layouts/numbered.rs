//! Failures below a number, one line for each group that the test is in.

use super::super::found::Found;
use super::super::patterns::{Text, line};
use super::indentation;

/// More lines than a name has groups.
const DEPTH: usize = 12;

/// Mocha's list at the end, where `1) cart` is followed by the deeper line `totals:`.
pub(in super::super) fn mocha(text: &Text) -> Vec<Found> {
    let closing = text.matches(line(" failing", r"^\s*\d+ failing$"));
    let Some(closing) = closing.first().map(|(at, _)| *at) else { return Vec::new() };
    let heads = text.matches(line(") ", r"^\s*\d+\) (.+)$")).into_iter();
    heads
        .filter(|(at, _)| *at > closing)
        .filter_map(|(at, head)| {
            let first = head.get(1).map_or("", |part| part.as_str());
            Some(Found { shown: numbered_name(text, at, first)?, line: at })
        })
        .collect()
}

/// Joins the lines down to the one that ends with a colon.
pub(in super::super) fn numbered_name(text: &Text, at: usize, first: &str) -> Option<String> {
    let mut parts = vec![first.trim().to_owned()];
    let mut deep = indentation(&text.lines[at]);
    for line in text.lines.iter().skip(at + 1).take(DEPTH) {
        let last = parts.last()?;
        if let Some(whole) = last.strip_suffix(':') {
            let whole = whole.to_owned();
            parts.pop();
            parts.push(whole);
            return Some(parts.join(" "));
        }
        if line.trim().is_empty() || indentation(line) <= deep {
            break;
        }
        deep = indentation(line);
        parts.push(line.trim().to_owned());
    }
    Some(parts.join(" ").trim_end_matches(':').to_owned())
}
