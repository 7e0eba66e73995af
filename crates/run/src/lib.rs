//! Drives agents from outside until the work is done: assigns units, follows the agents' output,
//! runs the gates, and repeats.
//!
//! The runner decides nothing. The kernel decides what comes next, what a result means and what
//! counts; the runner starts processes, waits for them and reports how they ended. It may be killed
//! at any moment: the next driver resumes the run from its documents.
//!
//! Where to start reading: [`Runner::drive`] is the loop, [`Runner::drive_inbox`] drives many runs,
//! `turn` is one agent's part, and [`agent`] is one process. Concurrent agents work in [`worktrees`].

pub mod agent;
mod agent_threads;
mod branch;
mod budget;
mod clocks;
mod drive;
mod gates;
mod inbox;
mod interrupt;
mod options;
mod run_end;
mod shared;
mod turn;
mod verify;
mod watch;
mod workspace;
pub mod worktrees;

pub use budget::dollars;
pub use drive::Runner;
pub use interrupt::Interrupt;
pub use options::{Options, Seat};
pub use run_end::{RunEnd, RunError};
pub use verify::verify_branch;
pub use watch::{RunEvent, Watch};
