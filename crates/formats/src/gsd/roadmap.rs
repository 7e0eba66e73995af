//! A milestone's roadmap: its slices as a list with boxes, as a table, or as headings.

mod boundary;
mod boxes;
mod headings;
mod table;

use sprag_core::gsd::{QuirkReader, Roadmap, Slice, SliceNotation};
use sprag_core::workflow::javascript;

use super::bullets::bullets;
use super::line::{MarkdownLine, lines};
use super::scan::{is_word, skip_space};
use super::section::{bold, section};

pub fn roadmap(text: &str, reader: &mut QuirkReader<usize>) -> Roadmap {
    let (form, slices) = slices(text, reader);
    let title = text.split('\n').find_map(|line| line.strip_prefix("# "));
    Roadmap {
        title: title.map(javascript::trim).unwrap_or_default().to_owned(),
        vision: bold(text, "Vision").unwrap_or_default().to_owned(),
        success_criteria: bullets(criteria(text)),
        slices,
        boundary_map: boundary::boundaries(text),
        form,
    }
}

/// Reads the slices of a roadmap in the first of the three forms that contains any.
pub fn slices(text: &str, reader: &mut QuirkReader<usize>) -> (SliceNotation, Vec<Slice>) {
    let Some(inside) = slices_section(text) else {
        return (SliceNotation::Headings, headings::slices(text, reader));
    };
    let found = table::slices(&inside, reader);
    if !found.is_empty() {
        return (SliceNotation::Table, found);
    }
    let found = boxes::slices(&inside, reader);
    if !found.is_empty() {
        return (SliceNotation::Boxes, found);
    }
    (SliceNotation::Headings, headings::slices(text, reader))
}

/// Returns the lines under the heading that announces slices, unless there are none.
fn slices_section(text: &str) -> Option<Vec<MarkdownLine<'_>>> {
    let all = lines(text, 0);
    let start = all.iter().position(|line| announces_slices(line.text))? + 1;
    let rest = &all[start..];
    let is_heading = |line: &MarkdownLine<'_>| {
        line.text
            .strip_prefix("##")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(javascript::is_space))
    };
    let end = rest.iter().position(is_heading).unwrap_or(rest.len());
    let inside = &rest[..end];
    let says = inside.iter().any(|line| !javascript::is_blank(line.text));
    says.then(|| inside.to_vec())
}

fn announces_slices(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("## Slice") else { return false };
    let names = ["s", " Overview", " Table", " Summary", " Status", " Roadmap"];
    names.iter().any(|name| rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_word)))
}

/// Returns the success criteria: under their heading, or after their bold label up to a rule.
fn criteria(text: &str) -> &str {
    if let Some((_, inside)) = section(text, "Success Criteria", 2).filter(|(_, at)| !at.is_empty())
    {
        return inside;
    }
    let block = text.find("**Success Criteria:**").map(|at| &text[at..]).unwrap_or_default();
    let block = block.find("\n---").map_or(block, |end| &block[..end]);
    block.split_once('\n').map(|(_, rest)| rest).unwrap_or_default()
}

/// Returns the start of a line's text, after white space.
fn start(line: &MarkdownLine<'_>) -> usize {
    line.at + line.text.len() - skip_space(line.text).len()
}
