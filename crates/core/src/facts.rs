use std::collections::{BTreeMap, BTreeSet};

use crate::{DocPath, Gate, Hash, Name, Plain, RunId, Seq, Time, UnitId};

/// A fact that a decision needs: the engine finds it out and asks the machine again.
///
/// Gate results come with the end of the attempt; all other answers are in [`Facts`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// The result of a gate on the current files.
    Gate(Gate),
    /// The answer of a rule's command; it is valid only for exactly this question.
    Rule { rule: Name, question: Plain },
    /// The content of a project file, if it exists.
    Text(DocPath),
    /// The current state of the pull request.
    Pull,
    /// The report of the last verification.
    Verification,
    /// The hash of the files without the documents of a milestone tree.
    Work,
}

/// Everything from outside that a decision may depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    pub now: Time,
    /// The journal line that will record this decision.
    pub seq: Seq,
    /// The hash of the project's files.
    pub tree: Hash,
    /// Answers to the questions that a machine asked.
    pub answers: BTreeMap<Ask, Plain>,
    /// The subjects of live child runs: the units they work on.
    pub subjects: BTreeSet<(RunId, UnitId)>,
}

impl Facts {
    /// Creates facts without answers and child runs.
    pub const fn new(now: Time, seq: Seq, tree: Hash) -> Self {
        Self { now, seq, tree, answers: BTreeMap::new(), subjects: BTreeSet::new() }
    }
}
