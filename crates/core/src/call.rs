/// A tool that an agent wants to use, as far as a phase's tool policy goes.
///
/// Which names mean which tool differs from host to host, so the host's dialect fills it in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The host's own name of the tool.
    pub name: String,
    /// What else an entry of a tool list may call it: `@edit`, or pi's name for the like of it.
    pub also: Vec<String>,
    /// Whether it does nothing but move the workflow.
    pub advances: bool,
}

impl Call {
    /// Returns the call of a tool that goes by one name only.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Returns whether an entry of a tool list means this tool.
    pub fn is_meant_by(&self, entry: &str) -> bool {
        self.name == entry || self.also.iter().any(|name| name == entry)
    }
}
