//! Shared helpers: editing texts, and the length of the test runs.

use sprag_formats::{Document, Edit, Fault, Format, Node, Value};

/// Returns whether the long forms of the tests are turned on.
#[expect(clippy::disallowed_methods, reason = "the long form of a test is asked for by hand")]
pub(crate) fn long() -> bool {
    std::env::var_os("SPRAG_LONG").is_some_and(|value| value == "1")
}

/// Joins lines that are made from their numbers.
pub(crate) fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

pub(crate) fn parse(format: Format, text: &str) -> Document<'_> {
    Document::parse(format, text).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

pub(crate) fn fault(format: Format, text: &str) -> Fault {
    match Document::parse(format, text) {
        Ok(doc) => panic!("read as {:?}:\n{text}", doc.root().value),
        Err(fault) => fault,
    }
}

/// Makes edits and returns the new text.
pub(crate) fn edited(format: Format, text: &str, edits: &[Edit]) -> String {
    match try_edit(format, text, edits) {
        Ok(text) => text,
        Err(fault) => panic!("{fault}\n{edits:?}\n{text}"),
    }
}

pub(crate) fn try_edit(format: Format, text: &str, edits: &[Edit]) -> Result<String, Fault> {
    let splices = parse(format, text).edit(edits)?;
    Ok(sprag_core::apply(text, &splices).unwrap())
}

pub(crate) fn yaml_set(text: &str, path: &[&str], value: impl Into<Value>) -> String {
    edited(Format::Yaml, text, &[Edit::set(path.iter().copied(), value)])
}

pub(crate) fn yaml_remove(text: &str, path: &[&str]) -> String {
    edited(Format::Yaml, text, &[Edit::remove(path.iter().copied())])
}

/// Returns the expected tree after an edit, from a separate and simple implementation.
pub(crate) fn expected(root: &Value, edit: &Edit) -> Value {
    match edit {
        Edit::Set { path, value } => with(root, path, Some(value)),
        Edit::Remove { path } => with(root, path, None),
    }
}

fn with(node: &Value, path: &[String], value: Option<&Value>) -> Value {
    let Some((step, rest)) = path.split_first() else { return value.unwrap().clone() };
    let below = |node: Option<&Node>| {
        let node = node.map_or(Value::Null, |node| node.value.clone());
        if rest.is_empty() && value.is_none() { None } else { Some(with(&node, rest, value)) }
    };
    match node {
        Value::List(items) => {
            let at: usize = step.parse().unwrap();
            let mut out: Vec<Value> = items.iter().map(|node| node.value.clone()).collect();
            match below(items.get(at)) {
                Some(new) if at == out.len() => out.push(new),
                Some(new) => out[at] = new,
                None => drop(out.remove(at)),
            }
            Value::list(out)
        }
        Value::Map(map) => {
            let mut pairs: Vec<(String, Value)> =
                map.iter().map(|entry| (entry.key.clone(), entry.node.value.clone())).collect();
            let at = pairs.iter().position(|(key, _)| key == step);
            match (at, below(map.get(step))) {
                (Some(at), Some(new)) => pairs[at].1 = new,
                (Some(at), None) => drop(pairs.remove(at)),
                (None, Some(new)) => pairs.push((step.clone(), new)),
                (None, None) => {}
            }
            Value::map(pairs)
        }
        Value::Null if value.is_some() => Value::map([(step.clone(), below(None).unwrap())]),
        other => other.clone(),
    }
}
