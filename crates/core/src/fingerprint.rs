//! Recognizes repeated failures.
//!
//! Two runs of one failing test differ in times, durations, addresses, temporary folders and
//! colours. Those are removed before the texts are compared, so that "the same failure three times"
//! matches a person's judgement.

use crate::Hash;

/// The hash of a failure without the details that vary between runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(Hash);

impl Fingerprint {
    /// Hashes the `exact` texts verbatim and the other `texts` normalised.
    pub fn of(exact: &[&str], texts: &[&str]) -> Self {
        let exact = exact.iter().map(|text| (*text).to_owned());
        let parts: Vec<_> = exact.chain(texts.iter().map(|text| normal(text))).collect();
        Self(Hash::of(parts.join("\0")))
    }

    pub const fn hash(self) -> Hash {
        self.0
    }
}

impl From<Hash> for Fingerprint {
    fn from(hash: Hash) -> Self {
        Self(hash)
    }
}

/// Normalises `text`: `#` for numbers, times, durations and hex, `<tmp>` for temporary paths,
/// single blanks, no colours.
pub fn normal(text: &str) -> String {
    let text = without_ansi(text);
    let mut words = Vec::<String>::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        let word = normal_word(word);
        let unit = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        match words.last_mut().filter(|last| last.ends_with('#')) {
            // `41 ms)` becomes `41ms)`, and `1m 3s` is one duration.
            Some(_) if word == "#" => {}
            Some(last) if UNITS.contains(&unit) => last.push_str(&word[unit.len()..]),
            Some(_) | None if word.is_empty() => {}
            Some(_) | None => words.push(word),
        }
    }
    words.join(" ")
}

/// Returns `text` without the escape sequences that colour a terminal or set its title.
pub(crate) fn without_ansi(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\u{1b}', Some('[')) | ('\u{9b}', _) => {
                chars.next_if_eq(&'[');
                // Parameters end with a letter; an unterminated sequence is cut at the end of the
                // line.
                while chars.next_if(|c| !('@'..='~').contains(c) && *c != '\n').is_some() {}
                chars.next_if(|c| ('@'..='~').contains(c));
            }
            ('\u{1b}', Some(']')) => {
                while chars.next_if(|c| !matches!(c, '\u{7}' | '\u{1b}' | '\n')).is_some() {}
                chars.next_if_eq(&'\u{7}');
            }
            ('\u{1b}', _) => {}
            (c, _) => out.push(c),
        }
    }
    out
}

/// Units that may follow a number.
const UNITS: [&str; 12] =
    ["ns", "us", "µs", "ms", "s", "m", "h", "min", "sec", "secs", "seconds", "Z"];

const TEMPORARY: [&str; 5] = ["/tmp/", "/var/tmp/", "/var/folders/", "/dev/shm/", "\\Temp\\"];

fn normal_word(word: &str) -> String {
    let found = TEMPORARY.iter().filter_map(|folder| Some((word.find(folder)?, folder.len())));
    let Some((at, length)) = found.min() else {
        return numbers(word);
    };
    // Only the random part is replaced; the last name in a subfolder of the temporary one tells
    // failures apart.
    let below = &word[at + length..];
    let last = below.rfind(['/', '\\']).map_or("", |slash| &below[slash..]);
    let quotes = ['(', '"', '\'', '=', '`', ','];
    let before = word[..at].rfind(quotes).map_or("", |quote| &word[..=quote]);
    format!("{}<tmp>{}", numbers(before), numbers(last))
}

/// Replaces each run of numbers, hex digits, their separators and units with one `#`.
fn numbers(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let letters = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let (token, after) = rest.split_at(if letters == 0 { c.len_utf8() } else { letters });
        let mut end = out.chars().rev();
        let joined = matches!(end.next(), Some('.' | ':' | '-' | '+')) && end.next() == Some('#');
        // The later groups of a UUID are too short to be told from words on their own.
        let group = joined && token.len() >= 4 && token.bytes().all(|b| b.is_ascii_hexdigit());
        if !(group || is_number(token)) {
            out.push_str(token);
        } else if joined {
            out.pop();
        } else if !out.ends_with('#') {
            out.push('#');
        }
        rest = after;
    }
    out
}

/// Returns whether a token is a number, a duration, a part of a time, or hex.
fn is_number(token: &str) -> bool {
    let unit = token.trim_start_matches(|c: char| c.is_ascii_digit());
    if unit.len() < token.len() && (unit.is_empty() || UNITS.contains(&unit)) {
        return true;
    }
    // In a timestamp, `05T10` is between the rest of the date and of the time.
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if token.split_once('T').is_some_and(|(day, hour)| is_digits(day) && is_digits(hour)) {
        return true;
    }
    let hex = token.strip_prefix("0x").unwrap_or(token);
    let long = hex.len() < token.len() || hex.len() >= 7;
    long && hex.bytes().all(|b| b.is_ascii_hexdigit()) && hex.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_failures_are_equal() {
        for (one, other) in [
            ("test a failed in 1.2s", "test a failed in 900ms"),
            ("3 passed, 1 failed (41 ms)", "12 passed, 1 failed (1.04 s)"),
            ("at 2026-03-05T10:30:00.000Z", "at 2026-11-25T01:02:03Z"),
            ("\u{1b}[31mred\u{1b}[0m wall", "red   wall"),
            ("\u{1b}]0;title\u{7}red", "red"),
            ("object at 0x7ffde01a2b", "object at 0x55aa01"),
            ("commit 3f0a99c1 is bad", "commit 77d10be2c4 is bad"),
            ("no /tmp/tmp.Xy12/out.txt", "no /tmp/pytest-9/abc/out.txt"),
            ("cannot open /tmp/tmp.Xy12ab", "cannot open /tmp/tmp.Qr99zz"),
            ("open(\"/var/folders/a/b/T/x.rs\")", "open(\"/var/folders/q/z.9/T/x.rs\")"),
            ("took 1m 3s", "took 41s"),
            ("id 550e8400-e29b-41d4-a716-446655440000", "id 123e4567-e89b-12d3-a456-426614174000"),
            ("src/a.rs:10:5: boom", "src/a.rs:112:17: boom"),
        ] {
            assert_eq!(normal(one), normal(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn different_failures_differ() {
        for (one, other) in [
            ("quotes_commas failed", "quotes_tabs failed"),
            ("src/a.rs:1: boom", "src/b.rs:1: boom"),
            ("/tmp/x/one.txt missing", "/tmp/x/two.txt missing"),
            ("src/private/one.rs broke", "src/private/two.rs broke"),
            ("expected deadbeat", "expected facade"),
            ("", "something"),
        ] {
            assert_ne!(normal(one), normal(other), "{one:?} {other:?}");
        }
        assert_ne!(Fingerprint::of(&["1"], &["x"]), Fingerprint::of(&["2"], &["x"]));
    }

    proptest! {
        #[test]
        fn any_text_has_a_normal_form_that_stays(text in "(?s).{0,60}") {
            let once = normal(&text);
            prop_assert!(!once.chars().any(char::is_control), "{}", once);
            prop_assert_eq!(normal(&format!("  {once}\n")), normal(&once));
        }
    }
}
