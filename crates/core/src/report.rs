//! Finds the valid markers in an agent's message: `TASK COMPLETE`, `GAP CLOSED: …`.
//!
//! Agents echo their instructions, quote logs and list what they might say. So a marker counts only
//! at the start of a line, outside fences, quotes and lists, and not if an unfilled template
//! follows: `TASK FAILED: {reason}`.

use crate::code_fence::CodeFence;

/// Maximum number of lines that are searched, from the end of a message: a report is at its end.
const LINES: usize = 2000;

/// A valid marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidMarker<'m, M> {
    pub marker: M,
    /// The text after it on its line, without emphasis; may be empty.
    pub rest: &'m str,
}

/// Returns every valid marker, in the order of the message.
pub fn said<'m, M: Copy>(message: &'m str, known: &[(&str, M)]) -> Vec<ValidMarker<'m, M>> {
    let mut fence: Option<CodeFence> = None;
    let mut found = Vec::new();
    for line in last_lines(message) {
        match fence {
            Some(open) if open.is_closed_by(line) => fence = None,
            Some(_) => {}
            None => {
                fence = CodeFence::opened_by(line);
                found.extend(known.iter().find_map(|(word, marker)| {
                    Some(ValidMarker { marker: *marker, rest: after(line, word)? })
                }));
            }
        }
    }
    found
}

/// Returns the last lines of a message, at most [`LINES`].
fn last_lines(message: &str) -> impl Iterator<Item = &str> {
    let many = message.bytes().filter(|byte| *byte == b'\n').count() + 1;
    message.split('\n').skip(many.saturating_sub(LINES)).map(|line| line.trim_end_matches('\r'))
}

/// Returns the text after a marker at the start of a line; `None` if a further word makes it a
/// sentence.
fn after<'m>(line: &'m str, word: &str) -> Option<&'m str> {
    // `**TASK COMPLETE**` is emphasis, `* TASK COMPLETE` a list item.
    let rest = line.trim_start_matches('*').strip_prefix(word)?;
    if rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let rest = rest.trim_matches(['*', ' ', '\t']);
    let rest = rest.strip_prefix([':', '-', '–', '—', '.', '!']).unwrap_or(rest);
    let rest = rest.trim_matches(['*', ' ', '\t']);
    (!is_template(rest)).then_some(rest)
}

/// Returns whether a text is an unfilled template: `{reason}`, `[{severity}] {description}`.
fn is_template(rest: &str) -> bool {
    let opened = rest.find('{').is_some_and(|open| rest[open..].contains('}'));
    let bare: String = without_braces(rest);
    opened && !bare.chars().any(char::is_alphanumeric)
}

fn without_braces(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = |c: &char| match c {
        '{' => {
            depth += 1;
            false
        }
        '}' => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    };
    text.chars().filter(outside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(message: &str) -> Vec<(u8, &str)> {
        let known = [("TASK COMPLETE", 1), ("TASK FAILED", 2)];
        said(message, &known).into_iter().map(|said| (said.marker, said.rest)).collect()
    }

    #[test]
    fn a_marker_counts_at_the_start_of_a_line() {
        for (message, expected) in [
            ("done\n\nTASK COMPLETE\nFiles: a", vec![(1, "")]),
            ("**TASK COMPLETE**\r\n", vec![(1, "")]),
            ("*TASK FAILED: no disk*", vec![(2, "no disk")]),
            ("**TASK FAILED:** no {disk} left", vec![(2, "no {disk} left")]),
            ("**TASK FAILED**: two words", vec![(2, "two words")]),
            ("TASK FAILED:", vec![(2, "")]),
            ("TASK COMPLETE.", vec![(1, "")]),
            ("TASK COMPLETE ✅", vec![(1, "✅")]),
            ("TASK COMPLETE: all of it", vec![(1, "all of it")]),
            ("TASK FAILED - no disk", vec![(2, "no disk")]),
            ("TASK COMPLETE\nTASK FAILED: x", vec![(1, ""), (2, "x")]),
        ] {
            assert_eq!(heard(message), expected, "{message:?}");
        }
    }

    #[test]
    fn what_is_quoted_listed_or_still_a_template_does_not_count() {
        for message in [
            "I will say TASK COMPLETE",
            " TASK COMPLETE",
            "> TASK COMPLETE",
            "- TASK COMPLETE",
            "* TASK COMPLETE",
            "1. TASK COMPLETE",
            "`TASK COMPLETE`",
            "```\nTASK COMPLETE\n```",
            "~~~\nTASK COMPLETE",
            "TASK COMPLETED",
            "TASK COMPLETE when the tests pass",
            "task complete",
            "TASK FAILED: {reason}",
            "TASK FAILED: [{severity}] {description}",
            "TASK FAILED: {a {nested} one}",
        ] {
            assert_eq!(heard(message), [], "{message:?}");
        }
    }

    #[test]
    fn a_very_long_message_is_read_from_its_end() {
        let noise = "noise\n".repeat(LINES + 10);
        assert_eq!(heard(&format!("TASK COMPLETE\n{noise}")), []);
        assert_eq!(heard(&format!("{noise}TASK COMPLETE")), [(1, "")]);
    }
}
