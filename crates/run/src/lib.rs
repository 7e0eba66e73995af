//! Drives agents from outside until the work is done: gives them units, listens to them, lets the
//! gates judge, and goes on.
//!
//! Nothing is decided here. What comes next, what a result means and what is counted is the
//! kernel's; the runner starts processes, waits for them, and says how they ended. It may be killed
//! at any moment: whoever drives the run next goes on from its documents.
//!
//! How to read it: [`Runner::drive`] is the loop, [`Runner::drive_inbox`] drives many, `turn` is one agent's part of it, [`agent`] is
//! one process; several agents work in a [`yard`].

pub mod agent;
mod branch;
mod budget;
mod clocks;
mod drive;
mod gates;
mod ground;
mod hands;
mod inbox;
mod interrupt;
mod options;
mod run_end;
mod shared;
mod turn;
mod verify;
mod watch;
pub mod yard;

pub use budget::dollars;
pub use drive::Runner;
pub use interrupt::Interrupt;
pub use options::{Options, Seat};
pub use run_end::{RunEnd, RunError};
pub use verify::verify_branch;
pub use watch::{Seen, Watch};
