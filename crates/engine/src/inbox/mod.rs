//! The inbox on disk: assignments, units of work, mail and nudges in `.chipset/state/`, and our own
//! records about them in `.sprag/agents/`.
//!
//! Each verb reads the few documents it is about, lets `core::inbox` decide, and commits all
//! consequences in one journal line: an assignment is either the unit, the agent's slot, the
//! dispatch record and the mail together, or none of them.

mod abort;
mod assign;
mod assigned_run;
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

/// The name of the inbox; there is one per project.
pub(crate) use crate::agents_file::INBOX as NAME;
pub use crate::agents_file::inbox_run as run;
pub(crate) use assigned_run::{fence_of, is_over, named, shared_prefix};
