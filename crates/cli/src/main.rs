//! The binary `sprag`: it decides "host hook or not" before it builds anything.

mod args;
mod call;
mod codes;
mod demo;
mod diagnostic;
mod doctor;
mod env;
mod exit;
mod fault;
mod fix;
mod hook;
mod log;
mod look;
mod manual;
mod run;
mod screen;
mod status;
mod usage;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == "hook") {
        return hook::answer(words);
    }
    run::command_line().into()
}
