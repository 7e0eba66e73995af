use std::io;
use std::path::PathBuf;
use std::time::Duration;

use sprag_core::Seq;

/// An error of the operating system, with the attempted action and its path.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct PathError {
    /// The attempted action: "read", "write", "sync".
    pub action: &'static str,
    pub path: PathBuf,
    pub source: io::Error,
}

/// Adds the action and the path to an error. No I/O error leaves this crate without them.
pub(crate) trait Context<T> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T, PathError>;
}

impl<T, E: Into<io::Error>> Context<T> for Result<T, E> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T, PathError> {
        self.map_err(|error| PathError { action, path: path.into(), source: error.into() })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Path(#[from] PathError),
    /// The journal contains an impossible state. Nothing may be concluded from it or written to it.
    #[error("the journal cannot be read: {}: {why}", path.display())]
    Unknown {
        /// The file of the journal.
        path: PathBuf,
        why: String,
    },
    /// A commit waits to be written to a worktree that git knows but that cannot be reached.
    #[error("{doc} is committed and cannot be written: its worktree is away: {}", path.display())]
    Away {
        /// Git's folder for the worktree.
        path: PathBuf,
        doc: String,
    },
    #[error("another sprag command is writing here (waited {} ms)", waited.as_millis())]
    Busy {
        /// How long the caller waited.
        waited: Duration,
    },
}

/// Why a commit did not happen. In the last case it happened, but may not last.
#[derive(Debug, thiserror::Error)]
pub enum CommitError<E> {
    /// The decision itself refused; nothing was written.
    #[error("{0}")]
    Refused(E),
    /// The state could not be read or written; nothing changed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A document to be edited cannot be read; nothing changed.
    #[error("cannot edit {doc}: {why}")]
    Unknown { doc: String, why: String },
    /// A text or an event is larger than a document or a journal line may be.
    #[error("{what} has {bytes} bytes, more than the {max} that are allowed")]
    TooLarge {
        what: String,
        /// The actual size.
        bytes: usize,
        /// The allowed size.
        max: usize,
    },
    /// An edit does not fit the document that the decision read. This is a mistake of the caller;
    /// nothing changed.
    #[error("cannot edit {doc}: {why}")]
    Misfit { doc: String, why: String },
    /// The line is in the journal and visible to all processes, but the disk did not confirm it.
    #[error("committed as event {seq}, but the disk did not confirm it: {source}")]
    Unsynced {
        /// The line's sequence number.
        seq: Seq,
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
