//! Splits a text into lines that know their position, and whether they are code.

use std::collections::BTreeMap;

/// A line without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkdownLine<'t> {
    /// The position of its start.
    pub(super) at: usize,
    pub(super) text: &'t str,
    /// Whether it is inside a closed code fence.
    pub(super) fenced: bool,
}

/// Returns the lines of a text; `from` is added to their positions.
pub(super) fn lines(text: &str, from: usize) -> Vec<MarkdownLine<'_>> {
    let mut all = Vec::new();
    let mut at = from;
    for whole in text.split('\n') {
        let line = whole.strip_suffix('\r').unwrap_or(whole);
        all.push(MarkdownLine { at, text: line, fenced: false });
        at += whole.len() + 1;
    }
    fence(&mut all);
    all
}

/// Marks the lines between fences. An unclosed fence hides nothing.
fn fence(lines: &mut [MarkdownLine<'_>]) {
    let mut at = 0;
    // For each fence character, the length from which no closing fence follows, so that the search
    // runs only once.
    let mut never = BTreeMap::new();
    while at < lines.len() {
        let Some((sign, length)) = opening(lines[at].text) else {
            at += 1;
            continue;
        };
        if never.get(&sign).is_some_and(|least| length >= *least) {
            at += 1;
            continue;
        }
        let closes = |line: &MarkdownLine<'_>| {
            opening(line.text).is_some_and(|(other, count)| other == sign && count >= length)
                && line.text.trim().trim_matches(sign).is_empty()
        };
        let inside = lines[at + 1..].iter().position(closes);
        let Some(inside) = inside else {
            never.insert(sign, length);
            at += 1;
            continue;
        };
        for line in &mut lines[at..=at + 1 + inside] {
            line.fenced = true;
        }
        at += inside + 2;
    }
}

fn opening(line: &str) -> Option<(char, usize)> {
    let text = line.trim_start_matches(' ');
    let sign = text.chars().next().filter(|c| *c == '`' || *c == '~')?;
    let length = text.len() - text.trim_start_matches(sign).len();
    (length >= 3 && line.len() - text.len() <= 3).then_some((sign, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_fence_hides() {
        let marks = |text| lines(text, 0).iter().map(|line| line.fenced).collect::<Vec<_>>();
        assert_eq!(marks("a\n```sh\nb\n```\nc"), [false, true, true, true, false]);
        assert_eq!(marks("```\nb\n~~~\nc"), [false; 4]);
        assert_eq!(marks("````\n```\n````"), [true; 3]);
        assert_eq!(lines("a\r\nb", 5)[1], MarkdownLine { at: 8, text: "b", fenced: false });
    }
}
