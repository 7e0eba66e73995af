//! The inbox: who works on what. One unit an agent and one agent a unit.
//!
//! The lifecycle is the original's: `empty → pending → active → completed → empty`. Each of these
//! is an attempt in the kernel's eyes: none, one without a session, one with a session, one that
//! its session claims to be done. So fences, counts and refusals are the kernel's, and this machine
//! adds what a unit of work is, who may do what, and what to make of files that others wrote.
//!
//! The inbox of a project may have thousands of agents, so no verb loads all of it: a [`Slice`] is
//! one agent and the unit at hand. That a unit is taken says the unit's own document.

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
pub use holder::{Holder, Request, Tally, Was};
pub use job::Job;
pub use machine::{Definition, Inbox, Position};
pub use refusal::Refusal;
pub use slice::Slice;
pub use slot::{Slot, Status};
pub use watch::{Act, Patience, SKEW, Sight, Told, Watched};
pub use who::{Verb, Who};
pub use work::Work;

use crate::SessionId;

/// Whoever works on what the original's own tools made active: they know no sessions.
pub const FOREIGN: SessionId = SessionId::literal("foreign");

#[cfg(test)]
mod tests;
