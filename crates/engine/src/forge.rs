//! A forge: where pull requests are. What sprag needs of one is small, and what it may do there is
//! smaller: it reads, it posts a review or a comment, and it hides its own reviews that were dealt
//! with. It never merges, never approves and never pushes, because there is no call for it.

mod github;

use std::time::Duration;

use sprag_core::pr::Pull;

use crate::process::Stop;

pub use github::{GitHub, Repository};

/// What sprag asks of a forge.
pub trait Forge {
    /// Returns the open pull request of a branch, as it is now; nothing when there is none.
    fn pull(&self, branch: &str) -> Result<Option<Pull>, ForgeError>;

    /// Returns whether a text stands in a review or a comment of our own, minimised or not.
    fn has(&self, number: u32, marker: &str) -> Result<bool, ForgeError>;

    /// Posts a text.
    fn post(&self, number: u32, kind: Post, body: &str) -> Result<(), ForgeError>;

    /// Hides those of these reviews that are our own, as dealt with; done twice it is the same.
    fn minimize(&self, number: u32, ids: &[String]) -> Result<(), ForgeError>;

    /// Returns what the failed steps of a run of checks said, shortened in the middle.
    fn log(&self, run: &str) -> Result<String, ForgeError>;

    /// Returns the same forge such that its calls end at once when `stop` is asked; nothing where
    /// they take no time.
    fn ended_by(&self, _stop: &Stop) -> Option<Box<dyn Forge + Sync + '_>> {
        None
    }
}

/// How a text is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Post {
    /// As a review that only comments: nobody may approve their own work.
    Review,
    /// As a comment.
    Comment,
}

/// Why a forge did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForgeError {
    /// The program is not there.
    #[error("the program `{program}` was not found; it is how sprag talks to the forge")]
    Missing {
        /// Which program.
        program: String,
    },
    /// Nobody is logged in.
    #[error("nobody is logged in there: {said}")]
    NotLoggedIn {
        /// What the forge said.
        said: String,
    },
    /// It wants fewer questions.
    #[error("it wants fewer questions for a while: {said}")]
    RateLimited {
        /// What the forge said.
        said: String,
    },
    /// It took too long, each time.
    #[error("it did not answer within {} s", limit.as_secs())]
    Slow {
        /// How long it had.
        limit: Duration,
    },
    /// Somebody asked for the end of the call, so nothing is known.
    #[error("it was interrupted")]
    Interrupted,
    /// It failed, each time.
    #[error("it could not be asked: {said}")]
    Down {
        /// What it said last.
        said: String,
    },
    /// It answered what nobody understands.
    #[error("its answer is not understood: {why}")]
    Odd {
        /// What is wrong with it.
        why: String,
    },
    /// Several pull requests could be meant.
    #[error(
        "several open pull requests could be meant: {numbers}; close all but one, or write its number \
         as `pr:` into `.thoughts/pr/metadata.yaml`"
    )]
    Several {
        /// Which.
        numbers: String,
    },
    /// This folder does not say where its forge is.
    #[error("{why}")]
    NoRepository {
        /// Why not.
        why: String,
    },
}
