/// A tool that an agent wants to use, as far as a phase's tool policy is concerned.
///
/// Tool names differ from host to host, so the host's dialect fills this in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    pub name: String,
    /// Other names for it in a tool list: `@edit`, or pi's name for the equivalent tool.
    pub also: Vec<String>,
    /// Whether the tool only advances the workflow.
    pub advances: bool,
}

impl Call {
    /// Creates a call of a tool that has a single name.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Returns whether an entry of a tool list names this tool.
    pub fn is_meant_by(&self, entry: &str) -> bool {
        self.name == entry || self.also.iter().any(|name| name == entry)
    }
}
