//! Touches the machine: processes, git, the files of a project, the clock, the terminal, the caller,
//! a forge, and what a person trusts. Knows no run.

pub mod caller;
pub mod clock;
pub mod forge;
pub mod gates;
pub mod git;
pub mod ids;
pub mod init_memory;
pub mod process;
pub mod project_copy;
pub mod root;
pub mod state_home;
pub mod terminal;
pub mod tree;
pub mod trust;
