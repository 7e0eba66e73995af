//! The inbox: the assignment of units to agents. Each agent has at most one unit, and each unit at
//! most one agent.
//!
//! The lifecycle is the original's: `empty → pending → active → completed → empty`. To the kernel,
//! each status is an attempt: none, one without a session, one with a session, one that its session
//! claims to be done. So fences, counts and refusals are the kernel's. This machine adds the unit
//! of work, the permissions, and the treatment of files that other programs wrote.
//!
//! The inbox of a project may have thousands of agents, so no verb loads all of it: a [`Assignment`] is
//! one agent and its unit. Whether a unit is taken is recorded in the unit's own document.

mod drift;
mod holder;
mod job;
mod machine;
mod refusal;
mod slice;
mod slot;
mod watch;
mod who;
mod work;

pub use drift::{Drift, drift};
pub use holder::{AgentRecord, Request, UnitCounts, Was};
pub use job::Job;
pub use machine::{Inbox, InboxDefinition, Position};
pub use refusal::Refusal;
pub use slice::Assignment;
pub use slot::{AssignmentStatus, Slot};
pub use watch::{Act, Notification, Patience, SKEW, Sight, Watched};
pub use who::{Verb, Who};
pub use work::WorkState;

use crate::SessionId;

/// The session of work that the original's own tools made active: they know no sessions.
pub const FOREIGN: SessionId = SessionId::literal("foreign");

#[cfg(test)]
mod tests;
