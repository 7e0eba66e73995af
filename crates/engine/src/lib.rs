//! What stands between the pure machines and the world: where a project's state lives, what git
//! says of it, what time it is, and who is asking.
//!
//! The engine loads, steps, commits and performs; it is synchronous throughout.

pub mod asker;
pub mod clock;
pub mod config;
pub mod demo;
pub mod gate;
pub mod git;
pub mod ids;
pub mod process;
pub mod receipt;
pub mod root;
pub mod status;
pub mod strict;
pub mod tree;
pub mod trust;
pub mod workflows;
