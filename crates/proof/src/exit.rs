//! The exit codes of `commit-docs`: what each says about the documents.

use sprag_store::{CommitError, StoreError};

/// Committed, and every document is written.
pub const WRITTEN: u8 = 0;
/// The command line makes no sense; nothing was tried.
pub const USAGE: u8 = 2;
/// Committed; a document is not yet written, and the next commit will write it.
pub const UNWRITTEN: u8 = 3;
/// The change is visible to all, and the disk did not confirm it.
pub const UNSYNCED: u8 = 4;
/// Nothing changed: the system refused.
pub const REFUSED: u8 = 5;
/// Nothing changed: the state cannot be read.
pub const UNKNOWN: u8 = 6;
/// Nothing changed: another writer did not finish in time.
pub const BUSY: u8 = 7;
/// Nothing changed: the edit is too large or does not fit.
pub const MISFIT: u8 = 8;
/// Committed, and nobody could be told: standard output failed.
pub const UNHEARD: u8 = 9;

/// What an exit code says about the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It happened.
    Happened,
    /// It did not, and it never will.
    Never,
}

/// Returns what `code` says, or nothing when it is not one of ours.
pub const fn says(code: u8) -> Option<Says> {
    match code {
        WRITTEN | UNWRITTEN | UNSYNCED | UNHEARD => Some(Says::Happened),
        USAGE | REFUSED | UNKNOWN | BUSY | MISFIT => Some(Says::Never),
        _ => None,
    }
}

/// Returns the exit code of a commit that returned an error.
pub fn of<E>(error: &CommitError<E>) -> u8 {
    match error {
        CommitError::Refused(_) | CommitError::Store(StoreError::Path(_)) => REFUSED,
        CommitError::Store(StoreError::Unknown { .. }) | CommitError::Unknown { .. } => UNKNOWN,
        CommitError::Store(StoreError::Busy { .. } | StoreError::Away { .. }) => BUSY,
        CommitError::TooLarge { .. } | CommitError::Misfit { .. } => MISFIT,
        CommitError::Unsynced { .. } => UNSYNCED,
    }
}
