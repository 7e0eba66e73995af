//! The value tree that YAML, front matter and JSON share.
//!
//! A parsed [`Node`] knows its bytes; a node made for an edit has none. Nodes are equal if their
//! values are, regardless of position, and maps are equal in any order of their keys.

use std::collections::HashMap;

use crate::number::Number;
use crate::place::Span;

#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    /// A number as written.
    Number(Number),
    String(String),
    List(Vec<Node>),
    /// Entries in the order of the file.
    Map(Map),
}

/// The form of a node in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NodeForm {
    /// Not written: the null after `key:`.
    Absent,
    /// Without quotes.
    #[default]
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// A block scalar, `|` or `>`.
    BlockScalar,
    /// A collection by indentation.
    Block,
    /// A collection in brackets.
    Flow,
    /// `*name`: the value is at the anchor.
    Alias,
}

/// A value with its position.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub value: Value,
    /// Its bytes in the file, without anchor and tag.
    pub span: Span,
    pub(crate) form: NodeForm,
}

#[derive(Clone, Debug)]
pub struct MapEntry {
    /// In YAML the text of a scalar, so `1` and `"1"` are the same key.
    pub key: String,
    pub key_span: Span,
    pub node: Node,
}

/// Ordered entries with unique keys.
#[derive(Clone, Debug, Default)]
pub struct Map {
    entries: Vec<MapEntry>,
}

impl Value {
    /// Makes a map; of two values for one key, the later one counts.
    pub fn map<K: Into<String>, V: Into<Value>>(pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        Self::Map(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }

    pub fn list<V: Into<Value>>(values: impl IntoIterator<Item = V>) -> Self {
        Self::List(values.into_iter().map(|value| Node::from(value.into())).collect())
    }

    /// The type's name for messages, with its article.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }

    /// Returns whether the value is a list or map that is not empty.
    pub(crate) fn is_filled(&self) -> bool {
        match self {
            Self::List(items) => !items.is_empty(),
            Self::Map(map) => !map.is_empty(),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) => false,
        }
    }
}

impl Node {
    pub(crate) fn new(value: Value, span: Span, form: NodeForm) -> Self {
        Self { value, span, form }
    }

    /// The value of a key, or the item at an index.
    pub fn child(&self, step: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(map) => map.get(step),
            Value::List(items) => items.get(index(step)?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }

    /// The node at a path.
    pub fn at<S: AsRef<str>>(&self, path: &[S]) -> Option<&Node> {
        path.iter().try_fold(self, |node, step| node.child(step.as_ref()))
    }

    /// The cost of a copy of this node: one per node, and one per 16 bytes of text.
    pub(crate) fn weight(&self) -> usize {
        let below: usize = match &self.value {
            Value::List(items) => items.iter().map(Node::weight).sum(),
            Value::Map(map) => {
                map.iter().map(|entry| entry.key.len() / 16 + entry.node.weight()).sum()
            }
            Value::String(text) => text.len() / 16,
            Value::Number(number) => number.text().len() / 16,
            Value::Null | Value::Bool(_) => 0,
        };
        below + 1
    }

    /// The number of nested levels of collections.
    pub(crate) fn height(&self) -> usize {
        match &self.value {
            Value::List(items) => 1 + items.iter().map(Node::height).max().unwrap_or(0),
            Value::Map(map) => 1 + map.iter().map(|entry| entry.node.height()).max().unwrap_or(0),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        }
    }
}

/// Parses a step of a path as an index: decimal digits without a leading zero.
pub(crate) fn index(step: &str) -> Option<usize> {
    let plain = step == "0" || !step.starts_with('0');
    let digits = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    if plain && digits { step.parse().ok() } else { None }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { value, ..Self::default() }
    }
}

impl Map {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    pub fn entry(&self, key: &str) -> Option<&MapEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The entries in the order of the file.
    pub fn iter(&self) -> std::slice::Iter<'_, MapEntry> {
        self.entries.iter()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Sets a key: in place if it exists, else at the end.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        let (key, node) = (key.into(), Node::from(value.into()));
        match self.get_mut(&key) {
            Some(old) => *old = node,
            None => self.entries.push(MapEntry { key, key_span: Span::default(), node }),
        }
    }

    pub fn remove(&mut self, key: &str) -> Option<Node> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at).node)
    }

    /// Indexes the entries, for maps that may be large.
    pub(crate) fn by_key(&self) -> HashMap<&str, &Node> {
        self.iter().map(|entry| (entry.key.as_str(), &entry.node)).collect()
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node)
    }

    /// Makes a map from entries whose keys a parser has checked to be unique.
    pub(crate) fn of(entries: Vec<MapEntry>) -> Self {
        Self { entries }
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        let aligned = self.iter().zip(other.iter()).all(|(one, two)| one.key == two.key);
        if aligned {
            return self.iter().zip(other.iter()).all(|(one, two)| one.node == two.node);
        }
        let theirs = other.by_key();
        self.iter().all(|entry| theirs.get(entry.key.as_str()) == Some(&&entry.node))
    }
}

impl<'m> IntoIterator for &'m Map {
    type Item = &'m MapEntry;
    type IntoIter = std::slice::Iter<'m, MapEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<(String, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(pairs: I) -> Self {
        let mut map = Self::default();
        for (key, value) in pairs {
            map.insert(key, value);
        }
        map
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl<N: Into<Number>> From<N> for Value {
    fn from(number: N) -> Self {
        Self::Number(number.into())
    }
}
