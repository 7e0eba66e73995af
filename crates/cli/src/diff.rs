//! Compares two texts line by line.

use similar::{Algorithm, ChangeTag, capture_diff_slices};

use crate::style::StreamStyle;
use crate::whole;

/// Lines of context around a change.
const AROUND: usize = 3;

/// Returns the lines of both texts in full, with `-` before removed and `+` before added ones: users
/// approve only what they saw.
pub(crate) fn lines(look: StreamStyle, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut out = String::new();
    for (mark, line) in marked(&old, &new) {
        out.push(mark);
        out.push_str(&whole::one(look, line));
        out.push('\n');
    }
    out
}

/// Returns the changes between two texts as lines with the prefix ` `, `-` or `+`, and ` …` for what
/// is left out between them.
pub(crate) fn changes(before: &str, after: &str) -> Vec<String> {
    let all = marked(&split(before), &split(after));
    let near = |at: usize| {
        let window = at.saturating_sub(AROUND)..(at + AROUND + 1).min(all.len());
        all[window].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut shown = Vec::new();
    let mut cut = false;
    for (at, (mark, line)) in all.iter().enumerate() {
        if !near(at) {
            cut = true;
            continue;
        }
        if std::mem::take(&mut cut) {
            shown.push(" …".to_owned());
        }
        shown.push(format!("{mark}{line}"));
    }
    shown
}

/// Splits a text into lines that keep a carriage return, which may be part of the change.
fn split(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

/// Marks each line as kept, removed or added. The work is bounded: for texts with hardly a line in
/// common, the comparison need not be the shortest.
fn marked<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let steps = capture_diff_slices(Algorithm::Myers, old, new);
    let changes = steps.iter().flat_map(|step| step.iter_changes(old, new));
    let mark = |tag| match tag {
        ChangeTag::Equal => ' ',
        ChangeTag::Delete => '-',
        ChangeTag::Insert => '+',
    };
    changes.map(|change| (mark(change.tag()), change.value())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_both_texts_is_shown() {
        for (before, after, said) in [
            ("a\nb\nc\n", "a\nx\nc\n", " a\n-b\n+x\n c\n"),
            ("", "a\n", "+a\n"),
            ("a\n", "", "-a\n"),
            ("a\nb\n", "b\na\n", "+b\n a\n-b\n"),
            ("same\n", "same\n", " same\n"),
        ] {
            assert_eq!(lines(StreamStyle::PLAIN, before, after), said, "{before:?} {after:?}");
        }
    }

    #[test]
    fn both_texts_can_be_read_back() {
        let mut seed = 1_u32;
        let mut text = |length: u32| -> Vec<&str> {
            let mut draw = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ["a", "b", "c", ""][(seed >> 30) as usize]
            };
            (0..length).map(|_| draw()).collect()
        };
        for length in (0..200).chain([5_000]) {
            let (old, new) = (text(length), text(length / 2 + 3));
            let all = marked(&old, &new);
            let without = |gone: char| -> Vec<&str> {
                all.iter().filter(|(mark, _)| *mark != gone).map(|(_, line)| *line).collect()
            };
            assert_eq!((without('+'), without('-')), (old, new));
        }
    }

    #[test]
    fn only_what_changes_is_shown_with_its_surroundings() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\n5\nnew\n6\n7\n8\n9\n";
        assert_eq!(changes(before, after), [" …", " 3", " 4", " 5", "+new", " 6", " 7", " 8"]);
        assert_eq!(changes(before, before), [""; 0]);
        assert_eq!(changes("", "a\nb\n"), ["+a", "+b"]);
        assert_eq!(changes("a\nb\n", ""), ["-a", "-b"]);
        assert_eq!(changes("a\r\n", "a\n"), ["-a\r", "+a"]);
    }

    #[test]
    fn changes_in_two_places_leave_what_is_between_alone() {
        let shown = changes("a\nb\nc\n", "a\nx\nb\ny\nc\n");
        assert_eq!(shown, [" a", "+x", " b", "+y", " c"]);
    }

    #[test]
    fn a_great_change_is_shown_whole() {
        let many = |word: &str| (0..20_000).map(|n| format!("{word}{n}")).collect::<Vec<_>>();
        let shown = changes(&many("a").join("\n"), &many("b").join("\n"));
        assert_eq!(shown.len(), 40_000);
        assert_eq!(shown.iter().filter(|line| line.starts_with("-a")).count(), 20_000);
    }
}
