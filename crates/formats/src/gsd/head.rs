//! Front matter, read line by line as the original does, and as YAML as sprag does.

use sprag_core::Plain;
use sprag_core::gsd::{Quirk, QuirkReader};
use sprag_core::workflow::javascript;

use super::scan::{is_word, skip_space, take};
use crate::document::{Document, Format};
use crate::fault::Fault;
use crate::stored::to_plain;

/// The front matter of a document, with every scalar as a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    /// The keys with their values, in order.
    pub entries: Vec<(String, Plain)>,
    /// Why the text is not valid YAML, if it is not.
    pub fault: Option<Fault>,
}

impl FrontMatter {
    /// Reads the front matter of a document, or returns `None` if it has none.
    pub fn read(text: &str, reader: &mut QuirkReader<usize>) -> Option<Self> {
        let (from, lines, _) = split(text)?;
        let theirs = Plain::Map(by_lines(lines));
        let (ours, fault) = match yaml(text) {
            Ok(ours) => (ours, None),
            // Invalid YAML is read as the original does, and the fault is kept.
            Err(fault) => (theirs.clone(), Some(fault)),
        };
        let differs = ours != sorted_as(&theirs, &ours);
        let read = if differs && !reader.mends(Quirk::FrontMatter, from) { theirs } else { ours };
        let Plain::Map(entries) = read else { return Some(Self { entries: Vec::new(), fault }) };
        Some(Self { entries, fault })
    }

    pub fn get(&self, key: &str) -> Option<&Plain> {
        self.entries.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// The text of a key, or an empty string.
    pub fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Some(Plain::Text(text)) => text,
            Some(_) | None => "",
        }
    }

    /// The items of a list; a single text is a list of one.
    pub fn items(&self, key: &str) -> &[Plain] {
        match self.get(key) {
            Some(Plain::List(items)) => items,
            Some(one @ Plain::Text(text)) if !text.is_empty() => std::slice::from_ref(one),
            Some(_) | None => &[],
        }
    }
}

/// Returns the entries of `map` in the order of `other`, because order has no meaning here.
fn sorted_as(map: &Plain, other: &Plain) -> Plain {
    let (Plain::Map(map), Plain::Map(other)) = (map, other) else { return map.clone() };
    let place = |key: &String| other.iter().position(|(known, _)| known == key);
    let mut map = map.clone();
    map.sort_by_key(|(key, _)| place(key).unwrap_or(usize::MAX));
    Plain::Map(map)
}

/// Reads the front matter as YAML, with every scalar as a text.
fn yaml(text: &str) -> Result<Plain, Fault> {
    let document = Document::parse(Format::FrontMatter, skip_space(text))?;
    Ok(match to_plain(document.root()) {
        Plain::Map(entries) => {
            Plain::Map(entries.iter().map(|(key, value)| (key.clone(), flat(value))).collect())
        }
        Plain::Null
        | Plain::Bool(_)
        | Plain::Int(_)
        | Plain::Other(_)
        | Plain::Text(_)
        | Plain::List(_) => Plain::Map(Vec::new()),
    })
}

/// Returns a value with every scalar as a text. Null becomes an empty list, as in the original.
pub fn flat(value: &Plain) -> Plain {
    match value {
        Plain::Null => Plain::List(Vec::new()),
        Plain::Bool(yes) => Plain::Text(yes.to_string()),
        Plain::Int(number) => Plain::Text(number.to_string()),
        Plain::Other(text) | Plain::Text(text) => Plain::Text(text.clone()),
        Plain::List(items) => Plain::List(items.iter().map(flat).collect()),
        Plain::Map(entries) => {
            Plain::Map(entries.iter().map(|(key, value)| (key.clone(), flat(value))).collect())
        }
    }
}

