//! What can go wrong in a yard. Nothing of it is ever the agent's failure.

use std::path::PathBuf;

use sprag_core::{BadId, Commands};
use sprag_engine::git::GitError;
use sprag_store::{PathError, StoreError};

/// Why a yard could not do what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum YardError {
    /// The project is in no repository.
    #[error("parallel agents need git, and `{}` is in no repository", folder.display())]
    NoRepository {
        /// The project.
        folder: PathBuf,
    },
    /// There is no git on this machine.
    #[error("parallel agents need git, and it cannot be started")]
    NoProgram,
    /// The repository has no working tree in the usual way.
    #[error("parallel agents cannot work with the repository at `{}`: {why}", folder.display())]
    Odd {
        /// Its folder.
        folder: PathBuf,
        /// What is unusual.
        why: String,
    },
    /// git did not do what was asked.
    #[error("`git {what}` failed: {why}")]
    Git {
        /// The command.
        what: String,
        /// What git said.
        why: String,
    },
    /// The folder of a worktree is somebody else's.
    #[error("`{}` is in the way: {why}; move it, then try again", folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Whose it is.
        why: String,
    },
    /// Somebody has a branch of ours checked out.
    #[error("`{branch}` is checked out in `{}`; nothing is merged under a person's hands", folder.display())]
    CheckedOut {
        /// The branch.
        branch: String,
        /// Where.
        folder: PathBuf,
    },
    /// A command of the set-up was not approved, so nothing was run.
    #[error("`{what}` is not yet allowed to run here")]
    Untrusted {
        /// The commands, as they would be typed.
        what: Commands,
    },
    /// A worktree could not be made ready for work.
    #[error("the set-up of a worktree could not run: `{what}`: {why}")]
    SetUp {
        /// The command, or the file.
        what: String,
        /// What came of it.
        why: String,
        /// The end of what it said.
        tail: String,
    },
    /// A file that git does not ignore is too large to be brought along.
    #[error("`{path}` has {} MiB, too much to be brought into a worktree; write it into `.gitignore`, or move it", bytes >> 20)]
    TooLarge {
        /// The file, from the top of the working tree.
        path: String,
        /// How long it is.
        bytes: u64,
    },
    /// Somebody asked for the end before it was done.
    #[error("what git or a set-up did in a worktree was interrupted")]
    Interrupted,
    /// Somebody changed files where the work is brought together.
    #[error("somebody changed files in `{}`: {}; commit or remove them", folder.display(), files.join(", "))]
    Touched {
        /// The folder.
        folder: PathBuf,
        /// The first of the files.
        files: Vec<String>,
    },
    /// An agent went to a branch that does not go on from its own.
    #[error("`{}` has left the branch `{branch}`: {why}; `{back}` takes it back, then resume", folder.display())]
    Strayed {
        /// The agent's folder.
        folder: PathBuf,
        /// Its branch.
        branch: String,
        /// Where it is now.
        why: String,
        /// The command that takes it back.
        back: String,
    },
    /// A link of the repository leads nowhere.
    #[error(transparent)]
    Link(#[from] GitError),
    /// A name that we made is not one.
    #[error(transparent)]
    Id(#[from] BadId),
    /// The system refused.
    #[error(transparent)]
    Path(#[from] PathError),
    /// Another process works here, or the state cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds to an error of the system what was tried and where.
pub(super) fn at(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(std::io::Error) -> YardError {
    move |source| PathError { action, path: path.into(), source }.into()
}
