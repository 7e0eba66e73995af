//! One agent, from its start to its end: a host without a person, or any program that reads what
//! it is to do.
//!
//! [`work`] gives it the prompt, hands on what it says as it comes, and ends it, with everything
//! that it started, when it goes further than it may or somebody asks for it. What it said is only
//! a claim.

mod ear;
mod installed;
mod job;
mod offset;

pub use installed::installed;
pub use job::{Job, Kind, Limits};
pub use sprag_engine::drive::{AgentEnd, Limited};
pub use sprag_engine::process::{Exit, Stop};
pub use sprag_hosts::headless::Heard;

use sprag_engine::process::Leash;

/// Lets an agent work until it ends or is ended, and tells what became of it.
pub fn work(job: &Job, stop: &Stop, hear: &mut dyn FnMut(&Heard)) -> AgentEnd {
    let leash = Leash { idle: job.limits.idle, output: job.limits.output, stop };
    let mut ear = ear::Ear::of(job, hear);
    let followed = job
        .command()
        .and_then(|(command, input)| command.stream(input, &leash, &mut |piece| ear.piece(piece)));
    ear.finish(followed)
}

#[cfg(test)]
mod tests;
