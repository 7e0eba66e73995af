//! JSON as [`Plain`] values, keys in the order of the file.

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

    /// We keep whole numbers only; any other is the text of it.
    fn visit_f64<E>(self, number: f64) -> Result<Plain, E> {
        Ok(number.to_string().parse().map_or_else(|_| number.to_string().into(), Plain::Int))
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

/// Reads a JSON text.
pub fn read(text: &str) -> Result<Plain, String> {
    serde_json::from_str::<Ordered>(text).map(|ordered| ordered.0).map_err(|bad| bad.to_string())
}

/// Returns the value of a key, null when there is none.
pub fn field<'p>(plain: &'p Plain, key: &str) -> &'p Plain {
    entries(plain).iter().find(|(known, _)| known == key).map_or(&Plain::Null, |(_, value)| value)
}

/// Returns the entries of a map, none for anything else.
pub fn entries(plain: &Plain) -> &[(String, Plain)] {
    match plain {
        Plain::Map(entries) => entries,
        Plain::Null | Plain::Bool(_) | Plain::Int(_) | Plain::Text(_) | Plain::List(_) => &[],
    }
}

/// Returns the items of a list, none for anything else.
pub fn as_list(plain: &Plain) -> &[Plain] {
    match plain {
        Plain::List(items) => items,
        Plain::Null | Plain::Bool(_) | Plain::Int(_) | Plain::Text(_) | Plain::Map(_) => &[],
    }
}

/// Returns the text, if it is one.
pub fn as_text(plain: &Plain) -> Option<&str> {
    match plain {
        Plain::Text(text) => Some(text),
        Plain::Null | Plain::Bool(_) | Plain::Int(_) | Plain::List(_) | Plain::Map(_) => None,
    }
}

/// Returns whether it is true.
pub fn is_true(plain: &Plain) -> bool {
    *plain == Plain::Bool(true)
}

/// Returns the value with all keys sorted, so that equal means equal in any order.
pub fn canonical(plain: &Plain) -> Plain {
    match plain {
        Plain::Null | Plain::Bool(_) | Plain::Int(_) | Plain::Text(_) => plain.clone(),
        Plain::List(items) => Plain::List(items.iter().map(canonical).collect()),
        Plain::Map(entries) => {
            let sort = |(key, value): &(String, Plain)| (key.clone(), canonical(value));
            let mut sorted: Vec<_> = entries.iter().map(sort).collect();
            sorted.sort_by(|one, two| one.0.cmp(&two.0));
            Plain::Map(sorted)
        }
    }
}
