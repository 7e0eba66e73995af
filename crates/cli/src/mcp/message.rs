//! JSON-RPC 2.0: parses requests and builds responses.

use serde_json::{Map, Value, json};

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

impl Wrong {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The line is not valid JSON.
    fn parse(why: &str) -> Self {
        Self::new(-32700, format!("no JSON: {why}"))
    }

    /// The JSON is not a valid request.
    pub(super) fn request(why: &str) -> Self {
        Self::new(-32600, why)
    }

    pub(super) fn method(name: &str) -> Self {
        let name: String = name.chars().take(100).collect();
        Self::new(-32601, format!("no method `{}`", name.escape_debug()))
    }

    pub(super) fn params(why: impl Into<String>) -> Self {
        Self::new(-32602, why)
    }

    /// The client uses an unsupported protocol version.
    pub(super) fn version(requested: &str, supported: &[&str]) -> Self {
        let data = json!({ "supported": supported, "requested": requested });
        Self { data: Some(data), ..Self::new(-32022, "Unsupported protocol version") }
    }

    /// Returns the error response to the request with this id.
    pub(super) fn answer(&self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// Answers one line: a message, or a batch of messages, which one protocol revision allows.
pub(super) fn answer(
    line: &str,
    call: impl Fn(&str, &Map<String, Value>) -> Result<Value, Wrong>,
) -> Option<Value> {
    match serde_json::from_str(line) {
        Err(error) => Some(Wrong::parse(&error.to_string()).answer(&Value::Null)),
        Ok(Value::Array(batch)) if batch.is_empty() => {
            Some(Wrong::request("an empty batch").answer(&Value::Null))
        }
        Ok(Value::Array(batch)) => {
            let answers: Vec<Value> = batch.iter().filter_map(|one| message(one, &call)).collect();
            (!answers.is_empty()).then_some(Value::Array(answers))
        }
        Ok(one) => message(&one, &call),
    }
}

/// Answers one message; notifications and responses get no answer.
fn message(
    message: &Value,
    call: &impl Fn(&str, &Map<String, Value>) -> Result<Value, Wrong>,
) -> Option<Value> {
    let id = match message.get("id") {
        None => None,
        Some(id @ (Value::String(_) | Value::Number(_))) => Some(id),
        Some(_) => {
            return Some(Wrong::request("`id` is neither text nor number").answer(&Value::Null));
        }
    };
    let is_reply = message.get("result").is_some() || message.get("error").is_some();
    let result = match (message.get("jsonrpc"), message.get("method")) {
        (_, None) if is_reply => return None,
        (Some(Value::String(version)), Some(Value::String(method))) if version == "2.0" => {
            let none = Map::new();
            match (id, message.get("params")) {
                // A notification gets no answer, whatever it contains.
                (None, _) => return None,
                (Some(_), None) => call(method, &none),
                (Some(_), Some(Value::Object(params))) => call(method, params),
                (Some(_), Some(_)) => Err(Wrong::params("`params` is no object")),
            }
        }
        (_, Some(Value::String(_))) => Err(Wrong::request("`jsonrpc` is not \"2.0\"")),
        (_, Some(_)) => Err(Wrong::request("`method` is no text")),
        (_, None) => Err(Wrong::request("no `method`")),
    };
    let id = id.unwrap_or(&Value::Null);
    Some(match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(wrong) => wrong.answer(id),
    })
}
