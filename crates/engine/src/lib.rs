//! Connects the pure machines to the world: the state of a project, git, the clock, processes, and
//! the person or agent that runs a command.
//!
//! The engine loads, steps, commits and performs; it is synchronous throughout.

pub mod adopting;
pub mod approve;
mod began;
mod case;
mod changes;
mod claim;
mod commit;
pub mod config;
mod consents;
pub mod drive;
pub mod engine;
mod evaluate;
mod evidence;
pub mod gate;
pub mod gsd;
pub mod inbox;
pub mod init;
pub mod integrity;
mod judge;
pub mod kind;
pub mod kinds;
mod known;
pub mod latency;
pub mod line;
pub mod milestones;
mod old_sessions;
mod open;
pub mod persons;
mod persons_edits;
pub mod plan;
pub mod pr;
pub mod receipt;
mod recorded;
pub mod rehearsal;
pub mod reporting;
pub mod retention;
pub mod rule;
pub mod run_file;
mod run_header;
pub mod session;
mod sitting;
mod standing;
pub mod status;
pub mod step;
pub mod stop;
pub mod strict;

mod tx;
mod unusable;
pub mod usual_checks;
pub mod verify;
pub mod visit;
pub mod waits;
pub mod whose;
pub mod why;
mod work_away;
pub mod workflows;
mod worktrees;

pub use kinds::workflow::{branch, start};
