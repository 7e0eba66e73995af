//! Compares two texts line by line, in full: users approve only what they saw.

use crate::look::Look;
use crate::whole;

/// Above this number of line pairs, the texts are shown one after the other.
const PAIRS: usize = 4_000_000;

/// Returns the lines of both texts, with `-` before removed and `+` before added ones.
pub(crate) fn lines(look: Look, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut out = String::new();
    for (mark, line) in marked(&old, &new) {
        out.push(mark);
        out.push_str(&whole::one(look, line));
        out.push('\n');
    }
    out
}

fn marked<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let alike = |(one, other): &(&&str, &&str)| one == other;
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(alike).count();
    let (old_mid, new_mid) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    let same = |lines: &[&'t str]| lines.iter().map(|line| (' ', *line)).collect::<Vec<_>>();
    let mut all = same(&old[..start]);
    if old_mid.len().saturating_mul(new_mid.len()) > PAIRS {
        all.extend(old_mid.iter().map(|line| ('-', *line)));
        all.extend(new_mid.iter().map(|line| ('+', *line)));
    } else {
        all.extend(compared(old_mid, new_mid));
    }
    all.extend(same(&old_rest[old_rest.len() - end..]));
    all
}

/// Compares by the longest common subsequence.
fn compared<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let width = new.len() + 1;
    let mut length = vec![0_u32; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            length[one * width + other] = if old[one] == new[other] {
                length[(one + 1) * width + other + 1] + 1
            } else {
                length[(one + 1) * width + other].max(length[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other, mut all) = (0, 0, Vec::new());
    while one < old.len() || other < new.len() {
        let goes = other == new.len()
            || one < old.len()
                && length[(one + 1) * width + other] >= length[one * width + other + 1];
        if one < old.len() && other < new.len() && old[one] == new[other] {
            all.push((' ', old[one]));
            (one, other) = (one + 1, other + 1);
        } else if goes {
            all.push(('-', old[one]));
            one += 1;
        } else {
            all.push(('+', new[other]));
            other += 1;
        }
    }
    all
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
            ("a\nb\n", "b\na\n", "-a\n b\n+a\n"),
            ("same\n", "same\n", " same\n"),
        ] {
            assert_eq!(lines(Look::PLAIN, before, after), said, "{before:?} {after:?}");
        }
    }
}
