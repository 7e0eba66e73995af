use serde_json::Value;

use super::Wire;

/// One request of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The protocol of the request.
    pub wire: Wire,
    /// The whole request.
    pub body: Value,
}

impl Heard {
    /// Counts a text in everything the model reads: all of the request except the tool
    /// descriptions.
    pub fn count(&self, text: &str) -> usize {
        let Value::Object(fields) = &self.body else { return 0 };
        let read = fields.iter().filter(|(name, _)| *name != "tools");
        read.map(|(_, value)| count(value, text)).sum()
    }

    /// Returns whether the text occurs in anything the model reads.
    pub fn says(&self, text: &str) -> bool {
        self.count(text) > 0
    }
}

fn count(value: &Value, text: &str) -> usize {
    match value {
        Value::String(said) => said.matches(text).count(),
        Value::Array(items) => items.iter().map(|item| count(item, text)).sum(),
        Value::Object(fields) => fields.values().map(|field| count(field, text)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
