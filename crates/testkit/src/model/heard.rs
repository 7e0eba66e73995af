use serde_json::Value;

use super::Wire;

/// One request of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The protocol it came by.
    pub wire: Wire,
    /// All of it.
    pub body: Value,
}

impl Heard {
    /// Returns how often a text stands in what the model is given to read: in any text of the
    /// request but the descriptions of the tools.
    pub fn count(&self, text: &str) -> usize {
        let Value::Object(fields) = &self.body else { return 0 };
        let read = fields.iter().filter(|(name, _)| *name != "tools");
        read.map(|(_, value)| count(value, text)).sum()
    }

    /// Returns whether a text stands in what the model is given to read.
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
