//! sprag's own documents: plain values of `core` in YAML that people may edit, too.
//!
//! A [`StoredFile`] parses a text into [`Plain`] values. Changes are written back as edits by path,
//! so that comments, order and keys of a later version stay. Without a change, no byte changes.

use std::cell::OnceCell;

use sprag_core::{Plain, Splice, Unreadable};

use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::json::to_json;
use crate::number::Number;
use crate::place::Span;
use crate::value::{Map, Node, Value};
use crate::yaml::{simple, to_yaml};

/// One of sprag's own documents, with its values.
#[derive(Debug)]
pub struct StoredFile<'t> {
    format: Format,
    text: &'t str,
    plain: Plain,
    /// The positions of the values, parsed on first use: most files are only read.
    document: OnceCell<Document<'t>>,
}

/// Writes plain values as a new file. Empty values (null, false, empty collections) are left out.
pub fn new_file(plain: &Plain) -> String {
    to_yaml(&to_value(plain))
}

/// Writes plain values as a new JSON file, also without empty values.
pub fn new_json_file(plain: &Plain) -> String {
    to_json(&to_value(plain))
}

impl<'t> StoredFile<'t> {
    /// Parses a YAML text.
    pub fn parse(text: &'t str) -> Result<Self, Fault> {
        match simple::read(text) {
            Some(plain) => {
                Ok(Self { format: Format::Yaml, text, plain, document: OnceCell::new() })
            }
            None => Self::parse_as(Format::Yaml, text),
        }
    }

    /// Parses a JSON text.
    pub fn parse_json(text: &'t str) -> Result<Self, Fault> {
        Self::parse_as(Format::Json, text)
    }

    fn parse_as(format: Format, text: &'t str) -> Result<Self, Fault> {
        let document = Document::parse(format, text)?;
        let plain = to_plain(document.root());
        Ok(Self { format, text, plain, document: OnceCell::from(document) })
    }

    /// The document with the positions of the values.
    pub fn document(&self) -> Result<&Document<'t>, Fault> {
        if let Some(document) = self.document.get() {
            return Ok(document);
        }
        let document = Document::parse(self.format, self.text)?;
        Ok(self.document.get_or_init(|| document))
    }

    pub fn plain(&self) -> &Plain {
        &self.plain
    }

    /// Converts an error about a value into a fault at its position in the file.
    pub fn fault(&self, unreadable: &Unreadable) -> Fault {
        let what = match unreadable.at.as_str() {
            "" => unreadable.why.clone(),
            at => format!("`{at}`: {}", unreadable.why),
        };
        match self.document() {
            Ok(document) => {
                document.fault(FaultKind::Type, locate(document.root(), &unreadable.at), what)
            }
            Err(fault) => fault,
        }
    }

    /// Returns the splices that change the file from `before`, the form in which it was read, to
    /// `after`. Keys that neither of them contains stay.
    pub fn edit(&self, before: &Plain, after: &Plain) -> Result<Vec<Splice>, Fault> {
        let mut edits = Vec::new();
        differ(&mut Vec::new(), Some(&self.plain), before, after, &mut edits);
        self.document()?.edit(&edits)
    }
}

/// Adds the edits from `before` to `after`, entry by entry where both have the entry; `there` is
/// the value at this place in the file.
fn differ(
    path: &mut Vec<String>,
    there: Option<&Plain>,
    before: &Plain,
    after: &Plain,
    edits: &mut Vec<Edit>,
) {
    if before == after || (is_nothing(before) && is_nothing(after)) {
        return;
    }
    match (before, after) {
        _ if is_nothing(after) && !path.is_empty() => edits.push(Edit::remove(path.clone())),
        (Plain::Map(old), Plain::Map(new)) if !old.is_empty() && !is_older(there, old) => {
            let keys = new.iter().chain(old.iter().filter(|(key, _)| find(new, key).is_none()));
            for (key, _) in keys {
                let of = |map| find(map, key).unwrap_or(&Plain::Null);
                path.push(key.clone());
                differ(path, entry(there, key), of(old), of(new), edits);
                path.pop();
            }
        }
        (Plain::List(old), Plain::List(new)) if !old.is_empty() => {
            for (at, item) in new.iter().enumerate() {
                path.push(at.to_string());
                match old.get(at) {
                    // An item keeps its index, so it is not removed for being empty.
                    Some(was) if is_nothing(was) || is_nothing(item) => {
                        if was != item {
                            edits.push(Edit::set(path.clone(), to_value(item)));
                        }
                    }
                    Some(was) => differ(path, nth(there, at), was, item, edits),
                    None => edits.push(Edit::set(path.clone(), to_value(item))),
                }
                path.pop();
            }
            for at in (new.len()..old.len()).rev() {
                path.push(at.to_string());
                edits.push(Edit::remove(path.clone()));
                path.pop();
            }
        }
        (
            Plain::Null
            | Plain::Bool(_)
            | Plain::Int(_)
            | Plain::Other(_)
            | Plain::Text(_)
            | Plain::List(_)
            | Plain::Map(_),
            _,
        ) => edits.push(Edit::set(path.clone(), to_value(after))),
    }
}

