//! Makes untrusted text visible: it cannot hide itself or turn the text around it. The templates
//! escape every text, so nothing here or there writes HTML by hand.

use sprag_core::prompt;

use crate::style::{Colour, Signs, StreamStyle};

const LOOK: StreamStyle = StreamStyle { colour: Colour::No, signs: Signs::Unicode };

/// Returns a line of at most `cap` characters; control and bidirectional characters become visible.
pub(super) fn safe(text: &str, cap: usize) -> String {
    let one: String = text.chars().map(|c| if c == '\n' { ' ' } else { c }).collect();
    LOOK.clean(&prompt::short(&one, cap))
}

/// Returns output of several lines.
pub(super) fn lines(text: &str, cap: usize) -> String {
    let clean = prompt::evidence(text, cap);
    let plain: Vec<&str> =
        clean.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
    LOOK.clean_lines(&plain.join("\n"))
}

/// Returns a line for a title or an attribute.
pub(super) fn attribute(text: &str) -> String {
    safe(text, 200)
}
