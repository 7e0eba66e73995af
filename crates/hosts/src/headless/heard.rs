use sprag_core::Time;

/// What a host said while it worked without a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The conversation can be taken up again by this id.
    Session(String),
    /// The agent wrote a whole message.
    Text(String),
    /// The agent called a tool.
    Tool {
        /// The host's name for it.
        name: String,
        /// The file, command or address that it is about; may be empty.
        about: String,
    },
    /// What it has spent so far, in all since it was started; nothing where the host does not say.
    Spent {
        /// In millionths of a dollar.
        micro_usd: Option<u64>,
        /// Tokens read and written, without those that came from a cache.
        tokens: Option<u64>,
    },
    /// The provider lets it do no more for now.
    Limited {
        /// When it may go on, where that is said.
        until: Option<Time>,
        /// What was said.
        why: String,
    },
    /// The work broke off, not by the agent's own will.
    Failed {
        /// What was said.
        why: String,
    },
}
