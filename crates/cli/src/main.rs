//! The `sprag` binary: it checks for a host hook before it sets anything else up.

mod adopt;
mod agent;
mod args;
mod belongs;
mod bridges;
mod check;
mod codes;
mod command_line;
mod context;
mod copy;
mod demo;
mod diagnostic;
mod diff;
mod doctor;
mod doubts;
mod env;
mod exit;
mod fault;
mod fix;
mod hook;
mod init;
mod lines;
mod log;
mod manual;
mod mcp;
mod next;
mod person;
mod pr;
mod question;
mod report;
mod rpc;
mod run;
mod schema;
mod screen;
mod slash;
mod status;
mod status_line;
mod style;
mod usage;
mod whole;
mod why;
mod workflow;

use std::process::ExitCode;

/// Musl's own makes a third of the system calls of a refused stop.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    if hook::is_misdirected(first.as_deref(), || std::env::args_os().nth(2)) {
        return ExitCode::SUCCESS;
    }
    match first {
        Some(word) if word == "hook" => hook::answer(words),
        Some(_) | None => command_line::command_line().into(),
    }
}
