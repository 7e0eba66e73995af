use sprag_formats::Budget;

use crate::agent::{AgentKind, Limits};

/// The options for driving a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The agents, in order of preference: a seat is used while those before it accept no work.
    pub seats: Vec<Seat>,
    /// Further installed hosts, for work that only one of them may do, such as a review.
    pub others: Vec<Seat>,
    /// How many agents work at once.
    pub agents: usize,
    /// The limits of one agent.
    pub limits: Limits,
    /// The budget of all agents together.
    pub budget: Budget,
}

impl Options {
    pub fn called(&self, name: &str) -> Option<&Seat> {
        self.seats.iter().chain(&self.others).find(|seat| seat.name == name)
    }
}

/// An agent that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    pub kind: AgentKind,
    pub name: String,
    /// The user's extra arguments for it.
    pub extra: Vec<String>,
    /// The user's extra variables for it.
    pub environment: Vec<(String, String)>,
}
