//! Writes JSON as `JSON.stringify` writes sorted objects, byte for byte.
//!
//! Keys are sorted by UTF-16 code units, but array indexes come first in numeric order, because
//! JavaScript objects list them so. Numbers are printed as in JavaScript. Whole numbers that
//! JavaScript cannot hold exactly keep all their digits: it would round them, and a rounded id is
//! worse than a difference.

use std::fmt::Write;

use crate::number::Number;
use crate::value::{Map, Node, Value};

/// Writes a new JSON file: sorted keys, two spaces per level, a final line end.
pub fn to_json(value: &Value) -> String {
    let mut out = String::new();
    put(&mut out, value, Some(0));
    out.push('\n');
    out
}

/// Writes one line of an event log: sorted keys, no spaces, a final line end.
pub fn to_json_line(value: &Value) -> String {
    let mut out = String::new();
    put(&mut out, value, None);
    out.push('\n');
    out
}

fn put(out: &mut String, value: &Value, depth: Option<usize>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&self::number(number)),
        Value::String(text) => string(out, text),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|Node { value, .. }| (None, value)).collect();
            collection(out, ['[', ']'], &items, depth);
        }
        Value::Map(map) => collection(out, ['{', '}'], &sorted(map), depth),
    }
}

fn collection(
    out: &mut String,
    brackets: [char; 2],
    children: &[(Option<&str>, &Value)],
    depth: Option<usize>,
) {
    let new_line = |out: &mut String, depth: Option<usize>| {
        if let Some(depth) = depth.filter(|_| !children.is_empty()) {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
    };
    let inner = depth.map(|depth| depth + 1);
    out.push(brackets[0]);
    for (nth, (key, value)) in children.iter().enumerate() {
        if nth > 0 {
            out.push(',');
        }
        new_line(out, inner);
        if let Some(key) = key {
            string(out, key);
            out.push_str(if depth.is_some() { ": " } else { ":" });
        }
        put(out, value, inner);
    }
    new_line(out, depth);
    out.push(brackets[1]);
}

/// The entries in the order of a sorted JavaScript object.
fn sorted(map: &Map) -> Vec<(Option<&str>, &Value)> {
    let mut entries: Vec<_> = map
        .iter()
        .map(|entry| (array_index(&entry.key), entry.key.as_str(), &entry.node.value))
        .collect();
    entries.sort_by(|(index, key, _), (other_index, other, _)| match (index, other_index) {
        (Some(one), Some(two)) => one.cmp(two),
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        (None, None) => key.encode_utf16().cmp(other.encode_utf16()),
    });
    entries.into_iter().map(|(_, key, value)| (Some(key), value)).collect()
}

/// Parses a key as an array index: canonical decimal below 2^32 - 1.
fn array_index(key: &str) -> Option<u32> {
    let index: u32 = key.parse().ok()?;
    (index < u32::MAX && index.to_string() == key).then_some(index)
}

/// Writes a string with the escapes of `JSON.stringify`.
pub(super) fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Formats a number as JavaScript does; a number that is not finite becomes `null`.
pub(super) fn number(number: &Number) -> String {
    const EXACT: i128 = 1 << 53;
    match number.integer() {
        Some(0) => "0".to_owned(),
        Some(value) if value.abs() <= EXACT => value.to_string(),
        Some(value) if i64::try_from(value).is_ok() || u64::try_from(value).is_ok() => {
            value.to_string()
        }
        Some(_) | None => float(number.as_f64()),
    }
}

/// Follows ECMAScript's `Number::toString` with the shortest digits that read back the same.
fn float(value: f64) -> String {
    if !value.is_finite() {
        return "null".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let shortest = format!("{:e}", value.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", layout(&digits, exponent))
}

/// Places the decimal point; the first digit has the value `10^exponent`.
fn layout(digits: &str, exponent: i32) -> String {
    let count = digits.len();
    let zeros = |many: usize| "0".repeat(many);
    match usize::try_from(exponent) {
        Ok(whole) if whole < 21 && count <= whole + 1 => {
            format!("{digits}{}", zeros(whole + 1 - count))
        }
        Ok(whole) if whole < 21 => format!("{}.{}", &digits[..=whole], &digits[whole + 1..]),
        Err(_) if exponent >= -6 => {
            let leading = usize::try_from(-exponent - 1).unwrap_or(0);
            format!("0.{}{digits}", zeros(leading))
        }
        Ok(_) | Err(_) => {
            let point = if count > 1 { "." } else { "" };
            let sign = if exponent > 0 { "+" } else { "-" };
            format!("{}{point}{}e{sign}{}", &digits[..1], &digits[1..], exponent.abs())
        }
    }
}
