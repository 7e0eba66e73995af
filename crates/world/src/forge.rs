//! The interface to a forge, where pull requests live. sprag reads from it, posts reviews and
//! comments, and hides its own reviews once they are dealt with. The interface has no call to
//! merge, approve or push.

mod github;

use std::time::Duration;

use sprag_core::pr::Pull;

use crate::process::StopHandle;

pub use github::{GitHub, Local, Repository};

pub trait Forge {
    /// Returns the current open pull request of a branch, if there is one.
    fn pull(&self, branch: &str) -> Result<Option<Pull>, ForgeError>;

    /// Returns whether one of our own reviews or comments contains a text, minimised or not.
    fn has(&self, number: u32, marker: &str) -> Result<bool, ForgeError>;

    fn post(&self, number: u32, kind: Post, body: &str) -> Result<(), ForgeError>;

    /// Hides those of these reviews that are ours, as resolved. Idempotent.
    fn minimize(&self, number: u32, ids: &[String]) -> Result<(), ForgeError>;

    /// Returns the output of the failed steps of a run of checks, shortened in the middle.
    fn log(&self, run: &str) -> Result<String, ForgeError>;

    /// Returns this forge with calls that end as soon as `stop` is requested, or `None` if its
    /// calls take no time.
    fn ended_by(&self, _stop: &StopHandle) -> Option<Box<dyn Forge + Sync + '_>> {
        None
    }
}

/// How a text is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Post {
    /// As a review that only comments, because authors may not approve their own work.
    Review,
    /// As a comment.
    Comment,
}

/// Why a call to a forge failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForgeError {
    /// The program is not installed.
    #[error("the program `{program}` was not found; it is how sprag talks to the forge")]
    Missing { program: String },
    #[error("`gh` is not logged in: {said}")]
    NotLoggedIn {
        /// The output of the forge.
        said: String,
    },
    /// The forge limits the rate of calls.
    #[error("it wants fewer questions for a while: {said}")]
    RateLimited {
        /// The output of the forge.
        said: String,
    },
    /// Every attempt timed out.
    #[error("it did not answer within {} s", limit.as_secs())]
    Slow {
        /// The time limit of one attempt.
        limit: Duration,
    },
    /// The call was interrupted on request, so its result is unknown.
    #[error("it was interrupted")]
    Interrupted,
    /// Every attempt failed.
    #[error("it could not be asked: {said}")]
    Down {
        /// The last output of the forge.
        said: String,
    },
    /// The answer could not be parsed.
    #[error("its answer is not understood: {why}")]
    Odd { why: String },
    #[error(
        "several open pull requests could be meant: {numbers}; close all but one, or write its number \
         as `pr:` into `.thoughts/pr/metadata.yaml`"
    )]
    Several { numbers: String },
    /// The folder has no forge configured.
    #[error("{why}")]
    NoRepository { why: String },
}
