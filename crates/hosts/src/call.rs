use crate::Class;

/// A tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The tool's name at the host.
    pub name: String,
    pub class: Class,
    /// The files and folders that it names, as the agent wrote them.
    pub paths: Vec<String>,
    /// The shell text that it would run, whatever the tool.
    pub command: Option<String>,
    /// A text that an agent will read: another agent, or this one later.
    pub prompt: Option<String>,
    /// The call's id at the host.
    pub id: Option<String>,
}

impl ToolCall {
    /// Returns the paths that this call may write.
    ///
    /// An unknown tool (of an MCP server, of a later version) may write every path that it names.
    pub fn writes(&self) -> &[String] {
        match self.class {
            Class::Edit | Class::Other => &self.paths,
            Class::Read | Class::Shell | Class::Search | Class::Web | Class::Agent => &[],
        }
    }
}
