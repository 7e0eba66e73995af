use sprag_core::gsd::{Quirk, QuirkReader, Slice};
use sprag_core::workflow::javascript;

use super::super::item::{badge, item};
use super::super::line::MarkdownLine;
use super::super::scan::{Ranges, find_any_case, is_word, skip_space, slice};

/// Reads slices from a list with boxes.
pub(super) fn slices(lines: &[MarkdownLine<'_>], reader: &mut QuirkReader<usize>) -> Vec<Slice> {
    let mut found: Vec<Slice> = Vec::new();
    let mut ranges = Ranges::new();
    for line in lines {
        if let Some(item) = item(line.text) {
            if line.fenced && reader.mends(Quirk::Fenced, line.at) {
                continue;
            }
            let risk = badge(item.rest, "risk").filter(|risk| risk.chars().all(is_word));
            let depends = depends(item.rest, &mut ranges);
            let done = item.done;
            found.push(Slice {
                depends,
                done,
                ..slice(item.id, item.title, risk.unwrap_or("low"))
            });
        } else if let (Some(last), Some(said)) =
            (found.last_mut(), javascript::trim(line.text).strip_prefix('>'))
        {
            demo(skip_space(said)).clone_into(&mut last.demo);
        }
    }
    found
}

/// Reads `` `depends:[…]` ``.
fn depends(rest: &str, ranges: &mut Ranges) -> Vec<String> {
    const MARK: &str = "`depends:[";
    let inside = rest.match_indices(MARK).find_map(|(at, _)| {
        let (inside, after) = rest[at + MARK.len()..].split_once(']')?;
        after.starts_with('`').then_some(inside)
    });
    ranges.expand(inside.unwrap_or_default().split(','))
}

fn demo(said: &str) -> &str {
    const MARK: &str = "after this:";
    if find_any_case(said, MARK) == Some(0) { skip_space(&said[MARK.len()..]) } else { said }
}
