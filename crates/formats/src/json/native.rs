//! Converts the numbers of a value to JSON's form before they are compared with a file.

use std::collections::HashMap;

use super::javascript;
use crate::number::Number;
use crate::value::{Map, MapEntry, Node, Value};

/// Returns a value with numbers in JSON's form; `old` is the value in its place in the file.
///
/// A number from a text keeps its digits if JSON can hold them. All others are written as in
/// JavaScript, so `1.0` becomes `1`, unless the file already has the same number.
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
            let entries = map.iter().map(|MapEntry { key, key_span, node }| {
                let node = native(&node.value, olds.get(key.as_str()).copied()).into();
                MapEntry { key: key.clone(), key_span: *key_span, node }
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
    // A number that is not finite is invalid in JSON: it stays unchanged, and the guard refuses it.
    Number::parse(&javascript::number(number)).unwrap_or_else(|| number.clone())
}
