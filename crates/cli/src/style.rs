//! Output style: colours if wanted, ASCII if requested, and never a control character from
//! untrusted text.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

/// The maximum width of sprag's own lines.
pub(crate) const WIDTH: usize = 80;

/// The style of a stream. Colour never carries meaning alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamStyle {
    pub(crate) colour: Colour,
    pub(crate) signs: Signs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signs {
    Unicode,
    /// `--plain`: every byte of the output is ASCII.
    Ascii,
}

/// The colours, named by their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Note,
    Bad,
    Strong,
    Quiet,
}

impl StreamStyle {
    pub(crate) const PLAIN: Self = Self { colour: Colour::No, signs: Signs::Ascii };

    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let number = match tone {
            Tone::Good => "32",
            Tone::Note => "33",
            Tone::Bad => "31",
            Tone::Strong => "1",
            Tone::Quiet => "2",
        };
        match self.colour {
            Colour::Yes => format!("\u{1b}[{number}m{text}\u{1b}[0m"),
            Colour::No => text.to_owned(),
        }
    }

    /// Wraps a text at `width` columns; a longer word is cut.
    pub(crate) fn wrap(self, text: &str, width: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split(' ').map(|word| self.clip(word, width)) {
            let at = lines.len() - 1;
            if lines[at].is_empty() {
                lines[at] = word;
            } else if columns(&lines[at]) + 1 + columns(&word) <= width {
                lines[at].push(' ');
                lines[at].push_str(&word);
            } else {
                lines.push(word);
            }
        }
        lines
    }

    /// Returns the first form if Unicode is allowed, else the second.
    pub(crate) fn sign(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        match self.signs {
            Signs::Unicode => unicode,
            Signs::Ascii => ascii,
        }
    }

    /// Makes untrusted text harmless: it stays on its line and cannot control the terminal.
    pub(crate) fn clean(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for next in text.chars() {
            let shown = match self.signs {
                Signs::Unicode => !is_hostile(next),
                Signs::Ascii => next.is_ascii() && !next.is_control(),
            };
            match next {
                _ if shown => out.push(next),
                // The separator in sprag's own lines.
                '·' => out.push('-'),
                _ => {
                    let _ = write!(out, "{}", next.escape_unicode());
                }
            }
        }
        out
    }

    /// Makes untrusted text of several lines harmless; its line breaks stay.
    pub(crate) fn clean_lines(self, text: &str) -> String {
        let lines: Vec<_> = text.lines().map(|line| self.clean(line)).collect();
        lines.join("\n")
    }

    /// Makes untrusted text harmless and cuts it to `width` columns.
    pub(crate) fn clip(self, text: &str, width: usize) -> String {
        let clean = self.clean(text);
        if columns(&clean) <= width {
            return clean;
        }
        let more = self.sign("…", "...");
        let mut left = width.saturating_sub(columns(more));
        let fits = |next: &char| {
            let wide = column(*next);
            let fits = wide <= left;
            left = left.saturating_sub(wide);
            fits
        };
        clean.chars().take_while(fits).collect::<String>() + more
    }
}

/// Matches control characters, and those that reorder or hide the text around them.
fn is_hostile(next: char) -> bool {
    next.is_control()
        || matches!(next, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(next, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Formats a duration: `41 s`, `3 min`, `2 h`, `5 d`.
pub(crate) fn age(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Formats a number: `1 run`, `2 runs`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Formats a number of bytes: `12 B`, `3.4 KiB`.
pub(crate) fn size(bytes: u64) -> String {
    let (mut whole, mut tenths, mut unit) = (bytes, 0, "B");
    for next in ["KiB", "MiB", "GiB"] {
        if whole < 1024 {
            break;
        }
        (tenths, whole, unit) = (whole % 1024 * 10 / 1024, whole / 1024, next);
    }
    if unit == "B" { format!("{whole} B") } else { format!("{whole}.{tenths} {unit}") }
}

fn column(next: char) -> usize {
    next.width().unwrap_or(0)
}

pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(column).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNICODE: StreamStyle = StreamStyle { colour: Colour::No, signs: Signs::Unicode };

    #[test]
    fn escape_sequences_and_direction_marks_are_shown_not_sent() {
        assert_eq!(UNICODE.clean("a\u{1b}[2Jb\r\n"), "a\\u{1b}[2Jb\\u{d}\\u{a}");
        assert_eq!(UNICODE.clean("x\u{202e}y\u{9b}z"), "x\\u{202e}y\\u{9b}z");
        assert_eq!(UNICODE.clean("größe 漢字"), "größe 漢字");
    }

    #[test]
    fn plain_is_ascii() {
        assert_eq!(StreamStyle::PLAIN.clean("é漢"), "\\u{e9}\\u{6f22}");
        assert_eq!(StreamStyle::PLAIN.clean("done in 1s · 1 unit"), "done in 1s - 1 unit");
        assert_eq!(StreamStyle::PLAIN.sign("✗", "x"), "x");
    }

    #[test]
    fn a_long_text_is_cut_by_columns() {
        assert_eq!(UNICODE.clip("abcdef", 6), "abcdef");
        assert_eq!(UNICODE.clip("abcdefg", 6), "abcde…");
        assert_eq!(UNICODE.clip("漢字漢字", 6), "漢字…");
        assert_eq!(StreamStyle::PLAIN.clip("abcdefg", 6), "abc...");
    }

    #[test]
    fn a_long_text_is_wrapped_between_words() {
        assert_eq!(UNICODE.wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(UNICODE.wrap("", 7), [""]);
        assert_eq!(UNICODE.wrap("a verylongword b", 6), ["a", "veryl…", "b"]);
        assert_eq!(UNICODE.wrap("x\u{1b} y", 20), ["x\\u{1b} y"]);
    }

    #[test]
    fn sizes_are_said_in_the_unit_that_fits() {
        let said = [0, 1023, 1024, 1535, 1 << 20, (3 << 30) + (1 << 29), 1 << 40].map(size);
        let expected = ["0 B", "1023 B", "1.0 KiB", "1.4 KiB", "1.0 MiB", "3.5 GiB", "1024.0 GiB"];
        assert_eq!(said, expected.map(str::to_owned));
    }

    #[test]
    fn colour_is_only_there_when_wanted() {
        assert_eq!(UNICODE.paint(Tone::Bad, "no"), "no");
        let look = StreamStyle { colour: Colour::Yes, ..UNICODE };
        assert_eq!(look.paint(Tone::Bad, "no"), "\u{1b}[31mno\u{1b}[0m");
    }
}
