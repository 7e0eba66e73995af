//! Writes JSON in the style of a file that is there.

use std::fmt::Write;

use super::javascript;
use crate::document::Document;
use crate::number::Number;
use crate::value::{Entry, Node, Value};

/// How a JSON file is laid out.
pub(crate) struct Style {
    /// One level of indentation; none when the file is one line.
    pub(super) unit: Option<String>,
    /// A blank after `:` and `,` in one line.
    pub(super) spaced: bool,
    /// The line end.
    pub(super) line_end: &'static str,
}

impl Style {
    /// Looks at a file's first entry; an empty one gets two blanks, as JavaScript is asked to.
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

    /// Returns what stands after a comma in one line.
    pub(crate) fn blank(&self) -> &'static str {
        if self.spaced { " " } else { "" }
    }
}

fn after_colon<'d>(doc: &'d Document<'_>) -> impl Fn(&Entry) -> bool + use<'d> {
    |entry| doc.text[entry.key_span.end()..entry.node.span.start()].ends_with(' ')
}

/// Writes a value, with its key in a map; `indent` is that of its line when it may span lines.
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

/// Keeps a number's text where JSON can hold it.
fn number(number: &Number) -> String {
    if number.is_json() { number.text().to_owned() } else { javascript::number(number) }
}
