//! What a host does only in part, or not at all, in sentences for a person.

/// Something that sprag wants of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ability {
    /// Calls sprag at all.
    Calls,
    /// Lets the agent read a text: at a session's start, with a prompt, around a tool.
    Context,
    /// Lets a tool be denied before it runs.
    Tools,
    /// Lets a stop be refused.
    Stops,
    /// Tells subagents from the session.
    Subagents,
    /// Tells which agents still run beside the session.
    Background,
    /// Tells whether the session may only plan.
    PlanMode,
    /// Tells a person's interrupt from a stop.
    Interrupts,
    /// Tells when it shortens the conversation.
    Compaction,
    /// Tells when the model cannot be reached.
    Failures,
    /// Tells when a session ends.
    Ends,
    /// Shows the person a message.
    Messages,
    /// Shows a status line.
    StatusLine,
}

/// How far something goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grade {
    /// It holds.
    Enforced,
    /// It holds with exceptions.
    BestEffort,
    /// There is no way.
    Impossible,
}

/// One thing that a host does only in part, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What it is about.
    pub of: Ability,
    /// How far it goes all the same.
    pub grade: Grade,
    /// One sentence for a person.
    pub says: &'static str,
}

impl Limit {
    /// A thing with exceptions.
    pub(crate) const fn partly(of: Ability, says: &'static str) -> Self {
        Self { of, grade: Grade::BestEffort, says }
    }

    /// A thing there is no way to.
    pub(crate) const fn never(of: Ability, says: &'static str) -> Self {
        Self { of, grade: Grade::Impossible, says }
    }
}

impl Ability {
    /// Every one, in the order of a table.
    pub const ALL: [Self; 13] = [
        Self::Calls,
        Self::Context,
        Self::Tools,
        Self::Stops,
        Self::Subagents,
        Self::Background,
        Self::PlanMode,
        Self::Interrupts,
        Self::Compaction,
        Self::Failures,
        Self::Ends,
        Self::Messages,
        Self::StatusLine,
    ];

    /// Returns a few words for the head of a column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Calls => "host hooks run",
            Self::Context => "context",
            Self::Tools => "tools denied",
            Self::Stops => "stops refused",
            Self::Subagents => "subagents known",
            Self::Background => "background agents known",
            Self::PlanMode => "plan mode known",
            Self::Interrupts => "interrupts known",
            Self::Compaction => "compaction known",
            Self::Failures => "API failures known",
            Self::Ends => "session ends known",
            Self::Messages => "messages to the person",
            Self::StatusLine => "status line",
        }
    }
}
