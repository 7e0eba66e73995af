//! The events of a session, in terms that hold for every host.

use crate::ToolCall;

/// An event that has happened or is about to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// A session starts, or continues under a new start.
    SessionStart {
        source: StartSource,
    },
    /// A person or the host sends the agent a prompt.
    Prompt {
        /// Some hosts send our own refusal back as a prompt; the engine recognises it.
        text: String,
        by: By,
    },
    /// A tool is about to run; it can still be denied.
    BeforeTool(ToolCall),
    AfterTool {
        call: ToolCall,
        ended: TurnEnd,
    },
    /// The agent wants to stop; this can be refused.
    Stop {
        /// Whether this stop follows a refusal. Only a flag: no host counts refusals for us.
        again: bool,
        /// All work still running beside the agent: see [`Background::holds_the_session`].
        background: Vec<Background>,
        /// The agent's last message.
        message: Option<String>,
    },
    /// A subagent has ended. This is never refused.
    SubagentStop,
    SessionEnd {
        left: EndReason,
    },
    /// The host is about to shorten the conversation. Gemini CLI reports this before every request,
    /// so the handler must be cheap.
    PreCompact,
    /// The host notifies the person.
    Notification {
        text: String,
        /// The host's own name for its kind.
        kind: Option<String>,
    },
    /// The turn ended because the model could not be reached.
    StopFailure {
        /// The host's error message.
        error: String,
    },
    /// The host asks for a status line.
    StatusLine,
    /// An event that sprag does not need, or of a later version of the host.
    Ignored {
        /// The event's name at the host.
        event: String,
    },
}

/// How a session starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartSource {
    /// A new session.
    Startup,
    /// With an earlier conversation.
    Resume,
    /// After its conversation was discarded.
    Clear,
    /// With its own conversation, shortened.
    Compact,
    /// With a copy of another conversation.
    Fork,
    /// A start that this version does not know.
    Other,
}

/// The sender of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A person, or a program that speaks for one.
    Person,
    /// The host itself: a task ended, a timer rang.
    Notification,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    Well,
    Failed,
    /// Interrupted by a person.
    Interrupted,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The conversation was discarded; the session continues with an empty one.
    Clear,
    /// Another conversation was resumed.
    Resume,
    /// Any other reason: the session is over.
    Other,
}

/// Work that runs beside the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Background {
    /// The id at the host.
    pub id: String,
    pub work: BackgroundWork,
    /// Whether it is still running.
    pub running: bool,
    /// The agent's description of it.
    pub about: String,
}

/// A kind of background work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackgroundWork {
    /// One subagent.
    Subagent,
    /// Several subagents.
    Workflow,
    /// Any other kind, by the host's name for it: a shell, a watcher.
    Other(String),
}

impl Background {
    /// Returns whether the session waits for this work, so that a stop is not its end.
    ///
    /// A shell never counts: a development server would keep a session from ever being held.
    pub const fn holds_the_session(&self) -> bool {
        match self.work {
            BackgroundWork::Subagent | BackgroundWork::Workflow => self.running,
            BackgroundWork::Other(_) => false,
        }
    }
}
