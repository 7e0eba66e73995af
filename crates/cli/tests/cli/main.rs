//! The command line as a person or an agent meets it: whole processes, exact texts.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests, though clippy cannot tell")]

mod agents;
mod bridges;
mod check;
mod demo;
mod doctor;
mod hook;
mod init;
mod log;
mod manual;
mod mcp;
mod output;
mod pr;
mod readme;
mod rpc;
mod shells;
mod status;
mod support;
mod usage;
