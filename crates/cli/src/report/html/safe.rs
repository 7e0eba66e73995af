//! Makes untrusted text safe for HTML: it can neither close an element nor hide itself.

use sprag_core::prompt;

use crate::look::{Colour, Look, Signs};

const LOOK: Look = Look { colour: Colour::No, signs: Signs::Unicode };

/// Escapes a line of at most `cap` characters; control and bidirectional characters become visible.
pub(super) fn safe(text: &str, cap: usize) -> String {
    let one: String = text.chars().map(|c| if c == '\n' { ' ' } else { c }).collect();
    prompt::escaped(&LOOK.clean(&prompt::short(&one, cap)))
}

/// Escapes output of several lines.
pub(super) fn lines(text: &str, cap: usize) -> String {
    let clean = prompt::evidence(text, cap);
    let plain: Vec<&str> =
        clean.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
    prompt::escaped(&LOOK.clean_lines(&plain.join("\n")))
}

/// Escapes a line for a title or a double-quoted attribute.
pub(super) fn attribute(text: &str) -> String {
    safe(text, 200)
}
