//! Errors of the Rust compiler and of clippy.

use super::super::found::Found;
use super::super::patterns::{Text, line};

/// A longer block is not read to its end.
const BLOCK: usize = 60;

/// `error[E0308]: …`, followed by `--> file:line:column` and, for clippy, a link to the rule.
pub(in super::super) fn rustc(text: &Text) -> Vec<Found> {
    let heads = text.matches(line("error", r"^error(?:\[(\w+)\])?: ")).into_iter();
    heads
        .filter_map(|(at, head)| {
            let end = (at + 1..text.lines.len().min(at + BLOCK))
                .find(|at| text.lines[*at].is_empty())
                .unwrap_or(text.lines.len().min(at + BLOCK));
            let first = |pattern| {
                (at + 1..end).find_map(|at| Some(text.at(at, pattern)?.get(1)?.as_str().to_owned()))
            };
            let file = first(line("-->", r"^\s*--> (\S+?):\d+:\d+"))?;
            let code = head.get(1).map(|code| code.as_str().to_owned());
            let rule = code
                .or_else(|| first(line("rust-clippy/", r"rust-clippy/\S*#(\w+)$")))
                .or_else(|| first(line("`-D ", r"`-D (\S+?)`")))
                .or_else(|| first(line("deny(", r"deny\((\S+?)\)")));
            Some(Found {
                shown: format!("{file} {}", rule.unwrap_or_default()).trim().to_owned(),
                line: at,
            })
        })
        .collect()
}
