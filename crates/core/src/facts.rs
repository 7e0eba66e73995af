use std::collections::{BTreeMap, BTreeSet};

use crate::{DocPath, Gate, Hash, Name, Plain, RunId, Seq, Time, UnitId};

/// What must be known to decide: the engine finds it out and asks again.
///
/// What a gate said comes with the end of the attempt; everything else is one of the [`Facts`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// What a gate says of the files as they are.
    Gate(Gate),
    /// What the command of a rule answers; an answer is one to exactly this question.
    Rule {
        /// Which rule.
        rule: Name,
        /// What it is asked.
        question: Plain,
    },
    /// What a file of the project says; nothing where there is none.
    Text(DocPath),
    /// What the pull request looks like now.
    Pull,
    /// What the report of the last verification says.
    Verification,
    /// What the files are known by, without the documents of a milestone tree.
    Work,
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
    /// What a machine asked and is now known.
    pub answers: BTreeMap<Ask, Plain>,
    /// The units that live runs of their own work on: their subjects.
    pub subjects: BTreeSet<(RunId, UnitId)>,
}

impl Facts {
    /// Returns facts with nothing asked and no child runs.
    pub const fn new(now: Time, seq: Seq, tree: Hash) -> Self {
        Self { now, seq, tree, answers: BTreeMap::new(), subjects: BTreeSet::new() }
    }
}
