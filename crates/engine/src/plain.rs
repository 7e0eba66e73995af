//! JSON as plain values: what the core reads of events.

use serde_json::Value;
use sprag_core::Plain;

/// Returns JSON as plain values.
pub fn plain(value: &Value) -> Plain {
    match value {
        Value::Null => Plain::Null,
        Value::Bool(flag) => Plain::Bool(*flag),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => Plain::Int(number.into()),
            (None, Some(number)) => Plain::Int(number.into()),
            (None, None) => Plain::Other(number.to_string()),
        },
        Value::String(text) => Plain::Text(text.clone()),
        Value::Array(items) => Plain::List(items.iter().map(plain).collect()),
        Value::Object(entries) => {
            Plain::Map(entries.iter().map(|(key, value)| (key.clone(), plain(value))).collect())
        }
    }
}
