//! The kinds of runs, one file each. `kind.rs` describes what they have in common.

pub mod assignment;
pub mod guard;
pub mod in_session;
pub mod milestones;
pub mod plan;
pub mod pull_request;
pub mod task;
pub mod until;
pub mod workflow;
