//! A Markdown text as headings and the lines below them, fences told apart.

use sprag_core::CodeFence;

use super::lines::{Line, Lines};
use super::sections::heading;

/// What a line of a Markdown text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// A heading, outside of any fence.
    Heading {
        /// How deep it is, from 1.
        level: usize,
        /// What it says.
        title: &'t str,
    },
    /// A line outside of any fence.
    Said,
    /// A line in a fence of this language, which may be empty.
    Fenced(&'t str),
    /// The line that opens or closes a fence.
    Fence,
}

/// Returns every line with what it is.
pub(super) fn parts<'t>(lines: &Lines<'t>) -> Vec<(Line<'t>, Part<'t>)> {
    let mut open: Option<(CodeFence, &'t str)> = None;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let part = match open {
            Some((fence, _)) if fence.is_closed_by(line.text) => {
                open = None;
                Part::Fence
            }
            Some((_, language)) => Part::Fenced(language),
            None => match (CodeFence::opened_by(line.text), own_heading(line)) {
                (Some(fence), _) => {
                    open = Some((fence, line.said().trim_start_matches(['`', '~']).trim()));
                    Part::Fence
                }
                (None, Some((level, title))) => Part::Heading { level, title },
                (None, None) => Part::Said,
            },
        };
        found.push((*line, part));
        at += 1;
    }
    found
}

/// Returns the heading of a line that stands no deeper than a heading may.
fn own_heading<'t>(line: &Line<'t>) -> Option<(usize, &'t str)> {
    let is_code = line.indent().len() > 3 || line.indent().contains('\t');
    if is_code { None } else { heading(line.said()) }
}
