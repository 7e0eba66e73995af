//! The errors of worktrees. None of them is ever charged to the agent.

use std::path::PathBuf;

use sprag_core::{BadId, Commands};
use sprag_store::{PathError, StoreError};
use sprag_world::git::GitError;

/// Why worktrees could not be made, merged or removed.
#[derive(Debug, thiserror::Error)]
pub enum WorktreesError {
    /// The project is in no repository.
    #[error("parallel agents need git, and `{}` is in no repository", folder.display())]
    NoRepository { folder: PathBuf },
    /// git is not installed.
    #[error("parallel agents need git, and it cannot be started")]
    NoProgram,
    /// The repository's layout is not supported.
    #[error("parallel agents cannot work with the repository at `{}`: {why}", folder.display())]
    Odd {
        /// The repository's folder.
        folder: PathBuf,
        /// What is unusual about it.
        why: String,
    },
    /// A git command failed.
    #[error("`git {what}` failed: {why}")]
    Git {
        /// The command's first words.
        what: String,
        /// Its standard error.
        why: String,
    },
    /// The folder of a worktree is already in use.
    #[error("`{}` is in the way: {why}; move it, then try again", folder.display())]
    Taken {
        folder: PathBuf,
        /// What occupies it.
        why: String,
    },
    /// One of sprag's branches is checked out elsewhere.
    #[error("`{branch}` is checked out in `{}`; nothing is merged under a person's hands", folder.display())]
    CheckedOut {
        branch: String,
        /// The worktree that has it checked out.
        folder: PathBuf,
    },
    /// A set-up command is not approved, so nothing ran.
    #[error("`{what}` is not yet allowed to run here")]
    Untrusted {
        /// The commands, as they would be typed.
        what: Commands,
    },
    /// A worktree could not be set up.
    #[error("the set-up of a worktree could not run: `{what}`: {why}")]
    SetUp {
        /// The command or the file that failed.
        what: String,
        why: String,
        /// The end of the command's output.
        tail: String,
    },
    /// An unignored file is too large for a worktree.
    #[error("`{path}` has {} MiB, too much to be brought into a worktree; write it into `.gitignore`, or move it", bytes >> 20)]
    TooLarge {
        /// Its path from the top of the working tree.
        path: String,
        bytes: u64,
    },
    /// A stop request interrupted the work.
    #[error("what git or a set-up did in a worktree was interrupted")]
    Interrupted,
    /// Files in the run's merge worktree were changed by hand.
    #[error("another process changed files in `{}`: {}; commit or remove them", folder.display(), files.join(", "))]
    Touched {
        folder: PathBuf,
        /// The first of those files.
        files: Vec<String>,
    },
    /// An agent switched to a branch that does not descend from its own.
    #[error("`{}` has left the branch `{branch}`: {why}; `{back}` takes it back, then resume", folder.display())]
    Strayed {
        folder: PathBuf,
        branch: String,
        why: String,
        /// The command that switches back.
        back: String,
    },
    /// A git link of the repository is broken.
    #[error(transparent)]
    Link(#[from] GitError),
    /// A generated name is invalid.
    #[error(transparent)]
    Id(#[from] BadId),
    #[error(transparent)]
    Path(#[from] PathError),
    /// Another process works here, or the state is unusable.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds the attempted action and the path to an I/O error.
pub(super) fn at(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(std::io::Error) -> WorktreesError {
    move |source| PathError { action, path: path.into(), source }.into()
}
