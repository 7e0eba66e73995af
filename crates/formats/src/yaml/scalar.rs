//! Writes scalars so that no reader misreads them.

use std::fmt::Write;

use super::schema;
use crate::value::{NodeForm, Value};

/// The position of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarContext {
    /// After a key or a dash.
    Block,
    /// In brackets, where `,` and `]` end it.
    Flow,
}

/// Writes a null, boolean, number, string or empty collection on one line.
///
/// A string keeps its form if possible, else it becomes plain or double-quoted.
pub(super) fn write(value: &Value, old: NodeForm, context: ScalarContext) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.text().to_owned(),
        Value::String(text) => string(text, old, context),
        Value::List(_) => "[]".to_owned(),
        Value::Map(_) => "{}".to_owned(),
    }
}

pub(super) fn key(text: &str, context: ScalarContext) -> String {
    string(text, NodeForm::Plain, context)
}

fn string(text: &str, old: NodeForm, context: ScalarContext) -> String {
    match old {
        NodeForm::Single if text.chars().all(|c| c == ' ' || !needs_escape(c)) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        NodeForm::Single | NodeForm::Double => quoted(text),
        NodeForm::Absent
        | NodeForm::Plain
        | NodeForm::BlockScalar
        | NodeForm::Block
        | NodeForm::Flow
        | NodeForm::Alias => {
            if is_plain(text, context) {
                text.to_owned()
            } else {
                quoted(text)
            }
        }
    }
}

/// Returns whether a string needs no quotes.
fn is_plain(text: &str, context: ScalarContext) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let begins = first.is_alphanumeric() || "_/.+".contains(first);
    let flow_end = |c: char| context == ScalarContext::Flow && ",[]{}:\"'".contains(c);
    begins
        && !schema::misreadable(text)
        && !text.chars().any(|c| needs_escape(c) || flow_end(c))
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.starts_with("...")
}

/// Returns whether a character is invisible or unsafe to copy.
pub(super) fn needs_escape(c: char) -> bool {
    let code = u32::from(c);
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{85}')
        || (0xfdd0..=0xfdef).contains(&code)
        || code & 0xfffe == 0xfffe
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if needs_escape(c) => escape(&mut out, u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, code: u32) {
    // Writing to a string cannot fail.
    let _ = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// Writes a text as a literal block scalar, or returns `None` if that is not possible.
pub(super) fn literal(text: &str, indent: &str, line_end: &str) -> Option<String> {
    let body = text.trim_end_matches('\n');
    let fits = !body.is_empty()
        && !body.starts_with([' ', '\n'])
        && !body.chars().any(|c| !matches!(c, '\n' | '\t') && needs_escape(c))
        && !body.split('\n').any(|line| line.starts_with('\t'))
        && body.split('\n').all(|line| line.is_empty() || !line.trim().is_empty());
    if !fits {
        return None;
    }
    let (header, blank_lines) = match text.len() - body.len() {
        0 => ("|-", 0),
        1 => ("|", 0),
        more => ("|+", more - 1),
    };
    let mut out = header.to_owned();
    for line in body.split('\n') {
        out.push_str(line_end);
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
    }
    out.push_str(&line_end.repeat(blank_lines));
    Some(out)
}
