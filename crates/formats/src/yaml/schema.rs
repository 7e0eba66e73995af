//! The YAML 1.2 core schema: the meaning of an unquoted scalar.

use std::borrow::Cow;

use crate::number::Number;
use crate::value::Value;

/// The value of a plain scalar.
pub(super) fn resolve(text: Cow<'_, str>) -> Value {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        plain => match Some(plain).filter(|plain| may_be_number(plain)).and_then(Number::parse) {
            Some(number) => Value::Number(number),
            None => Value::String(text.into_owned()),
        },
    }
}

/// Returns whether a scalar starts like a number. Most are words, and need no further check.
fn may_be_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
}

/// Returns whether any reader, of YAML 1.1 or 1.2, could read a plain scalar as something other
/// than a string.
pub(super) fn misreadable(text: &str) -> bool {
    const WORDS: [&str; 12] =
        ["", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "="];
    let lower = text.to_ascii_lowercase();
    WORDS.contains(&lower.as_str()) || text == "<<" || like_number(&lower) || like_date(&lower)
}

/// Includes numbers of YAML 1.1: `1_000`, `0b1`, `1:30`, `017`, `1e5`, `.inf`.
fn like_number(lower: &str) -> bool {
    let rest = lower.strip_prefix(['-', '+']).unwrap_or(lower);
    if matches!(rest, ".inf" | ".nan") {
        return true;
    }
    for (prefix, digits) in [("0x", "0123456789abcdef_"), ("0o", "01234567_"), ("0b", "01_")] {
        if let Some(rest) = rest.strip_prefix(prefix) {
            return !rest.is_empty() && rest.chars().all(|c| digits.contains(c));
        }
    }
    let mantissa = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let mantissa = mantissa.strip_suffix(['-', '+']).unwrap_or(mantissa);
    let mantissa = mantissa.strip_suffix('e').unwrap_or(rest);
    mantissa.bytes().any(|byte| byte.is_ascii_digit())
        && mantissa.bytes().all(|byte| byte.is_ascii_digit() || b"_.:".contains(&byte))
}

/// Includes every text that starts like a date, such as `2026-1`.
fn like_date(lower: &str) -> bool {
    let bytes = lower.as_bytes();
    bytes.len() >= 6
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes[5].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yes_and_no_are_strings() {
        for text in ["yes", "no", "on", "off", "y", "Yes", "nULL", "tRUE", "1_000", "2026-01-01"] {
            assert_eq!(resolve(text.into()), Value::from(text), "{text}");
        }
        assert_eq!(resolve("~".into()), Value::Null);
        assert_eq!(resolve("TRUE".into()), Value::Bool(true));
        assert_eq!(resolve("07".into()), Value::from(7));
    }

    #[test]
    fn look_alikes_are_seen() {
        for text in [
            "",
            "~",
            "Null",
            "YES",
            "On",
            "n",
            "1",
            "-1.5",
            "1_000",
            "0b101",
            "0x1f",
            "017",
            "1:30",
            "12:30:45.5",
            "1e5",
            "1E-5",
            ".5",
            "-.INF",
            ".NaN",
            "2026-01-02",
            "2026-1-2T10:00:00Z",
            "<<",
            "=",
        ] {
            assert!(misreadable(text), "{text}");
        }
        for text in ["abc", "4/6", "v1.2", "0f3c9d", "yesterday", "1e5x", "a1", "1-2", "e5", "T01"]
        {
            assert!(!misreadable(text), "{text}");
        }
    }
}
