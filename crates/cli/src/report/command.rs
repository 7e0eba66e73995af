//! Wraps a command so that it can still be copied as a whole.

use crate::style::{StreamStyle, columns};

/// The shell's line continuation.
const ON: &str = " \\";

/// Wraps a command between words; a shell reads the lines as one command.
pub(super) fn lines(look: StreamStyle, command: &str, width: usize) -> Vec<String> {
    let room = width.saturating_sub(ON.len());
    let mut lines = vec![String::new()];
    // A cut word could not be copied, so a long one gets a line of its own.
    for word in words(command).into_iter().map(|word| look.clean(word)) {
        let at = lines.len() - 1;
        if lines[at].is_empty() {
            lines[at] = word;
        } else if columns(&lines[at]) + 1 + columns(&word) <= room {
            lines[at] = format!("{} {word}", lines[at]);
        } else {
            let on = if lines[at].ends_with(';') { "" } else { ON };
            lines[at].push_str(on);
            lines.push(word);
        }
    }
    lines
}

/// Splits at spaces that are neither quoted nor escaped.
fn words(command: &str) -> Vec<&str> {
    let (mut quoted, mut escaped) = (false, false);
    let ends = |one: char| {
        let is_plain = !std::mem::take(&mut escaped);
        quoted ^= one == '\'' && is_plain;
        escaped = one == '\\' && is_plain && !quoted;
        one == ' ' && is_plain && !quoted
    };
    command.split(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_broken_where_a_shell_goes_on() {
        let of = |command, width| lines(StreamStyle::PLAIN, command, width);
        assert_eq!(of("git diff abc", 80), ["git diff abc"]);
        assert_eq!(of("git diff abc -- ':/a b' x", 16), ["git diff abc \\", "-- ':/a b' x"]);
        assert_eq!(of("(a b c; d e f)", 10), ["(a b c;", "d e f)"]);
        assert_eq!(of(r"cd 'it'\''s a' && git diff", 18), [r"cd 'it'\''s a' \", "&& git diff"]);
        assert_eq!(of(r"a 'b\' c d", 7), [r"a \", r"'b\' \", "c d"]);
        assert_eq!(of("git diff 0123456789abcdef", 12), ["git diff \\", "0123456789abcdef"]);
    }
}
