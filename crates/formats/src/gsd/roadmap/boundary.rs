use sprag_core::gsd::Boundary;
use sprag_core::workflow::javascript;

use crate::gsd::scan::{skip_space, take};
use crate::gsd::section::{section, sections};

/// Reads the results that slices pass to each other: `### A → B` under `## Boundary Map`.
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

/// Returns the lines of a text with their positions.
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

/// Returns the text after the first `Consumes…:`: one line, possibly the next one.
fn consumes(inside: &str) -> Option<&str> {
    let marks = lines(inside).filter(|(_, line)| line.starts_with("Consumes"));
    marks.map(|(at, _)| &inside[at..]).find_map(|rest| {
        let (_, said) = rest.split_once(':')?;
        let line = skip_space(said).split(['\n', '\r']).next()?;
        (!line.is_empty()).then(|| javascript::trim(line))
    })
}
