//! Checks whether two texts are equivalent.

use super::language::Language;
use super::lines::Text;

/// Returns whether two texts differ only in insignificant whitespace: between words, at the end of
/// a line, and blank lines. Strings are compared byte by byte.
pub(super) fn is_same(was: &Text, now: &Text, language: Language, path: &str) -> bool {
    let is_certain = was.is_certain && now.is_certain && language.collapses_blanks(path);
    let lines = |text: &Text| -> Vec<(bool, String)> {
        let kept = text.lines.iter().filter(|line| !line.is_blank());
        kept.map(|line| (line.starts_inside, line.normal.clone())).collect()
    };
    is_certain && lines(was) == lines(now)
}

/// Returns whether two texts have the same lines, apart from trailing blank lines and line endings.
pub(super) fn has_same_lines(was: &str, now: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        text.trim_end().split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect()
    };
    lines(was) == lines(now)
}
