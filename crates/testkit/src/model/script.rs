//! What the model will say.

use serde_json::Value;

/// One answer of the model: words, calls of tools, or both. Without a call the turn is over.
/// Or an error, or none at all.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// What it says.
    pub text: String,
    /// The tools it uses, all at once.
    pub calls: Vec<Call>,
    /// Whether the answer never comes.
    pub silent: bool,
    /// What is answered instead; made when it is told, because it may say when it is over.
    pub error: Option<fn() -> Error>,
}

/// An error of the model's provider, as its protocol says it.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The status, with its words: `429 Too Many Requests`.
    pub status: &'static str,
    /// What stands in its head, beside what is always there.
    pub headers: Vec<(&'static str, String)>,
    /// What it says.
    pub body: Value,
}

impl Error {
    /// A limit of the provider.
    pub const fn limit(headers: Vec<(&'static str, String)>, body: Value) -> Self {
        Self { status: "429 Too Many Requests", headers, body }
    }
}

/// The use of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool, by its name at the client.
    pub name: String,
    /// What the name is looked up in, where the client does not know it alone.
    pub namespace: Option<String>,
    /// What it is given.
    pub input: Input,
}

/// What a tool is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// An object, as nearly always.
    Fields(Value),
    /// A text as it is: Codex takes patches so.
    Text(String),
}

impl Step {
    /// Says something, which ends the turn unless calls follow.
    pub fn says(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Says nothing for as long as anybody listens: what a person breaks off.
    pub fn thinks() -> Self {
        Self { silent: true, ..Self::default() }
    }

    /// Answers with an error.
    pub fn fails(error: fn() -> Error) -> Self {
        Self { error: Some(error), ..Self::default() }
    }

    /// Uses tools; several are meant to run beside each other.
    pub fn uses(calls: impl IntoIterator<Item = Call>) -> Self {
        Self { calls: calls.into_iter().collect(), ..Self::default() }
    }
}

impl Call {
    /// A call with fields.
    pub fn new(name: &str, fields: Value) -> Self {
        Self { name: name.to_owned(), namespace: None, input: Input::Fields(fields) }
    }

    /// The same call of a name in a namespace: so Codex has the tools of its servers.
    #[must_use]
    pub fn within(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// A call with a text.
    pub fn of_text(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), namespace: None, input: Input::Text(text.to_owned()) }
    }

    /// Returns the input as an object; a text is its field `input`, as clients do that know no
    /// other calls.
    pub(super) fn fields(&self) -> Value {
        match &self.input {
            Input::Fields(fields) => fields.clone(),
            Input::Text(text) => serde_json::json!({ "input": text }),
        }
    }
}
