/// The engine's reply to a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The part for the agent or the host.
    pub answer: HostAnswer,
    /// A message to the person, for hosts that can show it.
    pub say: Option<String>,
}

/// The part of a reply for the agent or the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HostAnswer {
    /// Continue.
    #[default]
    Nothing,
    /// Continue with this context.
    Context(String),
    /// Do not run this tool.
    Deny {
        /// The text that the agent reads instead of a result.
        why: String,
    },
    /// Do not stop.
    Refuse {
        /// The text with which the agent continues.
        why: String,
    },
    /// An answer to a person who asked sprag, not the agent. The host drops the prompt if it can;
    /// otherwise the agent is asked to show the answer.
    Told(String),
    /// The status line.
    Line(String),
}

impl Reply {
    /// Adds a message to the person.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> Self {
        self.say = Some(text.into());
        self
    }
}

impl From<HostAnswer> for Reply {
    fn from(answer: HostAnswer) -> Self {
        Self { answer, say: None }
    }
}

/// The output of the process that answers a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    pub exit: u8,
}
