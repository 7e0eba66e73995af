//! Touches the machine: processes, the clock, random ids, the terminal, the caller, and a person's
//! folder. Knows no run.

pub mod caller;
pub mod clock;
pub mod git;
pub mod ids;
pub mod process;
pub mod project_copy;
pub mod root;
pub mod state_home;
pub mod terminal;
pub mod tree;
