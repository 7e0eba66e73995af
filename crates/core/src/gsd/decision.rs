use crate::{DocPath, Name, UnitId};

/// What the table says is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A unit can be begun.
    Dispatch {
        /// What kind of work.
        kind: Name,
        /// On what: `M001`, `M001/S01`, `M001/S01/T01`.
        at: UnitId,
    },
    /// Nothing can be begun.
    Stop {
        /// How bad that is.
        level: Level,
        /// Why, in the original's words.
        why: String,
    },
    /// Something is written instead of being worked on; then the tree is looked at again.
    Skip {
        /// Why.
        why: String,
        /// The document and its text.
        writes: Option<(DocPath, String)>,
    },
}

/// How bad a stop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It is as it should be.
    Info,
    /// A person must do something; then it goes on.
    Warning,
    /// Something is wrong.
    Error,
}

impl Level {
    /// Returns the original's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A decision, the row of the table that made it, and why those above did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatched {
    /// What is to be done.
    pub decision: Decision,
    /// The row's name, as the original has it.
    pub row: &'static str,
    /// The rows above it, in order.
    pub above: Vec<Passed>,
}

/// A row that did not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The row's name.
    pub row: &'static str,
    /// Why it did not.
    pub why: String,
}

impl Decision {
    /// Makes a stop.
    pub(super) fn stop(level: Level, why: impl Into<String>) -> Self {
        Self::Stop { level, why: why.into() }
    }
}
