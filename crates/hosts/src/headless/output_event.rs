use sprag_core::Time;

/// An event in the output of a host that works without a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputEvent {
    /// The id by which the conversation can be resumed.
    Session(String),
    /// A complete message of the agent.
    Text(String),
    /// A tool call.
    Tool {
        /// The host's name for it.
        name: String,
        /// The file, command or address that it concerns; may be empty.
        about: String,
    },
    /// The total spent since the start; `None` for a figure that the host does not report.
    Spent {
        /// In millionths of a dollar.
        micro_usd: Option<u64>,
        /// Tokens read and written, without those from a cache.
        tokens: Option<u64>,
    },
    /// The provider's limit is reached.
    Limited {
        /// The end of the limit, if the host reported it.
        until: Option<Time>,
        /// The host's message.
        why: String,
    },
    /// The work was cut short by an error.
    Failed {
        /// The host's message.
        why: String,
    },
}
