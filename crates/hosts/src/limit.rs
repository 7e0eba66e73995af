//! The abilities that a host has only in part, or not at all, in sentences for a person.

/// An ability that sprag needs of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ability {
    /// Calls sprag at all.
    Calls,
    /// Passes a text to the agent: at a session's start, with a prompt, around a tool.
    Context,
    /// Lets sprag deny a tool before it runs.
    Tools,
    /// Lets sprag refuse a stop.
    Stops,
    /// Distinguishes subagents from the session.
    Subagents,
    /// Reports which agents still run beside the session.
    Background,
    /// Reports whether the session may only plan.
    PlanMode,
    /// Distinguishes a person's interrupt from a stop.
    Interrupts,
    /// Reports when it shortens the conversation.
    Compaction,
    /// Reports when the model cannot be reached.
    Failures,
    /// Reports when a session ends.
    Ends,
    /// Shows the person a message.
    Messages,
    /// Shows a status line.
    StatusLine,
}

/// How far a host has an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grade {
    /// Without exceptions.
    Enforced,
    /// With exceptions.
    BestEffort,
    /// Not at all.
    Impossible,
}

/// An ability that a host has only in part, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub of: Ability,
    /// How far the host has it nevertheless.
    pub grade: Grade,
    /// One sentence for a person.
    pub says: &'static str,
}

impl Limit {
    /// An ability with exceptions.
    pub const fn partly(of: Ability, says: &'static str) -> Self {
        Self { of, grade: Grade::BestEffort, says }
    }

    /// An ability that the host lacks.
    pub const fn never(of: Ability, says: &'static str) -> Self {
        Self { of, grade: Grade::Impossible, says }
    }
}

impl Ability {
    /// Every ability, in the order of the documentation's table.
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

    /// A few words for the head of a table row.
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
