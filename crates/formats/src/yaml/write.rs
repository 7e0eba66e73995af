//! Writes collections: by indentation for people, in brackets inside brackets.

use super::scalar::{self, ScalarContext};
use crate::value::{Node, NodeForm, Value};

/// The indentation style of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Columns from a key to the keys below it.
    pub(super) step: usize,
    /// Columns from a key to the dashes below it.
    pub(super) dash: usize,
    pub(super) line_end: &'static str,
    /// Whether a text of several lines becomes a block scalar.
    pub(super) scalars: BlockScalars,
}

/// The form of a text of several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockScalars {
    /// A block scalar, if the text allows it.
    Yes,
    /// In quotes, on one line.
    No,
}

/// Writes a value as a new YAML file.
pub fn to_yaml(value: &Value) -> String {
    let style = Style { step: 2, dash: 2, line_end: "\n", scalars: BlockScalars::Yes };
    let mut text = if value.is_filled() {
        block(value, 0, style)
    } else {
        scalar::write(value, NodeForm::Plain, ScalarContext::Block)
    };
    text.push('\n');
    text
}

/// Writes a list or map that is not empty from `column` on; its first line has no indentation.
pub(super) fn block(value: &Value, column: usize, style: Style) -> String {
    let lines: Vec<String> = match value {
        Value::Map(map) => map
            .iter()
            .map(|entry| self::entry(&entry.key, &entry.node.value, column, style))
            .collect(),
        Value::List(items) => items.iter().map(|node| item(&node.value, column, style)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    lines.join(&format!("{}{}", style.line_end, " ".repeat(column)))
}

/// Writes a key and its value; the key is at `column`.
pub(super) fn entry(key: &str, value: &Value, column: usize, style: Style) -> String {
    format!("{}:{}", scalar::key(key, ScalarContext::Block), after_key(value, column, style))
}

/// Writes the text after the colon of a key at `column`.
pub(super) fn after_key(value: &Value, column: usize, style: Style) -> String {
    if !value.is_filled() {
        return format!(" {}", simple(value, column + style.step, style));
    }
    let column = column + if matches!(value, Value::List(_)) { style.dash } else { style.step };
    format!("{}{}{}", style.line_end, " ".repeat(column), block(value, column, style))
}

/// Writes an item with its dash at `column`.
pub(super) fn item(value: &Value, column: usize, style: Style) -> String {
    format!("- {}", after_dash(value, column, style))
}

/// Writes the text after `- `; a collection starts in the same line.
pub(super) fn after_dash(value: &Value, column: usize, style: Style) -> String {
    if value.is_filled() {
        block(value, column + 2, style)
    } else {
        simple(value, column + 2, style)
    }
}

/// Writes a scalar or an empty collection; a text of several lines becomes a block at `column`.
fn simple(value: &Value, column: usize, style: Style) -> String {
    let lines = match value {
        // At the very end of a file, readers disagree on the number of empty lines.
        Value::String(text) if text.contains('\n') && !text.ends_with("\n\n") => {
            match style.scalars {
                BlockScalars::Yes => scalar::literal(text, &" ".repeat(column), style.line_end),
                BlockScalars::No => None,
            }
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::List(_)
        | Value::Map(_) => None,
    };
    lines.unwrap_or_else(|| scalar::write(value, NodeForm::Plain, ScalarContext::Block))
}

/// Writes a value in brackets, on one line.
pub(crate) fn flow(value: &Value) -> String {
    match value {
        Value::Map(map) if !map.is_empty() => {
            let entries: Vec<String> =
                map.iter().map(|entry| flow_entry(&entry.key, &entry.node.value)).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::List(items) if !items.is_empty() => {
            let items: Vec<String> = items.iter().map(|Node { value, .. }| flow(value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::List(_)
        | Value::Map(_) => scalar::write(value, NodeForm::Plain, ScalarContext::Flow),
    }
}

/// Writes a key and its value in brackets.
pub(crate) fn flow_entry(key: &str, value: &Value) -> String {
    format!("{}: {}", scalar::key(key, ScalarContext::Flow), flow(value))
}
