//! The command line as a person or an agent meets it: whole processes, exact texts.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests, though clippy cannot tell")]

mod aborts;
mod agents;
mod assignments;
mod beads;
mod bridges;
mod check;
mod check_plan;
mod client;
mod demo;
mod dispatching;
mod doctor;
mod driving;
mod free;
mod gupp;
mod hook;
mod init;
mod log;
mod loop_stop;
mod manual;
mod mcp;
mod next;
mod next_rules;
mod output;
mod pages;
mod plan;
mod pr;
mod real_hosts;
mod report;
mod reviewed;
mod rpc;
mod shells;
mod slash;
mod status;
mod support;
mod usage;
