//! Rows of Markdown tables.

/// The cells of a row; `\|` is a bar inside a cell.
pub(super) fn row(line: &str) -> Option<Vec<String>> {
    let inside = line.trim().strip_prefix('|')?;
    let inside = inside.strip_suffix('|').unwrap_or(inside);
    let mut cells = vec![String::new()];
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, cells.last_mut()) {
            ('|', _) => cells.push(String::new()),
            ('\\', Some(cell)) if chars.peek() == Some(&'|') => cell.extend(chars.next()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
    }
    Some(cells.into_iter().map(|cell| cell.trim().to_owned()).collect())
}

/// Returns whether a line is the rule below a table's header: `|---|:-:|`.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|')
        && line.contains('-')
        && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// Formats a text for a cell: on one line, with its bars escaped.
pub(super) fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_comes_back_as_it_was() {
        for text in ["", "a", "a | b", "a\nb", "||", "x \\ y"] {
            let line = format!("| {} | b |", cell(text));
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(row(&line), Some(vec![flat, "b".to_owned()]), "{line}");
        }
        assert_eq!(row("text"), None);
        assert!(is_rule(" | --- | :-: | ") && !is_rule("| a | - |") && !is_rule("---"));
    }
}
