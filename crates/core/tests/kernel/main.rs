//! The kernel from outside: the effect of each signal, and the laws that always hold.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]
#![expect(clippy::needless_pass_by_value, reason = "signals read best where they are sent")]

mod begin;
mod chance;
mod end;
mod guard;
mod laws;
mod merge;
mod next;
mod persons;
mod stored;
mod toy;
mod vote;
mod wall;
