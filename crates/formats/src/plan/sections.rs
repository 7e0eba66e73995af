//! The sections of a plan with a meaning: must-haves and key links. §2.2 of opti-gsd.

use sprag_core::plan::{KeyLink, MustHave};

use super::lines::TextLines;
use super::table;

/// The content of the sections.
#[derive(Debug, Default)]
pub(super) struct Sections {
    pub(super) must_haves: Vec<MustHave>,
    pub(super) links: Vec<KeyLink>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    MustHaves,
    KeyLinks,
    Other,
}

/// Reads the sections from the lines outside tasks and fences.
pub(super) fn read(lines: &TextLines<'_>, prose: &[usize]) -> Sections {
    let mut found = Sections::default();
    let mut section = Section::Other;
    let said: Vec<&str> = prose.iter().filter_map(|at| Some(lines.get(*at)?.said())).collect();
    for (at, line) in said.iter().enumerate() {
        match (heading(line), section) {
            (Some(heading), _) => section = Section::of(heading),
            (None, Section::MustHaves) => found.must_haves.extend(must_have(line)),
            (None, Section::KeyLinks) => {
                let next = said.get(at + 1).copied().unwrap_or_default();
                found.links.extend(key_link(line, next));
            }
            (None, Section::Other) => {}
        }
    }
    found
}

impl Section {
    fn of((level, title): (usize, &str)) -> Self {
        let title = title.to_lowercase();
        match level {
            1 | 2 if title.starts_with("must-haves") => Self::MustHaves,
            1..=3 if title.starts_with("key links") => Self::KeyLinks,
            _ => Self::Other,
        }
    }
}

/// The level and text of a heading.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let is_heading = (1..=6).contains(&level) && title.starts_with([' ', '\t']);
    is_heading.then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

fn must_have(line: &str) -> Option<MustHave> {
    let item = item(line)?;
    let (mark, text) = item.strip_prefix('[')?.split_once(']')?;
    let ticked = match mark.trim() {
        "" => false,
        "x" | "X" => true,
        _ => return None,
    };
    Some(MustHave { text: text.trim().to_owned(), ticked })
}

/// The text of a list item.
pub(super) fn item(line: &str) -> Option<&str> {
    line.strip_prefix(['-', '*', '+'])?.strip_prefix([' ', '\t']).map(str::trim)
}

/// Reads a row of the table, or an item of the older list `A → B → C`.
fn key_link(line: &str, next: &str) -> Option<KeyLink> {
    if let Some(cells) = table::row(line) {
        if table::is_rule(line) || table::is_rule(next) {
            return None;
        }
        let cell = |at: usize| cells.get(at).cloned().unwrap_or_default();
        let (from, to, connection) = (cell(0), cell(1), cell(2));
        return (!from.is_empty() && !to.is_empty()).then_some(KeyLink { from, to, connection });
    }
    let item = item(line)?.replace("->", "→");
    let mut parts = item.split('→').map(str::trim);
    let (from, to) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let connection = parts.collect::<Vec<_>>().join(" → ");
    Some(KeyLink { from, to, connection })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(text: &str) -> Sections {
        let lines = TextLines::of(text);
        let prose: Vec<usize> = (0..text.lines().count()).collect();
        read(&lines, &prose)
    }

    #[test]
    fn must_haves_are_boxes_below_their_heading() {
        let found = sections(
            "- [ ] before\n# must-haves\n- [ ] one\n* [X] two\n- no box\n- [?] odd\n### Deeper\n\
             - [ ] not any more\n### Must-Haves\n- [ ] too deep\n## Must-Haves (x)\n- [x] three\n",
        );
        let said: Vec<_> =
            found.must_haves.iter().map(|goal| (goal.text.as_str(), goal.ticked)).collect();
        assert_eq!(said, [("one", false), ("two", true), ("three", true)]);
    }

    #[test]
    fn key_links_are_rows_or_arrows() {
        let found = sections(
            "## Key Links\n| From | To | Connection |\n|---|:-:|---|\n| a | b \\| c | d |\n| x |\n\
             - A → B → C → D\n- E -> F\n- no arrow\ntext\n",
        );
        let said: Vec<_> = found
            .links
            .iter()
            .map(|link| (link.from.as_str(), link.to.as_str(), link.connection.as_str()))
            .collect();
        assert_eq!(said, [("a", "b | c", "d"), ("A", "B", "C → D"), ("E", "F", "")]);
    }
}
