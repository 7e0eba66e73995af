use std::collections::{BTreeMap, BTreeSet};

use crate::{Gate, Hash, Plain, Receipt, RunId, Seq, Time, UnitId};

/// What must be known to decide: the engine answers and asks again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// What a gate says of the files as they are.
    Gate(Gate),
    /// What the pull request looks like now.
    Pull,
}

/// What the engine found out.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What a gate said.
    Receipt(Receipt),
    /// What something else said, as plain values.
    Said(Plain),
}

/// Everything from outside that a decision may depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The time.
    pub now: Time,
    /// The journal line that this decision will be written in.
    pub seq: Seq,
    /// The project's files.
    pub tree: Hash,
    /// What was asked and is now known.
    pub answers: BTreeMap<Ask, Answer>,
    /// The units that live runs of their own work on: their subjects.
    pub subjects: BTreeSet<(RunId, UnitId)>,
}

impl Facts {
    /// Returns facts with nothing asked and no child runs.
    pub const fn new(now: Time, seq: Seq, tree: Hash) -> Self {
        Self { now, seq, tree, answers: BTreeMap::new(), subjects: BTreeSet::new() }
    }
}
