/// What the engine answers a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// What is for the agent, or for the host.
    pub answer: Answer,
    /// What is for the person, where the host can show it.
    pub say: Option<String>,
}

/// What is for the agent, or for the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Go on.
    #[default]
    Nothing,
    /// Go on, knowing this.
    Context(String),
    /// This tool does not run.
    Deny {
        /// What the agent reads instead of a result.
        why: String,
    },
    /// This is not the end.
    Refuse {
        /// What the agent reads and goes on with.
        why: String,
    },
    /// The person asked us and not the agent: what they read. The prompt goes no further where the
    /// host can stop it; where it cannot, the agent is asked to hand the answer on.
    Told(String),
    /// The line to show.
    Line(String),
}

impl Reply {
    /// Adds something for the person.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> Self {
        self.say = Some(text.into());
        self
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self { answer, say: None }
    }
}

/// What the process that answers a host leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Its exit code.
    pub exit: u8,
}
