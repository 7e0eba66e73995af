//! Values of JSON, YAML and TOML in one form, in which layout, key order and comments do not count.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::document::{Document, Format};
use crate::value::{Node, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::definition) enum Datum {
    Table(BTreeMap<String, Datum>),
    List(Vec<Datum>),
    Text(String),
    /// Any other value, as written.
    Bare(String),
}

impl Datum {
    /// Parses JSON, even with comments and trailing commas.
    pub(in crate::definition) fn json(text: &str) -> Option<Self> {
        let plain = without_comments(text);
        Document::parse(Format::Json, &plain).ok().map(|doc| Self::of(doc.root()))
    }

    pub(in crate::definition) fn yaml(text: &str) -> Option<Self> {
        Document::parse(Format::Yaml, text).ok().map(|doc| Self::of(doc.root()))
    }

    fn of(node: &Node) -> Self {
        match &node.value {
            Value::Null => Self::Bare("null".to_owned()),
            Value::Bool(yes) => Self::Bare(yes.to_string()),
            Value::Number(number) => Self::Bare(number.text().to_owned()),
            Value::String(text) => Self::Text(text.clone()),
            Value::List(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Map(map) => Self::Table(
                map.iter().map(|entry| (entry.key.clone(), Self::of(&entry.node))).collect(),
            ),
        }
    }

    /// The value at a path.
    pub(in crate::definition) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |datum, step| datum.table()?.get(*step))
    }

    /// The entries of a table.
    pub(in crate::definition) fn table(&self) -> Option<&BTreeMap<String, Self>> {
        match self {
            Self::Table(table) => Some(table),
            Self::List(_) | Self::Text(_) | Self::Bare(_) => None,
        }
    }

    /// The items of a list; any other value is its own single item.
    pub(in crate::definition) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            Self::Table(_) | Self::Text(_) | Self::Bare(_) => std::slice::from_ref(self),
        }
    }

    /// The text of a string; `None` for other values.
    pub(in crate::definition) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Table(_) | Self::List(_) | Self::Bare(_) => None,
        }
    }

    /// The strings among the items.
    pub(in crate::definition) fn texts(&self) -> impl Iterator<Item = &str> {
        self.items().iter().filter_map(Self::text)
    }

    /// Removes a key from a table.
    pub(in crate::definition) fn without(mut self, key: &str) -> Self {
        if let Self::Table(table) = &mut self {
            table.remove(key);
        }
        self
    }

    /// Writes the value so that two values are equal exactly if their texts are.
    pub(in crate::definition) fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Table(table) => {
                out.push('{');
                for (key, value) in table {
                    let _ = write!(out, "{key:?}:");
                    value.write(out);
                    out.push(',');
                }
                out.push('}');
            }
            Self::List(items) => {
                out.push('[');
                for item in items {
                    item.write(out);
                    out.push(',');
                }
                out.push(']');
            }
            Self::Text(text) => {
                let _ = write!(out, "{text:?}");
            }
            Self::Bare(text) => out.push_str(text),
        }
    }
}

/// Removes comments and trailing commas from JSON.
fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at, mut comma) = (Vec::with_capacity(bytes.len()), 0, None);
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        match byte {
            b'"' => {
                let end = string_end(rest);
                out.extend_from_slice(&rest[..end]);
                at += end;
                comma = None;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let close = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                at += close.map_or(rest.len(), |close| close + 4);
                continue;
            }
            b',' => {
                let before = out.iter().rfind(|byte| !byte.is_ascii_whitespace());
                let follows = before.is_some_and(|before| !b"[{,".contains(before));
                comma = follows.then_some(out.len());
            }
            b'}' | b']' => {
                if let Some(place) = comma.take() {
                    out[place] = b' ';
                }
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => comma = None,
        }
        out.push(byte);
        at += 1;
    }
    String::from_utf8(out).unwrap_or_default()
}

fn string_end(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_order_and_layout_do_not_count() {
        let one = Datum::json("{ // a\n \"b\": [1, 2,], /* c */ \"a\": \"//x\" , }").unwrap();
        let two = Datum::json(r#"{"a":"//x","b":[1,2]}"#).unwrap();
        assert_eq!(one, two);
        assert_eq!(one.canonical(), two.canonical());
    }

    #[test]
    fn what_is_no_json_is_nothing() {
        for text in ["", "{", "{\"a\":1,\"a\":2}", "/*", "\"a", "{a:1}", "[,]"] {
            assert_eq!(Datum::json(text), None, "{text}");
        }
    }

    #[test]
    fn a_string_is_not_the_word_it_spells() {
        let of = |text: &str| Datum::json(text).unwrap().canonical();
        assert_ne!(of("true"), of("\"true\""));
        assert_ne!(of(r#"["a,b"]"#), of(r#"["a","b"]"#));
    }
}
