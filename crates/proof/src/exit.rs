//! The exit codes of `commit-docs`: each states whether the documents changed.

use sprag_store::{CommitError, StoreError};

/// Committed, and every document is written.
pub const WRITTEN: u8 = 0;
/// Invalid command line; nothing was tried.
pub const USAGE: u8 = 2;
/// Committed; one document is unwritten until the next commit.
pub const UNWRITTEN: u8 = 3;
/// The change is visible to all, but the disk did not confirm it.
pub const UNSYNCED: u8 = 4;
/// Nothing changed: the system refused.
pub const REFUSED: u8 = 5;
/// Nothing changed: the state is unreadable.
pub const UNKNOWN: u8 = 6;
/// Nothing changed: another writer did not finish in time.
pub const BUSY: u8 = 7;
/// Nothing changed: the edit is too large or does not fit.
pub const MISFIT: u8 = 8;
/// Committed, but standard output failed, so the caller does not know.
pub const UNHEARD: u8 = 9;

/// Whether a change happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Happened,
    /// It did not happen, and never will.
    Never,
}

/// Interprets `code`; `None` for an unknown code.
pub const fn says(code: u8) -> Option<Says> {
    match code {
        WRITTEN | UNWRITTEN | UNSYNCED | UNHEARD => Some(Says::Happened),
        USAGE | REFUSED | UNKNOWN | BUSY | MISFIT => Some(Says::Never),
        _ => None,
    }
}

/// Returns the exit code of a failed commit.
pub fn of<E>(error: &CommitError<E>) -> u8 {
    match error {
        CommitError::Refused(_) | CommitError::Store(StoreError::Path(_)) => REFUSED,
        CommitError::Store(StoreError::Unknown { .. }) | CommitError::Unknown { .. } => UNKNOWN,
        CommitError::Store(StoreError::Busy { .. } | StoreError::Away { .. }) => BUSY,
        CommitError::TooLarge { .. } | CommitError::Misfit { .. } => MISFIT,
        CommitError::Unsynced { .. } => UNSYNCED,
    }
}
