use crate::{DocPath, Name, UnitId};

/// The outcome of the dispatch table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DispatchOutcome {
    /// A unit can begin.
    Dispatch {
        kind: Name,
        /// The unit: `M001`, `M001/S01`, `M001/S01/T01`.
        at: UnitId,
    },
    /// Nothing can begin.
    Stop {
        level: StopSeverity,
        /// The reason, in the original's words.
        why: String,
    },
    /// A document is written instead of dispatching work; then the tree is read again.
    Skip {
        why: String,
        /// The document and its text.
        writes: Option<(DocPath, String)>,
    },
}

/// The severity of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSeverity {
    /// Everything is as it should be.
    Info,
    /// A person must act before the work continues.
    Warning,
    /// Something is wrong.
    Error,
}

impl StopSeverity {
    /// Returns the original's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A decision, the row of the table that made it, and the reasons of the rows above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatched {
    pub decision: DispatchOutcome,
    /// The original's name of the row.
    pub row: &'static str,
    /// The rows above it, in order.
    pub above: Vec<Passed>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    pub row: &'static str,
    pub why: String,
}

impl DispatchOutcome {
    pub(super) fn stop(level: StopSeverity, why: impl Into<String>) -> Self {
        Self::Stop { level, why: why.into() }
    }
}
