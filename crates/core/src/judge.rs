//! Decides how an attempt ended, from gate results and the agent's word.
//!
//! Only a receipt for the current tree counts. A failure outweighs an unknown result, and an
//! unknown result outweighs a pass; a person is asked last.

use crate::basis::{InputKeys, Worth};
use crate::{Ask, Doubt, Gate, Hash, Hold, LastFailure, Name, Receipt, Time, Unit, Verdict, Word};

/// The gate name for an agent's own report of failure.
const REPORT: Name = Name::literal("report");

/// The evidence of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Gates that passed and prove something about the work.
    pub passed: Vec<Name>,
    /// Gates that a person waived.
    pub waived: Vec<Name>,
    /// Gates that fail as they did before the work began.
    pub known: Vec<Name>,
    /// Gates that passed and had failed on the very same files.
    pub flaky: Vec<Name>,
    /// Inputs of the passes that the agent changed without a person's consent.
    pub doubted: InputKeys,
}

impl Proof {
    /// Returns whether the pass has no evidence but the agent's word.
    pub fn is_claim(&self) -> bool {
        self.passed.is_empty() && self.waived.is_empty() && self.known.is_empty()
    }
}

/// The result of an attempt, or why there is none yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Judged {
    Passed(Proof),
    /// All gates pass. The agent changed these inputs and is asked to undo that.
    SentBack(InputKeys),
    Failed(Receipt),
    Held(Hold),
    Needs(Vec<Ask>),
    /// All gates pass, and their basis was not weighed yet.
    Unweighed,
}

/// The input of a judgement.
pub(crate) struct JudgeInput<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) word: &'a Word,
    pub(crate) receipts: &'a [Receipt],
    pub(crate) worth: Option<&'a Worth>,
    pub(crate) red: Option<&'a LastFailure>,
    pub(crate) tree: Hash,
    pub(crate) now: Time,
}

impl JudgeInput<'_> {
    /// Decides how the attempt ended.
    pub(crate) fn judge(&self) -> Judged {
        if let Word::Question { what } = self.word {
            return Judged::Held(Hold::Asked { what: what.clone() });
        }
        let mut proof = Proof::default();
        let mut unproven = None;
        let mut missing = Vec::new();
        let mut person = None;
        for gate in &self.unit.gates {
            let Some(receipt) = self.latest(gate) else {
                match gate.check.question() {
                    Some(what) => person = person.or(Some(what)),
                    None => missing.push(Ask::Gate(gate.clone())),
                }
                continue;
            };
            match receipt.verdict {
                Verdict::Fail if self.is_known(receipt) => proof.known.push(gate.name.clone()),
                Verdict::Fail => return Judged::Failed(receipt.clone()),
                Verdict::Pass => {
                    if !self.unit.papers {
                        proof.passed.push(gate.name.clone());
                    }
                    if self.failed_before(receipt) {
                        proof.flaky.push(gate.name.clone());
                    }
                }
                Verdict::Waived => proof.waived.push(gate.name.clone()),
                Verdict::Void | Verdict::Unknown => unproven = unproven.or(Some(receipt)),
            }
        }
        if let Word::Failed { why } = self.word {
            return Judged::Failed(self.told(why));
        }
        match (unproven, person) {
            (Some(receipt), _) => Judged::Held(unproven_hold(receipt)),
            (None, _) if !missing.is_empty() => Judged::Needs(missing),
            (None, Some(what)) => Judged::Held(Hold::Asked { what: what.clone() }),
            (None, None) => self.weighed(proof),
        }
    }

    /// Decides how an attempt ended whose gates all pass.
    fn weighed(&self, mut proof: Proof) -> Judged {
        let Some(worth) = self.worth else { return Judged::Unweighed };
        match worth {
            Worth::Proven | Worth::NoPass(_) => Judged::Passed(proof),
            Worth::SendBack(inputs) => Judged::SentBack(inputs.clone()),
            Worth::Doubted(inputs) => {
                proof.doubted.clone_from(inputs);
                Judged::Passed(proof)
            }
            Worth::Waits(inputs) => {
                let gate = self.unit.gates.first().map_or(REPORT, |gate| gate.name.clone());
                let inputs = inputs.iter().map(ToString::to_string).collect();
                Judged::Held(Hold::Doubtful { gate, why: Doubt::Inputs { inputs } })
            }
        }
    }

    fn of<'a>(&'a self, gate: &'a Name) -> impl DoubleEndedIterator<Item = &'a Receipt> {
        self.receipts
            .iter()
            .filter(move |receipt| receipt.gate == *gate && receipt.tree == self.tree)
    }

    fn latest<'a>(&'a self, gate: &'a Gate) -> Option<&'a Receipt> {
        self.of(&gate.name).next_back()
    }

    fn is_known(&self, receipt: &Receipt) -> bool {
        let found = receipt.fingerprint();
        self.unit.known.iter().any(|(gate, known)| *gate == receipt.gate && *known == found)
    }

    fn failed_before(&self, pass: &Receipt) -> bool {
        let now = self.of(&pass.gate).any(|receipt| receipt.verdict == Verdict::Fail);
        let then =
            self.red.is_some_and(|red| red.receipt.gate == pass.gate && red.tree() == pass.tree);
        now || then
    }

    fn told(&self, why: &str) -> Receipt {
        Receipt {
            gate: REPORT,
            verdict: Verdict::Fail,
            exit: None,
            why: "the agent says that it failed".to_owned(),
            tail: why.to_owned(),
            tree: self.tree,
            at: self.now,
            doubt: None,
        }
    }
}

fn unproven_hold(receipt: &Receipt) -> Hold {
    if let Some(why) = receipt.doubt.clone() {
        return Hold::Doubtful { gate: receipt.gate.clone(), why };
    }
    let why = match receipt.verdict {
        Verdict::Void if receipt.why.is_empty() => "the files changed while it ran".to_owned(),
        Verdict::Pass | Verdict::Fail | Verdict::Void | Verdict::Waived | Verdict::Unknown => {
            receipt.why.clone()
        }
    };
    Hold::Unproven { gate: receipt.gate.clone(), why }
}
