//! The judged never holds the pen: what an agent, or a stranger, may change, and what it is worth then.
//!
//! Each test tells a short story with the shipped binary, in a guarded session, a driven run, a workflow
//! or a plan, and asserts exit codes, the answers to the host, and `proven`, `unproven` and `doubts` of
//! `sprag report --json`. No sentence is compared; a file in doubt must be named. `runner.py` stands in
//! for npm, go, cargo and the others, so nothing but git, sh, python3 and make is needed.
//!
//! The order follows the tables of the specification: what is dishonest, what is honest, documents of
//! other systems, clones and worktrees, work that is lost.
#![expect(clippy::disallowed_methods, reason = "plays agents and persons, who change files")]
#![expect(clippy::unwrap_used, reason = "a story that cannot be set up must fail")]

mod branches;
mod consent;
mod gate_definition;
mod honest;
mod laundering;
mod law;
mod other_documents;
mod other_runners;
mod programs;
mod protect;
mod report;
mod samples;
mod scene;
mod second_look;
mod session;
mod state_documents;
mod story;
mod tests_changed;
mod worlds;
