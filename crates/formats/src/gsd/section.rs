//! Parts of a text: under a heading, or after a bold label.

use sprag_core::workflow::javascript;

use super::scan::skip_space;

/// Returns the trimmed text under the first heading with this name, and its position.
pub(super) fn section<'t>(text: &'t str, heading: &str, level: usize) -> Option<(usize, &'t str)> {
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        match start {
            None if is_heading(line, heading, level) => start = Some(next),
            Some(from) if ends(line, level) => return Some(trimmed(text, from, at)),
            None | Some(_) => {}
        }
        at = next;
    }
    start.map(|from| trimmed(text, from, text.len()))
}

fn is_heading(line: &str, heading: &str, level: usize) -> bool {
    let rest = line.strip_prefix(&"######"[..level.min(6)]).and_then(|rest| rest.strip_prefix(' '));
    rest.and_then(|rest| rest.strip_prefix(heading)).is_some_and(javascript::is_blank)
}

/// Returns whether a line is a heading of this level or above.
fn ends(line: &str, level: usize) -> bool {
    let text = line.trim_start_matches('#');
    (1..=level).contains(&(line.len() - text.len())) && text.starts_with(' ')
}

fn trimmed(text: &str, from: usize, to: usize) -> (usize, &str) {
    let inside = &text[from..to];
    let start = from + (inside.len() - skip_space(inside).len());
    (start, javascript::trim(inside))
}

/// Returns every section of a level with its heading, in order. Of two with the same heading, the
/// last one takes the position of the first.
pub(super) fn sections(text: &str, level: usize) -> Vec<(&str, &str)> {
    let mark = format!("{} ", &"######"[..level.min(6)]);
    let mut found: Vec<(&str, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        let heading = line.strip_prefix(&mark).map(javascript::trim);
        if let Some(heading) = heading.filter(|heading| !heading.is_empty()) {
            if let Some(last) = found.last_mut() {
                last.2 = at;
            }
            found.push((heading, next, text.len()));
        }
        at = next;
    }
    let mut all: Vec<(&str, &str)> = Vec::new();
    for (heading, from, to) in found {
        let inside = javascript::trim(&text[from..to]);
        match all.iter_mut().find(|(known, _)| *known == heading) {
            Some(known) => known.1 = inside,
            None => all.push((heading, inside)),
        }
    }
    all
}

/// Returns the text after `**Key:**` at the start of a line: the rest of that line, or the next
/// non-empty line.
pub(super) fn bold<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mark = format!("**{key}:**");
    text.match_indices(&mark).find_map(|(at, _)| {
        let begins = at == 0 || text[..at].ends_with(['\n', '\r']);
        let rest = skip_space(&text[at + mark.len()..]);
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        (begins && !line.is_empty()).then(|| javascript::trim(line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_a_heading_of_its_level_or_above() {
        let text = "# A\n## Tasks  \n\n one\n### deeper\ntwo\n#none\n# B\nthree";
        assert_eq!(section(text, "Tasks", 2), Some((17, "one\n### deeper\ntwo\n#none")));
        assert_eq!(section(text, "Task", 2), None);
        assert_eq!(section("## X", "X", 2), Some((4, "")));
    }

    #[test]
    fn a_bold_field_may_go_on_below() {
        assert_eq!(bold("x **Goal:** no\n**Goal:**\n\n yes \n", "Goal"), Some("yes"));
        assert_eq!(bold("**Goal:** \n", "Goal"), None);
    }
}
