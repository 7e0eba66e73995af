//! Somebody else's text as text of a page: it can neither end an element nor hide itself.

use sprag_core::prompt;

use crate::look::{Colour, Look, Signs};

const LOOK: Look = Look { colour: Colour::No, signs: Signs::Unicode };

/// Returns a line of at most `cap` characters; control characters and those that turn the direction
/// of writing are shown, not sent.
pub(super) fn safe(text: &str, cap: usize) -> String {
    let one: String = text.chars().map(|c| if c == '\n' { ' ' } else { c }).collect();
    prompt::escaped(&LOOK.clean(&prompt::short(&one, cap)))
}

/// Returns a text of several lines, as output has it.
pub(super) fn lines(text: &str, cap: usize) -> String {
    let clean = prompt::evidence(text, cap);
    let plain: Vec<&str> =
        clean.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
    prompt::escaped(&LOOK.clean_lines(&plain.join("\n")))
}

/// Returns a line for a title or an attribute in double quotes.
pub(super) fn attribute(text: &str) -> String {
    safe(text, 200)
}
