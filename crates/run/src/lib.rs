//! Drives agents from outside until the work is done: gives them units, listens to them, lets the
//! gates judge, and goes on.
//!
//! Nothing is decided here. What comes next, what a result means and what is counted is the
//! kernel's; the runner starts processes, waits for them, and says how they ended.

pub mod yard;
