//! Edits a JSON file in place.

use sprag_core::Splice;

use super::write::{Style, element};
use crate::change::ValueChange;
use crate::document::Document;
use crate::fault::{Fault, FaultKind};
use crate::flow::{self, Pen};
use crate::place::Span;
use crate::value::{Node, Value, index};

/// Returns the splices for one change in a JSON document.
pub(crate) fn change(doc: &Document<'_>, change: &ValueChange) -> Result<Vec<Splice>, Fault> {
    let style = Style::of(doc);
    match change {
        ValueChange::Replace { path, value } => {
            Ok(vec![replace(doc, find(doc, path)?, value, &style)])
        }
        ValueChange::Insert { path, key, value } => {
            let node = find(doc, path)?;
            if bare(node) {
                let value = Value::map([(key.clone(), value.clone())]);
                return Ok(vec![replace(doc, node, &value, &style)]);
            }
            Ok(vec![flow::insert(doc.text, node, Some(key), value, &Pen::Json(style))])
        }
        ValueChange::Append { path, value } => {
            let node = find(doc, path)?;
            if bare(node) {
                let value = Value::List(vec![Node::from(value.clone())]);
                return Ok(vec![replace(doc, node, &value, &style)]);
            }
            Ok(vec![flow::insert(doc.text, node, None, value, &Pen::Json(style))])
        }
        ValueChange::Delete { path, step } => {
            let node = find(doc, path)?;
            let nth = match &node.value {
                Value::Map(map) => map.iter().position(|entry| entry.key == *step),
                Value::List(_) => index(step),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
            };
            let nth = nth.filter(|&nth| nth < flow::count(node));
            nth.map(|nth| flow::remove(doc.text, node, nth)).ok_or_else(|| gone(doc))
        }
    }
}

fn find<'d>(doc: &'d Document<'_>, path: &[String]) -> Result<&'d Node, Fault> {
    doc.root.at(path).ok_or_else(|| gone(doc))
}

fn gone(doc: &Document<'_>) -> Fault {
    doc.fault(FaultKind::Guard, Span::at(doc.head), "there is no such value any more")
}

/// Returns whether a collection is written as two adjacent brackets.
fn bare(node: &Node) -> bool {
    node.span.range().len() == 2 && !node.value.is_filled()
}

fn replace(doc: &Document<'_>, node: &Node, value: &Value, style: &Style) -> Splice {
    let line = doc.text[..node.span.start()].rfind('\n').map_or(doc.head, |newline| newline + 1);
    let before = &doc.text[line..node.span.start()];
    let indent = &before[..before.len() - before.trim_start_matches([' ', '\t']).len()];
    Splice { range: node.span.range(), text: element(None, value, style, Some(indent)) }
}
