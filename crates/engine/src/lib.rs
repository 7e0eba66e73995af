//! What stands between the pure machines and the world: where a project's state lives, what git
//! says of it, what time it is, and who is asking.
//!
//! The engine loads, steps, commits and performs; it is synchronous throughout.

pub mod adopting;
pub mod approve;
pub mod asker;
mod began;
pub mod branch;
mod case;
mod changes;
mod claim;
pub mod clock;
pub mod config;
pub mod deed;
pub mod drive;
pub mod engine;
mod evaluate;
mod evidence;
pub mod forge;
pub mod gate;
pub mod git;
pub mod gsd;
pub mod ids;
pub mod inbox;
pub mod init;
mod judge;
mod known;
pub mod latency;
pub mod line;
pub mod live;
pub mod milestones;
mod old_sessions;
pub mod persons;
pub mod plan;
pub mod pr;
pub mod process;
pub mod receipt;
mod recorded;
pub mod rehearsal;
pub mod reporting;
pub mod retention;
pub mod root;
pub mod rule;
pub mod run_file;
mod run_header;
pub mod session;
mod sitting;
mod standing;
pub mod start;
pub mod status;
pub mod step;
pub mod stop;
pub mod strict;
pub mod terminal;
pub mod tree;

mod tx;
pub mod until;
pub mod verify;
pub mod visit;
pub mod waits;
pub mod whose;
pub mod why;
pub mod workflows;
mod worktrees;
