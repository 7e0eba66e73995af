use sprag_core::workflow::javascript;

use super::scan::{after_space, skip_space};

/// Returns the lines of a text that say something, without the signs of a list; headings do not.
pub(super) fn bullets(text: &str) -> Vec<String> {
    let lines = text.split('\n').map(|line| javascript::trim(bullet(line)));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Returns a line without the sign of a list in front.
pub(super) fn bullet(line: &str) -> &str {
    let item = skip_space(line).strip_prefix(['-', '*']).and_then(after_space);
    item.unwrap_or(line)
}
