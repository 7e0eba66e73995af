use sprag_formats::Budget;

use crate::agent::{Kind, Limits};

/// How a run is driven.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who works, in order: the next one is taken while those before it take no work.
    pub seats: Vec<Seat>,
    /// Who else is here, for what only one of them may do: a review.
    pub others: Vec<Seat>,
    /// How many work at the same time.
    pub agents: usize,
    /// How far one agent may go.
    pub limits: Limits,
    /// How much all of them may spend.
    pub budget: Budget,
}

impl Options {
    /// Returns whoever is called so.
    pub fn called(&self, name: &str) -> Option<&Seat> {
        self.seats.iter().chain(&self.others).find(|seat| seat.name == name)
    }
}

/// Somebody who works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// What is started.
    pub kind: Kind,
    /// How it is called.
    pub name: String,
    /// Words of the person's own for it.
    pub extra: Vec<String>,
    /// Variables of the person's own for it.
    pub environment: Vec<(String, String)>,
}
