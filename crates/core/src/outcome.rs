//! How a run ended, in the words and exit codes that all interfaces share.

use crate::{Hold, Need};

/// How a run ended. An open run has no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is done, and all of it is proven on the current files.
    Proven,
    /// Everything is done, but not everything is proven.
    NotProven,
    /// Everything is done, but an agent changed inputs that it is judged by, or a person's work is
    /// missing: a person looks before it counts.
    Doubted,
    /// A person must act before it continues.
    Held,
    /// A person interrupted its driver.
    Paused,
    /// A limit was reached: the budget, the retries, or the tries without progress.
    GaveUp,
    /// Its state is unreadable, so no conclusion was drawn.
    Unreadable,
    /// A person cancelled it.
    Cancelled,
    /// It could not be driven; the reported fault may have its own exit code.
    Failed,
}

impl Outcome {
    pub const ALL: [Self; 9] = [
        Self::Proven,
        Self::NotProven,
        Self::Doubted,
        Self::Held,
        Self::Paused,
        Self::GaveUp,
        Self::Unreadable,
        Self::Cancelled,
        Self::Failed,
    ];

    /// The word for a run that has no outcome yet.
    pub const OPEN: &'static str = "not done";

    /// Returns the word of the outcome, which is also its JSON value, and the exit code of the
    /// driving command: texts, objects and exit codes all derive from this table.
    const fn row(self) -> (&'static str, u8) {
        match self {
            Self::Proven | Self::NotProven => ("done", 0),
            Self::Doubted => ("done", 3),
            Self::Held => ("held", 3),
            Self::Paused => ("paused", 3),
            Self::GaveUp => ("held", 5),
            Self::Unreadable => ("held", 9),
            Self::Cancelled => ("cancelled", 1),
            Self::Failed => ("failed", 1),
        }
    }

    /// Returns the word for people, which is also the JSON value.
    pub const fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Returns the exit code of the command that drove the run.
    pub const fn exit_code(self) -> u8 {
        self.row().1
    }

    /// Returns whether everything is done, proven or not.
    pub const fn is_done(self) -> bool {
        match self {
            Self::Proven | Self::NotProven | Self::Doubted => true,
            Self::Held
            | Self::Paused
            | Self::GaveUp
            | Self::Unreadable
            | Self::Cancelled
            | Self::Failed => false,
        }
    }
}

impl From<&Hold> for Outcome {
    /// Returns the outcome of a run that this hold stops.
    fn from(hold: &Hold) -> Self {
        match hold.ways().need() {
            Need::Person if *hold == Hold::Interrupted => Self::Paused,
            Need::Person => Self::Held,
            Need::Limit => Self::GaveUp,
            Need::Mending => Self::Unreadable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_done_and_not_in_doubt_ends_well() {
        for outcome in Outcome::ALL {
            let is_well = outcome.is_done() && outcome != Outcome::Doubted;
            assert_eq!(outcome.exit_code() == 0, is_well, "{outcome:?}");
            assert_eq!(outcome.as_str() == "done", outcome.is_done(), "{outcome:?}");
            assert_ne!(outcome.as_str(), Outcome::OPEN);
        }
    }
}
