//! JavaScript's behaviour that shows in the original's answers: the order of keys, blank text, and
//! lengths in UTF-16 units.

/// Strips the white space that JavaScript's `trim` removes.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns whether `text` is empty or only white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// Returns whether JavaScript considers `c` white space.
pub fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// Returns the number of a key that looks like an array index: such keys come first, in ascending
/// order.
pub(super) fn array_index(key: &str) -> Option<u32> {
    let number = key.parse::<u32>().ok().filter(|&number| number != u32::MAX)?;
    (number.to_string() == key).then_some(number)
}

/// Returns the longest prefix of `text` with at most `units` UTF-16 units, in whole characters.
pub(super) fn cut(text: &str, units: usize) -> &str {
    let mut left = units;
    for (at, c) in text.char_indices() {
        match left.checked_sub(c.len_utf16()) {
            Some(rest) => left = rest,
            None => return &text[..at],
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_numbers_are_indices() {
        assert_eq!(array_index("10"), Some(10));
        for key in ["010", "-1", "4294967295", "1.0", "", "+1"] {
            assert_eq!(array_index(key), None, "{key}");
        }
    }

    #[test]
    fn lengths_count_utf16_units() {
        assert_eq!(cut("🔥🔥🔥", 4), "🔥🔥");
        assert_eq!(cut("🔥", 1), "");
        assert_eq!(cut("abcd", 4), "abcd");
    }
}
