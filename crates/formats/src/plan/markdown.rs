//! Splits a Markdown text into headings and other lines, and recognises fences.

use sprag_core::CodeFence;

use super::lines::{Line, TextLines};
use super::sections::heading;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind<'t> {
    /// A heading, outside fences.
    Heading {
        /// The depth, starting at 1.
        level: usize,
        title: &'t str,
    },
    /// A line outside fences.
    Said,
    /// A line in a fence with this language, which may be empty.
    Fenced(&'t str),
    /// The line that opens or closes a fence.
    Fence,
}

/// Returns every line with its kind.
pub(super) fn parts<'t>(lines: &TextLines<'t>) -> Vec<(Line<'t>, LineKind<'t>)> {
    let mut open: Option<(CodeFence, &'t str)> = None;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let part = match open {
            Some((fence, _)) if fence.is_closed_by(line.text) => {
                open = None;
                LineKind::Fence
            }
            Some((_, language)) => LineKind::Fenced(language),
            None => match (CodeFence::opened_by(line.text), own_heading(line)) {
                (Some(fence), _) => {
                    open = Some((fence, line.said().trim_start_matches(['`', '~']).trim()));
                    LineKind::Fence
                }
                (None, Some((level, title))) => LineKind::Heading { level, title },
                (None, None) => LineKind::Said,
            },
        };
        found.push((*line, part));
        at += 1;
    }
    found
}

/// Returns the heading of a line, unless it is indented like code.
fn own_heading<'t>(line: &Line<'t>) -> Option<(usize, &'t str)> {
    let is_code = line.indent().len() > 3 || line.indent().contains('\t');
    if is_code { None } else { heading(line.said()) }
}
