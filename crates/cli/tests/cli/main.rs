//! The command line as a person or an agent meets it: whole processes, exact texts.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests, though clippy cannot tell")]

mod agents;
mod assignments;
mod bridges;
mod check;
mod demo;
mod dispatching;
mod doctor;
mod gupp;
mod hook;
mod init;
mod log;
mod manual;
mod mcp;
mod output;
mod readme;
mod rpc;
mod shells;
mod status;
mod support;
mod usage;