/// Splits a document as the original does: returns the start of the front matter, its lines, and
/// the start of the body.
fn split(text: &str) -> Option<(usize, &str, usize)> {
    let trimmed = skip_space(text);
    let start = text.len() - trimmed.len();
    let first = trimmed.strip_prefix("---")?.find('\n')? + 3;
    let from = start + first + 1;
    let end = from + text[from..].find("\n---")?;
    let rest = &text[end + 4..];
    Some((from, &text[from..end], end + 4 + rest.len() - rest.trim_start_matches('\n').len()))
}

/// Returns the body of a document, and its start.
pub(super) fn body(text: &str) -> (usize, &str) {
    let from = split(text).map_or(0, |(_, _, body)| body);
    (from, &text[from..])
}

/// Reads lines as the original does: two levels, all scalars as texts.
fn by_lines(text: &str) -> Vec<(String, Plain)> {
    let mut found = ByLines::default();
    for line in text.split('\n') {
        found.line(line);
    }
    found.close();
    found.entries
}

#[derive(Default)]
struct ByLines {
    entries: Vec<(String, Plain)>,
    /// The key whose list may continue, even after a meaningless line.
    key: Option<String>,
    /// Its items, while they follow each other.
    items: Option<Vec<Plain>>,
    /// The map at the end of the items.
    object: Vec<(String, Plain)>,
}

impl ByLines {
    fn line(&mut self, line: &str) {
        let nested = line.strip_prefix("    ").and_then(key_value);
        if let (Some((key, value)), false) = (nested, self.object.is_empty()) {
            put(&mut self.object, key, Plain::Text(javascript::trim(value).to_owned()));
            return;
        }
        let item = line.strip_prefix("  -").filter(|rest| !rest.contains('\r'));
        if let (Some(item), true) = (item, self.key.is_some()) {
            self.close_object();
            self.item(javascript::trim(item));
            return;
        }
        self.close();
        if let Some((key, value)) = key_value(line) {
            self.value(key, javascript::trim(value));
        }
    }

    fn item(&mut self, item: &str) {
        let items = self.items.get_or_insert_default();
        match key_value(item) {
            Some((key, value)) => {
                let value = Plain::Text(javascript::trim(value).to_owned());
                self.object = vec![(key.to_owned(), value)];
            }
            None => items.push(Plain::Text(unquoted(item).to_owned())),
        }
    }

    fn value(&mut self, key: &str, value: &str) {
        let inside = value.strip_prefix('[').and_then(|value| value.strip_suffix(']'));
        self.key = None;
        match inside.map(|inside| (value, javascript::trim(inside))) {
            Some(("[]", _)) => self.open(key),
            None if value.is_empty() => self.open(key),
            Some((_, "")) => put(&mut self.entries, key, Plain::List(Vec::new())),
            Some((_, inside)) => {
                let items = inside.split(',').map(|item| Plain::from(javascript::trim(item)));
                put(&mut self.entries, key, Plain::List(items.collect()));
            }
            None => put(&mut self.entries, key, Plain::from(unquoted(value))),
        }
    }

    fn open(&mut self, key: &str) {
        self.key = Some(key.to_owned());
        self.items = Some(Vec::new());
    }

    fn close_object(&mut self) {
        if !self.object.is_empty() {
            let object = std::mem::take(&mut self.object);
            self.items.get_or_insert_default().push(Plain::Map(object));
        }
    }

    fn close(&mut self) {
        self.close_object();
        if let (Some(key), Some(items)) = (&self.key, self.items.take()) {
            put(&mut self.entries, key, Plain::List(items));
        }
    }
}

/// Sets a key; of two values for one key, the last one counts.
fn put(map: &mut Vec<(String, Plain)>, key: &str, value: Plain) {
    match map.iter_mut().find(|(known, _)| known == key) {
        Some(known) => known.1 = value,
        None => map.push((key.to_owned(), value)),
    }
}

/// Splits `key: value`. Returns `None` if it contains a carriage return, as in the original.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = take(line, |c| is_word(c) || c == '-');
    let rest = skip_space(rest).strip_prefix(':')?;
    let value = skip_space(rest);
    (key.starts_with(is_word) && !value.contains('\r')).then_some((key, value))
}

fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}
