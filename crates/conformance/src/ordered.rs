//! JSON as [`Plain`] values, with keys in the order of the file.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use sprag_core::Plain;

struct Ordered(Plain);

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any).map(Self)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Plain;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Plain, E> {
        Ok(Plain::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Plain, E> {
        Ok(Plain::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Plain, E> {
        Ok(Plain::Int(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Plain, E> {
        Ok(Plain::Int(number.into()))
    }

    /// `1.0` is the whole number 1, as it is for JavaScript.
    fn visit_f64<E>(self, number: f64) -> Result<Plain, E> {
        let text = number.to_string();
        Ok(text.parse().map_or_else(|_| Plain::Other(text), Plain::Int))
    }

    fn visit_str<E>(self, text: &str) -> Result<Plain, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Plain, A::Error> {
        let mut list = Vec::new();
        while let Some(Ordered(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Plain::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Plain, A::Error> {
        let mut map = Vec::new();
        while let Some((key, Ordered(value))) = entries.next_entry()? {
            map.push((key, value));
        }
        Ok(Plain::Map(map))
    }
}

/// Parses a JSON text.
pub fn read(text: &str) -> Result<Plain, String> {
    serde_json::from_str::<Ordered>(text).map(|ordered| ordered.0).map_err(|bad| bad.to_string())
}

/// Returns the value of a key; null if there is none.
pub fn field<'p>(plain: &'p Plain, key: &str) -> &'p Plain {
    entries(plain).iter().find(|(known, _)| known == key).map_or(&Plain::Null, |(_, value)| value)
}

/// Returns the entries of a map; empty for any other value.
pub fn entries(plain: &Plain) -> &[(String, Plain)] {
    if let Plain::Map(entries) = plain { entries } else { &[] }
}

/// Returns the items of a list; empty for any other value.
pub fn as_list(plain: &Plain) -> &[Plain] {
    if let Plain::List(items) = plain { items } else { &[] }
}

/// Returns the text, if the value is one.
pub fn as_text(plain: &Plain) -> Option<&str> {
    if let Plain::Text(text) = plain { Some(text) } else { None }
}

/// Returns whether the value is the boolean true.
pub fn is_true(plain: &Plain) -> bool {
    *plain == Plain::Bool(true)
}

/// Sorts all keys, so that the comparison ignores their order.
pub fn canonical(plain: &Plain) -> Plain {
    match plain {
        Plain::Null | Plain::Bool(_) | Plain::Int(_) | Plain::Other(_) | Plain::Text(_) => {
            plain.clone()
        }
        Plain::List(items) => Plain::List(items.iter().map(canonical).collect()),
        Plain::Map(entries) => {
            let sort = |(key, value): &(String, Plain)| (key.clone(), canonical(value));
            let mut sorted: Vec<_> = entries.iter().map(sort).collect();
            sorted.sort_by(|one, two| one.0.cmp(&two.0));
            Plain::Map(sorted)
        }
    }
}
