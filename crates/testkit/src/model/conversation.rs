//! One conversation: the remaining script and the requests so far.

use super::{Heard, Step};

/// The model's answer after the end of its script. A test that sees it was wrong about the client.
pub const EXHAUSTED: &str = "SCRIPT EXHAUSTED";

/// A conversation with an agent, or with one of its subagents.
#[derive(Debug)]
pub(super) struct Conversation {
    /// A text in its first prompt that identifies it; the main conversation needs none.
    pub(super) mark: Option<&'static str>,
    pub(super) heard: Vec<Heard>,
    steps: Vec<Step>,
}

impl Conversation {
    pub(super) const fn of(mark: Option<&'static str>, steps: Vec<Step>) -> Self {
        Self { mark, heard: Vec::new(), steps }
    }

    /// Records a request and returns the next step of the script.
    pub(super) fn next(&mut self, heard: Heard) -> Step {
        let step = self.steps.get(self.heard.len()).cloned();
        self.heard.push(heard);
        step.unwrap_or_else(|| Step::says(EXHAUSTED))
    }
}
