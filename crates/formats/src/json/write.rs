//! Writes JSON in the style of an existing file.

use std::fmt::Write;

use super::javascript;
use crate::document::Document;
use crate::number::Number;
use crate::value::{MapEntry, Node, Value};

/// The layout of a JSON file.
pub(crate) struct Style {
    /// One level of indentation; `None` if the file is a single line.
    pub(super) unit: Option<String>,
    /// Whether a space follows `:` and `,` within a line.
    pub(super) spaced: bool,
    pub(super) line_end: &'static str,
}

impl Style {
    /// Detects the style from a file's first entry. An empty file gets two spaces, as usual in
    /// JavaScript.
    pub(super) fn of(doc: &Document<'_>) -> Self {
        let line_end = doc.line_end();
        let first = match &doc.root.value {
            Value::Map(map) => map.iter().next().map(|entry| entry.key_span.start()),
            Value::List(items) => items.first().map(|node| node.span.start()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        let Some(first) = first else {
            return Self { unit: Some("  ".to_owned()), spaced: true, line_end };
        };
        let gap = &doc.text[doc.root.span.start() + 1..first];
        let unit = gap.rfind('\n').map(|newline| gap[newline + 1..].to_owned());
        let colon = match &doc.root.value {
            Value::Map(map) => map.iter().next().map(after_colon(doc)),
            Value::List(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                None
            }
        };
        Self { spaced: colon.unwrap_or(unit.is_some()), unit, line_end }
    }

    /// The text after a comma within a line.
    pub(crate) fn blank(&self) -> &'static str {
        if self.spaced { " " } else { "" }
    }
}

fn after_colon<'d>(doc: &'d Document<'_>) -> impl Fn(&MapEntry) -> bool + use<'d> {
    |entry| doc.text[entry.key_span.end()..entry.node.span.start()].ends_with(' ')
}

/// Writes a value, in a map with its key. `indent` is the line's indentation if the value may span
/// lines.
pub(crate) fn element(
    key: Option<&str>,
    value: &Value,
    style: &Style,
    indent: Option<&str>,
) -> String {
    let mut out = String::new();
    if let Some(key) = key {
        javascript::string(&mut out, key);
        out.push(':');
        out.push_str(style.blank());
    }
    put(&mut out, value, style, indent);
    out
}

fn put(out: &mut String, value: &Value, style: &Style, indent: Option<&str>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Number(number) => out.push_str(&self::number(number)),
        Value::String(text) => javascript::string(out, text),
        Value::List(items) => {
            let items = items.iter().map(|Node { value, .. }| (None, value));
            collection(out, ('[', ']'), items, style, indent);
        }
        Value::Map(map) => {
            let entries = map.iter().map(|entry| (Some(entry.key.as_str()), &entry.node.value));
            collection(out, ('{', '}'), entries, style, indent);
        }
    }
}

fn collection<'v>(
    out: &mut String,
    (open, close): (char, char),
    children: impl ExactSizeIterator<Item = (Option<&'v str>, &'v Value)>,
    style: &Style,
    indent: Option<&str>,
) {
    let empty = children.len() == 0;
    let lines = style.unit.as_ref().zip(indent).filter(|_| !empty);
    let inner = lines.map(|(unit, indent)| format!("{indent}{unit}"));
    out.push(open);
    for (nth, (key, value)) in children.enumerate() {
        if nth > 0 {
            out.push(',');
        }
        match &inner {
            Some(inner) => {
                out.push_str(style.line_end);
                out.push_str(inner);
            }
            None if nth > 0 => out.push_str(style.blank()),
            None => {}
        }
        out.push_str(&element(key, value, style, inner.as_deref()));
    }
    if let Some((_, indent)) = lines {
        out.push_str(style.line_end);
        out.push_str(indent);
    }
    out.push(close);
}

/// Keeps a number's text if it is valid JSON.
fn number(number: &Number) -> String {
    if number.is_json() { number.text().to_owned() } else { javascript::number(number) }
}
