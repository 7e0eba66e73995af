//! One conversation: what is still to be said, and what was heard.

use super::{Heard, Step};

/// What the model says when its script is over; a test that reads it was wrong about the client.
pub const EXHAUSTED: &str = "SCRIPT EXHAUSTED";

/// A conversation with an agent, or with an agent of the agent.
#[derive(Debug)]
pub(super) struct Conversation {
    /// What stands in its first prompt; the main conversation needs none.
    pub(super) mark: Option<&'static str>,
    pub(super) heard: Vec<Heard>,
    steps: Vec<Step>,
}

impl Conversation {
    pub(super) const fn of(mark: Option<&'static str>, steps: Vec<Step>) -> Self {
        Self { mark, heard: Vec::new(), steps }
    }

    /// Takes note of a request and returns what is said to it.
    pub(super) fn next(&mut self, heard: Heard) -> Step {
        let step = self.steps.get(self.heard.len()).cloned();
        self.heard.push(heard);
        step.unwrap_or_else(|| Step::says(EXHAUSTED))
    }
}
