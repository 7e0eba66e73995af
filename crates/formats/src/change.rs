//! Splits an edit into changes of single values.

use crate::document::Document;
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::place::Span;
use crate::value::{Map, Node, NodeForm, Value, index};

/// Every change costs a parse, so a value with more differences is rewritten as a whole.
const MAX_CHANGES: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueChange {
    /// Replaces the value at the path.
    Replace { path: Vec<String>, value: Value },
    /// Adds a key to the map at the path.
    Insert { path: Vec<String>, key: String, value: Value },
    /// Adds an item to the list at the path.
    Append { path: Vec<String>, value: Value },
    /// Removes a key or an item from the collection at the path.
    Delete { path: Vec<String>, step: String },
}

/// Returns the changes that make an edit in a tree; none if the tree already matches.
pub(crate) fn plan(
    doc: &Document<'_>,
    root: &Node,
    edit: &Edit,
) -> Result<Vec<ValueChange>, Fault> {
    match edit {
        Edit::Set { path, value } => set(doc, root, path, value),
        Edit::Remove { path } => match path.split_last() {
            None => {
                Err(doc.fault(FaultKind::Edit, Span::at(doc.head), "the root cannot be removed"))
            }
            Some(_) if root.at(path).is_none() => Ok(Vec::new()),
            Some((step, parent)) => {
                Ok(vec![ValueChange::Delete { path: parent.to_vec(), step: step.clone() }])
            }
        },
    }
}

fn set(
    doc: &Document<'_>,
    root: &Node,
    path: &[String],
    value: &Value,
) -> Result<Vec<ValueChange>, Fault> {
    let (mut node, mut depth) = (root, 0);
    while let Some(below) = path.get(depth).and_then(|step| node.child(step)) {
        (node, depth) = (below, depth + 1);
    }
    let Some((step, rest)) = path[depth..].split_first() else {
        let mut changes = Vec::new();
        differences(path, node, value, &mut changes);
        if changes.len() > MAX_CHANGES {
            changes = vec![ValueChange::Replace { path: path.to_vec(), value: value.clone() }];
        }
        return Ok(changes);
    };
    let nested =
        rest.iter().rev().fold(value.clone(), |inner, key| Value::map([(key.clone(), inner)]));
    let path = path[..depth].to_vec();
    match &node.value {
        Value::Map(_) => Ok(vec![ValueChange::Insert { path, key: step.clone(), value: nested }]),
        Value::Null => {
            let value = Value::map([(step.clone(), nested)]);
            Ok(vec![ValueChange::Replace { path, value }])
        }
        Value::List(items) if index(step) == Some(items.len()) => {
            Ok(vec![ValueChange::Append { path, value: nested }])
        }
        Value::List(items) => {
            let what = format!("`{step}` is no index of a list of {}", items.len());
            Err(doc.fault(FaultKind::Edit, Span::at(node.span.start()), what))
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let kind = node.value.type_name();
            let what = format!("`{}` is {kind}, so it has no `{step}`", path.join("."));
            Err(doc.fault(FaultKind::Edit, Span::at(node.span.start()), what).expecting("a map"))
        }
    }
}

/// Lists the changes that turn `old` into `new`, entry by entry if both are collections.
fn differences(path: &[String], old: &Node, new: &Value, changes: &mut Vec<ValueChange>) {
    if old.value == *new {
        return;
    }
    match (&old.value, new) {
        (Value::Map(olds), Value::Map(news)) if mergeable(old, new) => {
            map_differences(path, olds, news, changes);
        }
        (Value::List(olds), Value::List(news)) if mergeable(old, new) => {
            list_differences(path, olds, news, changes);
        }
        _ => changes.push(ValueChange::Replace { path: path.to_vec(), value: new.clone() }),
    }
}

fn mergeable(old: &Node, new: &Value) -> bool {
    old.form != NodeForm::Alias && old.value.is_filled() && new.is_filled()
}

fn map_differences(path: &[String], olds: &Map, news: &Map, changes: &mut Vec<ValueChange>) {
    let (in_olds, in_news) = (olds.by_key(), news.by_key());
    for entry in news {
        match in_olds.get(entry.key.as_str()) {
            Some(old) => differences(&below(path, &entry.key), old, &entry.node.value, changes),
            None => changes.push(ValueChange::Insert {
                path: path.to_vec(),
                key: entry.key.clone(),
                value: entry.node.value.clone(),
            }),
        }
    }
    // Removals go last, so that the map never becomes empty in between.
    for entry in olds.iter().filter(|entry| !in_news.contains_key(entry.key.as_str())) {
        changes.push(ValueChange::Delete { path: path.to_vec(), step: entry.key.clone() });
    }
}

fn list_differences(path: &[String], olds: &[Node], news: &[Node], changes: &mut Vec<ValueChange>) {
    for (at, (old, new)) in olds.iter().zip(news).enumerate() {
        differences(&below(path, &at.to_string()), old, &new.value, changes);
    }
    for new in news.iter().skip(olds.len()) {
        changes.push(ValueChange::Append { path: path.to_vec(), value: new.value.clone() });
    }
    for at in (news.len()..olds.len()).rev() {
        changes.push(ValueChange::Delete { path: path.to_vec(), step: at.to_string() });
    }
}

fn below(path: &[String], step: &str) -> Vec<String> {
    path.iter().cloned().chain([step.to_owned()]).collect()
}
