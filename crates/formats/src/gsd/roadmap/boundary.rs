use sprag_core::gsd::Boundary;
use sprag_core::workflow::javascript;

use crate::gsd::scan::{skip_space, take};
use crate::gsd::section::{section, sections};

/// Returns what slices hand to each other: `### A → B` under `## Boundary Map`.
pub(super) fn boundaries(text: &str) -> Vec<Boundary> {
    let Some((_, map)) = section(text, "Boundary Map", 2) else { return Vec::new() };
    sections(map, 3).into_iter().filter_map(|(heading, inside)| boundary(heading, inside)).collect()
}

fn boundary(heading: &str, inside: &str) -> Option<Boundary> {
    let (before, after) = heading.split_once('→')?;
    let from = before.trim_end_matches(javascript::is_space);
    let (to, _) = take(skip_space(after), |c| !javascript::is_space(c));
    let named = !from.is_empty() && !from.contains(javascript::is_space) && !to.is_empty();
    named.then(|| Boundary {
        from_slice: from.to_owned(),
        to_slice: to.to_owned(),
        produces: produces(inside).unwrap_or_default().to_owned(),
        consumes: consumes(inside).unwrap_or_default().to_owned(),
    })
}

/// Returns the lines of a text with where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

fn produces(inside: &str) -> Option<&str> {
    let is_mark = |line: &str| line.strip_prefix("Produces:").is_some_and(javascript::is_blank);
    let (at, line) = lines(inside).find(|(_, line)| is_mark(line))?;
    let from = at + line.len();
    let to = lines(inside).find(|(_, line)| line.starts_with("Consumes")).map(|(at, _)| at);
    Some(javascript::trim(&inside[from..to.filter(|to| *to > from).unwrap_or(inside.len())]))
}

/// Returns what stands behind the first `Consumes…:`, be it on the lines below.
fn consumes(inside: &str) -> Option<&str> {
    let behind = |line: &'_ str| {
        let (name, _) = line.strip_prefix("Consumes")?.split_once(':')?;
        Some("Consumes".len() + name.len() + 1)
    };
    lines(inside).find_map(|(at, line)| {
        let rest = &inside[at + behind(line)?..];
        let said = skip_space(rest);
        // A list below is taken whole; words behind the colon end with their line.
        let on_line = rest.len() - said.len() < line.len() - behind(line)?;
        let said = if on_line { said.split(['\n', '\r']).next()? } else { said };
        Some(javascript::trim(said)).filter(|said| !said.is_empty())
    })
}
