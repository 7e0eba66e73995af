//! Small scanners that match the original's patterns.

use sprag_core::gsd::Slice;
use sprag_core::workflow::javascript;

/// Returns whether `\w` in a pattern matches this character.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the text after white space, or `None` if there is no white space.
pub(super) fn after_space(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(javascript::is_space);
    (rest.len() < text.len()).then_some(rest)
}

pub(super) fn skip_space(text: &str) -> &str {
    text.trim_start_matches(javascript::is_space)
}

/// Returns the longest prefix of such characters, and the rest.
pub(super) fn take(text: &str, is_in: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|c| !is_in(c)).unwrap_or(text.len());
    text.split_at(end)
}

/// Returns whether `word` occurs in `text` without a letter, digit or `_` next to it.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
}

/// Returns every `S` followed by digits, with its position.
pub(super) fn slice_ids(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('S').filter_map(|(at, _)| {
        let (digits, _) = take(&text[at + 1..], |c| c.is_ascii_digit());
        (!digits.is_empty()).then(|| (at, &text[at..=at + digits.len()]))
    })
}

/// Returns the first slice id that is a separate word.
pub(super) fn own_slice_id(text: &str) -> Option<&str> {
    let alone = |(at, id): &(usize, &str)| {
        !text[..*at].ends_with(is_word) && !text[at + id.len()..].starts_with(is_word)
    };
    slice_ids(text).find(alone).map(|(_, id)| id)
}

/// Returns the position of `needle`, which is in lower case, ignoring ASCII case in `text`.
pub(super) fn find_any_case(text: &str, needle: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(needle)
}

/// The most slices in one range, and in all ranges of one document.
const RANGE: u32 = 1000;
const MOST: usize = 20_000;

/// Reads the dependencies of the slices of one document.
#[derive(Debug)]
pub(super) struct Ranges {
    left: usize,
}

impl Ranges {
    pub(super) const fn new() -> Self {
        Self { left: MOST }
    }

    /// Returns the slices in a list: `S01-S04` and `S01..S04` are ranges.
    pub(super) fn expand<'t>(&mut self, list: impl IntoIterator<Item = &'t str>) -> Vec<String> {
        let mut all = Vec::new();
        for one in list.into_iter().map(javascript::trim).filter(|one| !one.is_empty()) {
            match range(one).filter(|ids| ids.len() <= self.left) {
                Some(mut ids) => {
                    self.left -= ids.len();
                    all.append(&mut ids);
                }
                None => all.push(one.to_owned()),
            }
        }
        all
    }
}

fn range(text: &str) -> Option<Vec<String>> {
    let (letters, rest) = take(text, |c| c.is_ascii_alphabetic());
    let (from, rest) = take(rest, |c| c.is_ascii_digit());
    let (between, rest) = take(rest, |c| c == '-' || c == '.');
    let (other, to) = take(rest, |c| c.is_ascii_alphabetic());
    let dots = between.replace('-', "");
    let between = !between.is_empty() && dots.len().is_multiple_of(2);
    let same = !letters.is_empty() && letters.eq_ignore_ascii_case(other);
    if !(between && same && to.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let (first, last): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
    if first > last || last - first >= RANGE {
        return None;
    }
    let (letters, width) = (letters.to_ascii_uppercase(), from.len());
    Some((first..=last).map(|number| format!("{letters}{number:0width$}")).collect())
}

/// Makes a slice with only these three values set.
pub(super) fn slice(id: &str, title: &str, risk: &str) -> Slice {
    Slice { id: id.to_owned(), title: title.to_owned(), risk: risk.to_owned(), ..Slice::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_expanded_and_anything_else_is_literal() {
        let mut ranges = Ranges::new();
        assert_eq!(
            ranges.expand(["S01-S03", " s08..S10 ", ""]),
            ["S01", "S02", "S03", "S08", "S09", "S10"]
        );
        for literal in ["S04-S01", "S01-T03", "S01.S03", "S1-S99999", "S01", "-", "S01-"] {
            assert_eq!(ranges.expand([literal]), [literal]);
        }
    }

    #[test]
    fn words_stand_alone() {
        assert!(has_word("is done.", "done") && !has_word("undone", "done"));
        assert_eq!(own_slice_id("xS1 S01b (S02)"), Some("S02"));
        assert_eq!(slice_ids("S01-S04S").count(), 2);
    }
}
