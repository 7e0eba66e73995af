//! Converts plain values to JSON and back.

use serde_json::Value;

use crate::Plain;

/// Converts JSON to plain values.
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

/// Converts plain values to JSON.
pub fn json(plain: &Plain) -> Value {
    match plain {
        Plain::Null => Value::Null,
        Plain::Bool(flag) => Value::Bool(*flag),
        Plain::Int(number) => match (i64::try_from(*number), u64::try_from(*number)) {
            (Ok(number), _) => Value::from(number),
            (Err(_), Ok(number)) => Value::from(number),
            (Err(_), Err(_)) => Value::String(number.to_string()),
        },
        // A non-integer number stays a number.
        Plain::Other(text) => serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into()),
        Plain::Text(text) => Value::String(text.clone()),
        Plain::List(items) => items.iter().map(json).collect(),
        Plain::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| (key.clone(), json(value)));
            Value::Object(entries.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_json_can_say_comes_back() {
        let text = r#"{"b":[1,-2,true,null,2.5,"x"],"a":{"big":18446744073709551615}}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(plain(&json(&plain(&value))), plain(&value));
        assert_eq!(
            json(&plain(&serde_json::json!([1, 2.5, "x", null]))).to_string(),
            r#"[1,2.5,"x",null]"#
        );
    }
}
