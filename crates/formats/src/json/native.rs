//! Makes the numbers of a value such as JSON has, before they are compared with a file.

use std::collections::HashMap;

use super::javascript;
use crate::number::Number;
use crate::value::{Entry, Map, Node, Value};

/// Returns a value with numbers as JSON has them; `old` is what stands in its place.
///
/// A number that somebody wrote keeps its text where JSON can hold it. All others are written as
/// JavaScript does, so `1.0` is `1`, but not where the file has the same number already.
pub(crate) fn native(value: &Value, old: Option<&Node>) -> Value {
    match value {
        Value::Number(number) => Value::Number(self::number(number, old)),
        Value::List(items) => {
            let olds = match old {
                Some(Node { value: Value::List(olds), .. }) => olds.as_slice(),
                Some(_) | None => &[],
            };
            let items = items.iter().enumerate();
            Value::list(items.map(|(at, item)| native(&item.value, olds.get(at))))
        }
        Value::Map(map) => {
            let olds = match old {
                Some(Node { value: Value::Map(olds), .. }) => olds.by_key(),
                Some(_) | None => HashMap::new(),
            };
            let entries = map.iter().map(|Entry { key, key_span, node }| {
                let node = native(&node.value, olds.get(key.as_str()).copied()).into();
                Entry { key: key.clone(), key_span: *key_span, node }
            });
            Value::Map(Map::of(entries.collect()))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

fn number(number: &Number, old: Option<&Node>) -> Number {
    if number.is_json() && !number.is_computed() {
        return number.clone();
    }
    if let Some(Value::Number(old)) = old.map(|node| &node.value)
        && number.is_computed()
        && old.as_f64().to_bits() == number.as_f64().to_bits()
    {
        return old.clone();
    }
    // What is not finite is no number in JSON: it stays what it is, and the guard refuses it.
    Number::parse(&javascript::number(number)).unwrap_or_else(|| number.clone())
}
