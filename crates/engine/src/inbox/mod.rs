//! The inbox on the disk: assignments, units of work, mail and nudges under `.chipset/state/`, and
//! what is ours of them under `.sprag/agents/`.
//!
//! Each verb reads the few documents it is about, lets `core::inbox` decide, and commits everything
//! that follows in one line: an assignment is the unit, the agent's slot, the dispatch record and
//! the mail, or nothing of it.

mod assign;
pub mod board;
mod decision;
mod done;
mod git;
pub(crate) mod gupp;
pub mod mail;
pub mod mend;
pub mod nudge;
mod own;
mod paths;
mod post;
mod seat;
pub mod sling;
pub mod units;
mod waits;
pub mod watch;

pub use assign::{Given, Sent};
pub use own::{Held, Polled};

use sprag_core::RunId;

use crate::engine::EngineError;

/// The name of the inbox in the journal; there is one a project.
pub(crate) fn run() -> Result<RunId, EngineError> {
    Ok(RunId::parse("inbox")?)
}
