use super::scan::{after_space, is_word, skip_space, take};

/// A line `- [x] **ID: title** rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item<'t> {
    pub(super) id: &'t str,
    pub(super) title: &'t str,
    pub(super) rest: &'t str,
    pub(super) done: bool,
    /// The position in the line of the mark between the brackets.
    pub(super) mark: usize,
}

/// Parses a line as an item with a box. Only white space may come before the dash.
pub(super) fn item(line: &str) -> Option<Item<'_>> {
    let inside = after_space(skip_space(line).strip_prefix('-')?)?.strip_prefix('[')?;
    let sign = inside.chars().next().filter(|sign| matches!(sign, ' ' | 'x' | 'X'))?;
    let rest = after_space(inside[1..].strip_prefix(']')?)?.strip_prefix("**")?;
    let (id, rest) = take(rest, |c| is_word(c) || c == '.');
    let rest = after_space(rest.strip_prefix(':')?)?;
    let first = rest.chars().next().filter(|_| !id.is_empty())?.len_utf8();
    let end = first + rest[first..].find("**")?;
    Some(Item {
        id,
        title: &rest[..end],
        rest: skip_space(&rest[end + 2..]),
        done: sign != ' ',
        mark: line.len() - inside.len(),
    })
}

/// Returns the text after `name:` between two backticks.
pub(super) fn badge<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mark = format!("`{name}:");
    text.match_indices(&mark).find_map(|(at, _)| {
        let (inside, _) = text[at + mark.len()..].split_once('`')?;
        (!inside.is_empty()).then_some(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_as_the_original_does() {
        let found = item("  - [X] **S01.2: API: v2** `risk:low` x").unwrap();
        assert_eq!((found.id, found.title, found.done, found.mark), ("S01.2", "API: v2", true, 5));
        assert_eq!(badge(found.rest, "risk"), Some("low"));
        for not in [
            "* [ ] **S01: a**",
            "- [] **S01: a**",
            "- [ ] S01: a",
            "-[ ] **S01: a**",
            "- [ ] **S01:a**",
            "- [ ] **S01: a*",
            "- [ ] ****",
            "- [é] **S01: a**",
            "- [ ] **: a**",
        ] {
            assert_eq!(item(not), None, "{not}");
        }
    }
}
