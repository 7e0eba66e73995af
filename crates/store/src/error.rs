use std::io;
use std::path::PathBuf;
use std::time::Duration;

use sprag_core::Seq;

/// An error of the operating system, with what was tried and where.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct PathError {
    /// What was tried: "read", "write", "sync".
    pub action: &'static str,
    /// Where.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Adds to an error what was tried and where, so that none leaves this crate without.
pub(crate) trait Context<T> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T, PathError>;
}

impl<T, E: Into<io::Error>> Context<T> for Result<T, E> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T, PathError> {
        self.map_err(|error| PathError { action, path: path.into(), source: error.into() })
    }
}

/// Why the state of a project could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The journal says something that cannot be; nothing may be concluded or written.
    #[error("the journal cannot be read: {}: {why}", path.display())]
    Unknown {
        /// Which file of the journal.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A commit waits to be written to a worktree that git knows and nobody can reach.
    #[error("{doc} is committed and cannot be written: its worktree is away: {}", path.display())]
    Away {
        /// Where git keeps what it knows of the worktree.
        path: PathBuf,
        /// Which document.
        doc: String,
    },
    /// Another process holds the lock.
    #[error("another sprag command is writing here (waited {} ms)", waited.as_millis())]
    Busy {
        /// How long was waited.
        waited: Duration,
    },
}

/// Why a commit did not happen, or in the last case, why it is not known to last.
#[derive(Debug, thiserror::Error)]
pub enum CommitError<E> {
    /// The decision itself said no; nothing was written.
    #[error("{0}")]
    Refused(E),
    /// The state could not be read or written; nothing changed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A document that was to be edited cannot be read; nothing changed.
    #[error("cannot edit {doc}: {why}")]
    Unknown {
        /// Which document.
        doc: String,
        /// Why it is Unknown.
        why: String,
    },
    /// What was to be written is larger than a document or a journal line may be.
    #[error("{what} has {bytes} bytes, more than the {max} that are allowed")]
    TooLarge {
        /// What is too large.
        what: String,
        /// How large it is.
        bytes: usize,
        /// How large it may be.
        max: usize,
    },
    /// The decision does not fit the document it read: a mistake of the caller, nothing changed.
    #[error("cannot edit {doc}: {why}")]
    Misfit {
        /// Which document.
        doc: String,
        /// What does not fit.
        why: String,
    },
    /// The line stands in the journal and everybody sees it, but the disk did not confirm it.
    #[error("committed as event {seq}, but the disk did not confirm it: {source}")]
    Unsynced {
        /// The line's place.
        seq: Seq,
        /// What the disk said.
        source: PathError,
    },
}

impl<E> From<PathError> for CommitError<E> {
    fn from(error: PathError) -> Self {
        Self::Store(error.into())
    }
}

impl From<CommitError<Self>> for StoreError {
    fn from(error: CommitError<Self>) -> Self {
        match error {
            CommitError::Refused(error) | CommitError::Store(error) => error,
            CommitError::Unsynced { source, .. } => source.into(),
            CommitError::Unknown { doc, why } | CommitError::Misfit { doc, why } => {
                Self::Unknown { path: doc.into(), why }
            }
            CommitError::TooLarge { what, .. } => {
                Self::Unknown { path: what.into(), why: "it is too large".to_owned() }
            }
        }
    }
}
