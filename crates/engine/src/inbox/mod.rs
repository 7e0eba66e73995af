//! The inbox on the disk: assignments, units of work, mail and nudges under `.chipset/state/`, and
//! what is ours of them under `.sprag/agents/`.
//!
//! Each verb reads the few documents it is about, lets `core::inbox` decide, and commits everything
//! that follows in one line: an assignment is the unit, the agent's slot, the dispatch record and
//! the mail, or nothing of it.

mod abort;
mod assign;
pub mod board;
mod decision;
mod done;
mod git;
pub(crate) mod gupp;
mod lease;
mod lost;
pub mod mail;
pub mod mend;
pub mod nudge;
mod own;
mod paths;
mod post;
mod pull;
mod recipient;
mod seat;
pub mod sling;
mod stands;
mod turns;
pub mod units;
mod verdict;
mod waits;
pub mod watch;
mod worktrees;

pub use assign::{Given, Sent};
pub use own::{Held, Polled};
pub use pull::{Ahead, Pulled};
pub(crate) use pull::{count, told};
pub(crate) use seat::text as read_text;

use sprag_core::RunId;

use crate::engine::EngineError;

/// How the inbox is called; there is one a project.
pub(crate) const NAME: &str = "inbox";

/// The name of the inbox in the journal.
pub fn run() -> Result<RunId, EngineError> {
    Ok(RunId::parse(NAME)?)
}
