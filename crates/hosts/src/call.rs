use crate::Class;

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The tool's name at the host.
    pub name: String,
    /// What kind of tool it is.
    pub class: Class,
    /// The files and folders it names, as the agent wrote them.
    pub paths: Vec<String>,
    /// The text for a shell, whatever tool it is given to.
    pub command: Option<String>,
    /// What it will say to an agent: to another one, or later to this one.
    pub prompt: Option<String>,
    /// The call's id at the host.
    pub id: Option<String>,
}

impl Call {
    /// Returns the paths this call may write.
    ///
    /// A tool nobody knows (of an MCP server, of a later version) may write what it names.
    pub fn writes(&self) -> &[String] {
        match self.class {
            Class::Edit | Class::Other => &self.paths,
            Class::Read | Class::Shell | Class::Search | Class::Web | Class::Agent => &[],
        }
    }
}
