use sprag_core::workflow::javascript;

use super::scan::{after_space, skip_space};

/// Returns the non-empty lines of a text without list markers, except headings.
pub(super) fn bullets(text: &str) -> Vec<String> {
    let lines = text.split('\n').map(|line| javascript::trim(bullet(line)));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Returns a line without its list marker.
pub(super) fn bullet(line: &str) -> &str {
    let item = skip_space(line).strip_prefix(['-', '*']).and_then(after_space);
    item.unwrap_or(line)
}
