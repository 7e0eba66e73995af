//! The inbox on disk: assignments, units of work, mail and nudges in `.chipset/state/`, and our own
//! records about them in `.sprag/agents/`.
//!
//! Each verb reads the few documents it is about, lets `core::inbox` decide, and commits all
//! consequences in one journal line: an assignment is either the unit, the agent's slot, the
//! dispatch record and the mail together, or none of them.

mod abort;
mod assign;
mod assignment_files;
pub mod board;
mod decision;
mod done;
mod git;
mod lease;
mod lost;
pub mod mail;
pub mod mend;
pub mod nudge;
pub(crate) mod on_session_event;
mod own;
mod paths;
mod post;
mod pull;
mod recipient;
pub mod sling;
mod stands;
mod turns;
pub mod units;
mod verdict;
mod waits;
pub mod watch;
mod worktrees;

pub use assign::{AssignRequest, Sent};
pub use own::{ClaimedHolder, Polled};
pub use pull::{Ahead, Pulled};
pub(crate) use pull::{count, told};

use sprag_core::RunId;

use crate::engine::EngineError;
use crate::kinds;
use crate::run_file::Source;

/// The name of the inbox; there is one per project.
pub(crate) use crate::agents_file::INBOX as NAME;

/// The run id of the inbox in the journal.
pub fn run() -> Result<RunId, EngineError> {
    Ok(RunId::parse(NAME)?)
}

pub(crate) use kinds::assignment::fence_of;

/// Returns the source of the inbox's runs.
pub fn source() -> Source {
    Source::of(&kinds::assignment::ENTRY)
}
