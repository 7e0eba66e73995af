//! Connects the pure machines to the world: the state of a project, git, the clock, processes, and
//! the person or agent that runs a command.
//!
//! The engine loads, steps, commits and performs; it is synchronous throughout.

pub mod adopting;
mod after_step;
mod agents_file;
pub mod approve;
mod changes;
mod claim;
mod commit;
mod conclude;
pub mod config;
mod consents;
mod definition_copy;
mod draft;
pub mod drive;
mod driver_sign;
mod edits;
pub mod engine;
mod evidence;
pub mod gate;
pub mod gsd;
pub mod inbox;
pub mod init;
pub mod integrity;
mod judge;
pub mod kinds;
pub mod latency;
mod now;
mod old_sessions;
mod open;
mod open_run;
pub mod persons;
pub mod receipt;
mod receipt_index;
pub mod rehearsal;
pub mod reporting;
pub mod retention;
pub mod rule;
pub mod run_file;
pub mod session;
pub mod session_line;
mod snapshot;
mod spent;
pub mod status;
pub mod step;
pub mod stop;
pub mod validate;

pub mod attach;
pub mod hooks;
mod unusable;
pub mod usual_checks;
pub mod verify;
mod wait;
pub mod waits;
pub mod weigh;
pub mod why;
pub mod workflows;
mod worktrees;

pub use engine::kind;
pub use kinds::workflow::{branch, start};
pub use kinds::{milestones, plan, pull_request as pr};
