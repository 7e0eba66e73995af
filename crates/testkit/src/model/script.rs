//! The script of a model.

use serde_json::Value;

/// One answer of the model: text, tool calls, or both. Without a call the turn ends. It may also be
/// an error, or no answer at all.
#[derive(Clone, Debug, Default)]
pub struct Step {
    pub text: String,
    /// Tools used in parallel.
    pub calls: Vec<Call>,
    /// Whether the answer never comes.
    pub silent: bool,
    /// The error to answer with. It is made when it is sent, because it may contain the time at
    /// which a limit ends.
    pub error: Option<fn() -> Error>,
}

/// An error of the model's provider, in the form of its protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The status with its text: `429 Too Many Requests`.
    pub status: &'static str,
    /// Headers in addition to the usual ones.
    pub headers: Vec<(&'static str, String)>,
    pub body: Value,
}

impl Error {
    /// A rate limit of the provider.
    pub const fn limit(headers: Vec<(&'static str, String)>, body: Value) -> Self {
        Self { status: "429 Too Many Requests", headers, body }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name at the client.
    pub name: String,
    /// The namespace of the name, for clients that require one.
    pub namespace: Option<String>,
    pub input: Input,
}

/// The input of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// An object, in nearly every case.
    Fields(Value),
    /// A plain text, as Codex's patches.
    Text(String),
}

impl Step {
    /// Answers with a text, which ends the turn unless calls follow.
    pub fn says(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Never answers, as a turn that a person interrupts.
    pub fn thinks() -> Self {
        Self { silent: true, ..Self::default() }
    }

    /// Answers with an error.
    pub fn fails(error: fn() -> Error) -> Self {
        Self { error: Some(error), ..Self::default() }
    }

    /// Calls tools; several calls run in parallel.
    pub fn uses(calls: impl IntoIterator<Item = Call>) -> Self {
        Self { calls: calls.into_iter().collect(), ..Self::default() }
    }
}

impl Call {
    /// A call with an object as input.
    pub fn new(name: &str, fields: Value) -> Self {
        Self { name: name.to_owned(), namespace: None, input: Input::Fields(fields) }
    }

    /// Puts the tool's name into a namespace, as Codex does with the tools of its servers.
    #[must_use]
    pub fn within(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// A call with a text as input.
    pub fn of_text(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), namespace: None, input: Input::Text(text.to_owned()) }
    }

    /// The input as an object. A text becomes its field `input`, as in clients that know no other
    /// calls.
    pub(super) fn fields(&self) -> Value {
        match &self.input {
            Input::Fields(fields) => fields.clone(),
            Input::Text(text) => serde_json::json!({ "input": text }),
        }
    }
}