/// Returns whether a tagged value is missing from the file or has the name of an older version
/// there. An edit would leave the old key beside the new one, and a value with two tags is invalid.
fn is_older(there: Option<&Plain>, read: &[(String, Plain)]) -> bool {
    match (there, read) {
        (None, [_]) => true,
        (Some(Plain::Map(there)), [(kind, _)]) => {
            matches!(&there[..], [(older, _)] if older != kind)
        }
        (None | Some(_), _) => false,
    }
}

fn entry<'p>(there: Option<&'p Plain>, key: &str) -> Option<&'p Plain> {
    let Some(Plain::Map(entries)) = there else { return None };
    find(entries, key)
}

fn nth(there: Option<&Plain>, at: usize) -> Option<&Plain> {
    let Some(Plain::List(items)) = there else { return None };
    items.get(at)
}

fn find<'p>(map: &'p [(String, Plain)], key: &str) -> Option<&'p Plain> {
    map.iter().find(|(found, _)| found == key).map(|(_, value)| value)
}

/// Returns whether a missing key has the same meaning.
fn is_nothing(plain: &Plain) -> bool {
    match plain {
        Plain::Null | Plain::Bool(false) => true,
        Plain::Bool(true) | Plain::Int(_) | Plain::Other(_) | Plain::Text(_) => false,
        Plain::List(items) => items.is_empty(),
        Plain::Map(entries) => entries.is_empty(),
    }
}

/// Converts the value of one of sprag's own documents, where a missing key means an empty value.
fn to_value(plain: &Plain) -> Value {
    convert(plain, &|value| !is_nothing(value))
}

/// Converts a value with all its keys: other programs' data is kept complete.
pub(crate) fn to_whole_value(plain: &Plain) -> Value {
    convert(plain, &|_| true)
}

fn convert(plain: &Plain, stays: &dyn Fn(&Plain) -> bool) -> Value {
    match plain {
        Plain::Null => Value::Null,
        Plain::Bool(value) => Value::Bool(*value),
        Plain::Int(value) => number(&value.to_string()),
        Plain::Other(text) => number(text),
        Plain::Text(text) => Value::String(text.clone()),
        Plain::List(items) => Value::list(items.iter().map(|item| convert(item, stays))),
        Plain::Map(entries) => {
            let filled = entries.iter().filter(|(_, value)| stays(value));
            let filled = filled.map(|(key, value)| (key.clone(), convert(value, stays)));
            Value::Map(filled.collect::<Map>())
        }
    }
}

/// Parses a number's text, which always comes from a number.
fn number(text: &str) -> Value {
    Number::parse(text).map_or(Value::Null, Value::Number)
}

/// Returns the plain values of a parsed tree.
pub fn to_plain(node: &Node) -> Plain {
    match &node.value {
        Value::Null => Plain::Null,
        Value::Bool(value) => Plain::Bool(*value),
        Value::Number(number) => of_number(number),
        Value::String(text) => Plain::Text(text.clone()),
        Value::List(items) => Plain::List(items.iter().map(to_plain).collect()),
        Value::Map(map) => {
            let entries = map.iter().map(|entry| (entry.key.clone(), to_plain(&entry.node)));
            Plain::Map(entries.collect())
        }
    }
}

/// Returns the plain value of a parsed number.
pub(crate) fn of_number(number: &Number) -> Plain {
    number.integer().map_or_else(|| Plain::Other(number.text().to_owned()), Plain::Int)
}

/// Returns the bytes of the value at a place such as `attempts[0].spent`, or of its nearest
/// existing parent. A key may itself contain dots, so the longest matching key is used.
pub(crate) fn locate(root: &Node, at: &str) -> Span {
    let (mut node, mut rest) = (root, at);
    loop {
        let step = rest.strip_prefix('.').unwrap_or(rest);
        let found = match &node.value {
            Value::Map(map) => map
                .iter()
                .filter_map(|entry| Some((&entry.node, step.strip_prefix(entry.key.as_str())?)))
                .filter(|(_, left)| left.is_empty() || left.starts_with(['.', '[']))
                .min_by_key(|(_, left)| left.len()),
            Value::List(items) => step.strip_prefix('[').and_then(|step| {
                let (index, left) = step.split_once(']')?;
                Some((items.get(index.parse::<usize>().ok()?)?, left))
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        match found {
            Some((below, left)) if !rest.is_empty() => (node, rest) = (below, left),
            Some(_) | None => return node.span,
        }
    }
}

#[cfg(test)]
mod tests;
