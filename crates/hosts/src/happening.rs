//! What can happen in a session, in words that hold for every host.

use crate::Call;

/// Something that happened, or is about to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A session begins, or goes on under a new beginning.
    SessionStart {
        /// What it begins with.
        source: Source,
    },
    /// Someone speaks to the agent.
    Prompt {
        /// What was said. Some hosts give our own refusal back as one; the engine knows it again.
        text: String,
        /// Who said it.
        by: By,
    },
    /// A tool is about to run; it can still be denied.
    BeforeTool(Call),
    /// A tool has run.
    AfterTool {
        /// The call.
        call: Call,
        /// How it ended.
        ended: Ended,
    },
    /// The agent wants to stop; this can be refused.
    Stop {
        /// Whether it comes after a refusal. One bit, no count: hosts keep none for us.
        again: bool,
        /// What still runs beside the agent, all of it: see [`Background::holds_the_session`].
        background: Vec<Background>,
        /// The agent's last words.
        message: Option<String>,
    },
    /// A subagent has ended. This is never refused.
    SubagentStop,
    /// A session ends.
    SessionEnd {
        /// Why.
        left: Left,
    },
    /// The host is about to shorten the conversation. Gemini CLI says so before every request, so
    /// nothing may hang on it that costs anything.
    PreCompact,
    /// The host tells the person something.
    Notification {
        /// What.
        text: String,
        /// The host's own word for its kind.
        kind: Option<String>,
    },
    /// The turn ended because the model could not be reached.
    StopFailure {
        /// What the host says about it.
        error: String,
    },
    /// The host asks for a line to show.
    StatusLine,
    /// An event nobody needs, or one from a later version of the host.
    Ignored {
        /// Its name at the host.
        event: String,
    },
}

/// What a session begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nothing: it is new.
    Startup,
    /// An earlier conversation.
    Resume,
    /// A conversation just thrown away.
    Clear,
    /// Its own conversation, shortened.
    Compact,
    /// A copy of another conversation.
    Fork,
    /// Something this version does not know.
    Other,
}

/// Who speaks to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A person, or a program that speaks for one.
    Person,
    /// The host itself: a task ended, a timer rang.
    Notification,
}

/// How a tool's call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It did what it should.
    Well,
    /// It failed.
    Failed,
    /// A person broke it off.
    Interrupted,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The conversation was thrown away; the session goes on with an empty one.
    Clear,
    /// Another conversation was taken up.
    Resume,
    /// Any other reason: the session is over.
    Other,
}

/// Something that runs beside the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Background {
    /// Its id at the host.
    pub id: String,
    /// What it is.
    pub work: Work,
    /// Whether it still runs.
    pub running: bool,
    /// What it is for, in the agent's words.
    pub about: String,
}

/// What runs beside the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// An agent of the agent.
    Subagent,
    /// Several of them.
    Workflow,
    /// Anything else, by the host's word for it: a shell, a watcher.
    Other(String),
}

impl Background {
    /// Returns whether the session waits for this, so that a stop is no end.
    ///
    /// A shell never counts: a development server would free the session for ever.
    pub const fn holds_the_session(&self) -> bool {
        match self.work {
            Work::Subagent | Work::Workflow => self.running,
            Work::Other(_) => false,
        }
    }
}
