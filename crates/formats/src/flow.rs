//! Edits collections in brackets: all of JSON, and the flow style of YAML.

use std::ops::Range;

use sprag_core::Splice;

use crate::json::Style;
use crate::value::{Node, NodeForm, Value};
use crate::{json, yaml};

/// The style in which values are written between brackets.
pub(crate) enum Pen {
    /// YAML, always on one line.
    Yaml,
    /// JSON, in the style of the file.
    Json(Style),
}

impl Pen {
    fn text(&self, key: Option<&str>, value: &Value, indent: Option<&str>) -> String {
        match (self, key) {
            (Self::Yaml, Some(key)) => yaml::flow_entry(key, value),
            (Self::Yaml, None) => yaml::flow(value),
            (Self::Json(style), _) => json::element(key, value, style, indent),
        }
    }

    fn blank(&self) -> &str {
        match self {
            Self::Yaml => " ",
            Self::Json(style) => style.blank(),
        }
    }
}

/// Appends a key or an item to a collection in brackets.
pub(crate) fn insert(
    text: &str,
    node: &Node,
    key: Option<&str>,
    value: &Value,
    pen: &Pen,
) -> Splice {
    let count = count(node);
    let Some(last) = count.checked_sub(1) else {
        let at = node.span.start() + 1;
        return Splice { range: at..at, text: pen.text(key, value, None) };
    };
    let end = child(text, node, last).end;
    let start = child(text, node, last).start;
    let line = text[..start].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
    let indent = &text[line..start];
    if line > node.span.start() && is_space(indent) {
        let break_at = text[..line].trim_end_matches(['\n', '\r']).len();
        let line_end = &text[break_at..line];
        let line_end = if line_end.starts_with("\r\n") { "\r\n" } else { &line_end[..1] };
        let text = format!(",{line_end}{indent}{}", pen.text(key, value, Some(indent)));
        return Splice { range: end..end, text };
    }
    let blank = match last.checked_sub(1).map(|before| child(text, node, before).end) {
        Some(before) => text[before..start].strip_prefix(',').filter(|gap| is_space(gap)),
        None => None,
    };
    let blank = blank.unwrap_or(pen.blank());
    Splice { range: end..end, text: format!(",{blank}{}", pen.text(key, value, None)) }
}

/// Removes a child from a collection in brackets, with one comma.
pub(crate) fn remove(text: &str, node: &Node, nth: usize) -> Vec<Splice> {
    let gone = child(text, node, nth);
    let last = count(node) - 1;
    let cut = |range: Range<usize>| vec![Splice { range, text: String::new() }];
    if last == 0 {
        return cut(only(text, node, &gone));
    }
    if nth < last {
        let next = child(text, node, nth + 1).start;
        let gap = &text[gone.end..next];
        if gap.contains('#') {
            let comma = gap.find(',').map_or(gone.end, |at| gone.end + at + 1);
            return cut(gone.start..comma);
        }
        return cut(gone.start..next);
    }
    let before = child(text, node, nth - 1).end;
    if text[before..gone.start].contains('#') {
        return cut(gone);
    }
    cut(before..gone.end)
}

/// Returns the bytes to remove with the only child: its lines, or the blanks before it.
fn only(text: &str, node: &Node, gone: &Range<usize>) -> Range<usize> {
    let (open, close) = (node.span.start() + 1, node.span.end() - 1);
    let after = text[gone.end..close].trim_start();
    let comma = after.starts_with(',').then(|| close - after.len() + 1);
    let end = comma.unwrap_or(gone.end);
    let (left, right) = (&text[open..gone.start], &text[end..close]);
    if !is_space(left) {
        return gone.start..end;
    }
    let own_lines = left.contains('\n') && right.contains('\n') && is_space(right);
    open..if own_lines { close } else { end }
}

/// The number of children of a collection.
pub(crate) fn count(node: &Node) -> usize {
    match &node.value {
        Value::Map(map) => map.len(),
        Value::List(items) => items.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The bytes of a child, including its key.
fn child(text: &str, node: &Node, nth: usize) -> Range<usize> {
    let Value::Map(map) = &node.value else {
        let Value::List(items) = &node.value else { return node.span.range() };
        return items.get(nth).map_or(node.span.range(), |item| item.span.range());
    };
    let Some(entry) = map.iter().nth(nth) else { return node.span.range() };
    let end = if entry.node.form == NodeForm::Absent {
        let gap = text[entry.key_span.end()..].bytes().take_while(|&byte| byte == b' ').count();
        let colon = entry.key_span.end() + gap;
        if text[colon..].starts_with(':') { colon + 1 } else { entry.key_span.end() }
    } else {
        entry.node.span.end()
    };
    entry.key_span.start()..end.max(entry.key_span.end())
}

fn is_space(text: &str) -> bool {
    text.bytes().all(|byte| b" \t\r\n".contains(&byte))
}
