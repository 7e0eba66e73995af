//! Values that agents write by hand: `"true"`, `yes`, `"07"`, `3.0`. §6.1 of opti-gsd.
//!
//! A value with only one possible meaning is accepted with a warning; any other is a fault.

use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::number::Number;
use crate::value::Value;

/// A value, and whether it was written as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loose<T> {
    pub(super) value: T,
    /// A warning about its form.
    pub(super) odd: Option<Fault>,
}

impl<T> Loose<T> {
    fn plain(value: T) -> Self {
        Self { value, odd: None }
    }

    fn taken_for(field: &Field<'_>, value: T, word: &str) -> Self {
        let what = format!("`{}` is taken for {word}", field.path());
        Self { value, odd: Some(field.fault(FaultKind::Type, what)) }
    }
}

/// Reads a boolean.
pub(super) fn flag(field: &Field<'_>) -> Result<Loose<bool>, Fault> {
    match &field.node().value {
        Value::Bool(value) => Ok(Loose::plain(*value)),
        Value::String(word) => match word.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Ok(Loose::taken_for(field, true, "true")),
            "false" | "no" | "off" => Ok(Loose::taken_for(field, false, "false")),
            _ => Err(wrong(field, "true or false")),
        },
        Value::Null | Value::Number(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(field, "true or false"))
        }
    }
}

/// Reads a whole number that is not negative.
pub(super) fn count(field: &Field<'_>) -> Result<Loose<u32>, Fault> {
    let digits = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<u32>().ok()).flatten()
    };
    let found = match &field.node().value {
        Value::Number(number) => match digits(number.text()) {
            Some(count) if number.text().len() == 1 || !number.text().starts_with('0') => {
                return Ok(Loose::plain(count));
            }
            Some(count) => Some(count),
            None => digits(whole(number)),
        },
        Value::String(text) => digits(text.trim()),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
    };
    let count = found.ok_or_else(|| wrong(field, "a whole number from 0 up"))?;
    Ok(Loose::taken_for(field, count, &count.to_string()))
}

/// Returns the digits before a fraction of zeros.
fn whole(number: &Number) -> &str {
    match number.text().split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|byte| byte == b'0') => whole,
        Some(_) | None => "",
    }
}

/// Returns a text, or a number as written; `None` for other values.
pub(super) fn text(field: &Field<'_>) -> Option<String> {
    match &field.node().value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.text().to_owned()),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
    }
}

pub(super) fn wrong(field: &Field<'_>, expected: &str) -> Fault {
    let found = match &field.node().value {
        Value::String(text) => {
            format!("\"{}\"", sprag_core::prompt::short(text, 40).escape_debug())
        }
        Value::Number(number) => sprag_core::prompt::short(number.text(), 40),
        other @ (Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_)) => {
            other.type_name().to_owned()
        }
    };
    let what = format!("`{}` must be {expected}, and is {found}", field.path());
    field.fault(FaultKind::Type, what).expecting(expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Document, Format};

    fn read<T>(text: &str, read: fn(&Field<'_>) -> Result<Loose<T>, Fault>) -> Option<(T, bool)> {
        let text = format!("a: {text}\n");
        let document = Document::parse(Format::Yaml, &text).unwrap();
        let loose = read(&document.need(&["a"]).unwrap()).ok()?;
        Some((loose.value, loose.odd.is_some()))
    }

    #[test]
    fn booleans_are_taken_for_what_they_mean() {
        for (text, value, is_odd) in [
            ("true", true, false),
            ("False", false, false),
            ("\"true\"", true, true),
            ("yes", true, true),
            ("'Off'", false, true),
        ] {
            assert_eq!(read(text, flag), Some((value, is_odd)), "{text}");
        }
        for text in ["1", "maybe", "[]", "{}", "truee"] {
            assert_eq!(read(text, flag), None, "{text}");
        }
    }

    #[test]
    fn counts_are_taken_for_what_they_mean() {
        for (text, value, is_odd) in [
            ("3", 3, false),
            ("0", 0, false),
            ("\"07\"", 7, true),
            ("08", 8, true),
            ("3.0", 3, true),
        ] {
            assert_eq!(read(text, count), Some((value, is_odd)), "{text}");
        }
        for text in
            ["-1", "1.5", "\"-1\"", "a[$(touch PWNED)]", "true", "1e3", "99999999999", "[1]"]
        {
            assert_eq!(read(text, count), None, "{text}");
        }
    }
}
