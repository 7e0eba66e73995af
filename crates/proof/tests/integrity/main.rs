//! An agent never judges itself: these tests show what an agent, or a stranger, may change, and
//! what that is worth.
//!
//! Each test tells a short story with the shipped binary, in a guarded session, a driven run, a
//! workflow or a plan. It asserts exit codes, the answers to the host, and `proven`, `unproven` and
//! `doubts` of `sprag report --json`. No sentence is compared, but a file in doubt must be named.
//! `runner.py` replaces npm, go, cargo and the others, so the tests need only git, sh, python3
//! and make.
//!
//! The order follows the tables of the specification: dishonest work, honest work, documents of
//! other systems, clones and worktrees, lost work.
#![expect(clippy::disallowed_methods, reason = "plays agents and persons, who change files")]
#![expect(clippy::unwrap_used, reason = "a story that cannot be set up must fail")]

mod branches;
mod brought;
mod consent;
mod gate_definition;
mod honest;
mod laundering;
mod law;
mod lost_work;
mod other_documents;
mod other_runners;
mod programs;
mod protect;
mod remembered;
mod report;
mod samples;
mod scene;
mod second_look;
mod session;
mod state_documents;
mod story;
mod tests_changed;
mod worlds;
