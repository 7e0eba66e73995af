//! Runs one agent from start to end: a headless host, or any program that reads its prompt from
//! standard input.
//!
//! [`work`] sends the prompt, passes on the output as it arrives, and kills the agent with all its
//! descendants when it exceeds a limit or a stop is requested. The agent's output is only a claim.

mod installed;
mod job;
mod offset;
mod output_reader;

pub use installed::installed;
pub use job::{AgentKind, Job, Limits};
pub use sprag_engine::drive::{AgentEnd, Limited};
pub use sprag_hosts::headless::OutputEvent;
pub use sprag_world::process::{Exit, StopHandle};

use sprag_world::process::Leash;

/// Runs an agent until it exits or is killed.
pub fn work(job: &Job, stop: &StopHandle, hear: &mut dyn FnMut(&OutputEvent)) -> AgentEnd {
    let leash = Leash { idle: job.limits.idle, output: job.limits.output, stop };
    let mut ear = output_reader::OutputReader::of(job, hear);
    let followed = job
        .command()
        .and_then(|(command, input)| command.stream(input, &leash, &mut |piece| ear.piece(piece)));
    ear.finish(followed)
}

#[cfg(test)]
mod tests;
