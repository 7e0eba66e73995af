//! The kinds of runs, one file each. `kind.rs` describes what they have in common.

pub mod assignment;
pub mod guard;
pub mod milestones;
pub mod plan;
pub mod pull_request;
pub mod task;
pub mod until;
pub mod workflow;

use crate::engine::kind::Kinds;

/// All kinds of runs, in the order in which messages list them.
pub const KINDS: Kinds = &[
    &guard::ENTRY,
    &until::ENTRY,
    &task::ENTRY,
    &assignment::ENTRY,
    &plan::in_session::ENTRY,
    &milestones::ENTRY,
    &pull_request::ENTRY,
    &workflow::ENTRY,
    &plan::ENTRY,
];
