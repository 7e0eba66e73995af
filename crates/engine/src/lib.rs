//! What stands between the pure machines and the world: where a project's state lives, what git
//! says of it, what time it is, and who is asking.
//!
//! The engine loads, steps, commits and performs; it is synchronous throughout.

mod answers;
pub mod approve;
pub mod asker;
pub mod branch;
mod case;
pub mod clock;
pub mod config;
pub mod demo;
mod draft;
pub mod drive;
pub mod engine;
mod evaluate;
pub mod forge;
pub mod gate;
pub mod git;
pub mod gsd;
pub mod ids;
pub mod inbox;
pub mod init;
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
pub mod retention;
pub mod root;
pub mod rule;
pub mod run_file;
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
pub mod trust;
pub mod until;
pub mod visit;
pub mod waits;
pub mod whose;
pub mod why;
pub mod workflows;
