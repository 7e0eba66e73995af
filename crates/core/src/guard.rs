//! The guard: gates without a workflow, and the smallest machine.
//!
//! It holds a session that changed the project's files until the project's own checks pass on them.
//! No command starts it: it begins at the first stop. A pass makes it ready again. A check that
//! failed in the same way before the session began is reported once and holds no session.

use std::collections::BTreeMap;

use crate::{
    Counts, Denied, Effect, Facts, Fingerprint, Gate, Hash, KernelDecision, Machine, Move, Name,
    Next, Prompt, Rank, Receipt, Run, Unit, UnitId, Verdict, stored,
};

/// The guard machine of one session.
#[derive(Clone, Copy, Debug)]
pub struct Guard;

/// The `guard:` section of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub gates: Vec<Gate>,
    /// The number of evaluations after the first.
    pub retry: u32,
    pub unit: UnitId,
    /// Whether it ends once its gates pass or are waived; else it becomes ready again.
    pub once: bool,
}

impl Definition {
    /// The default number of retries.
    pub const RETRY: u32 = 3;

    /// Returns the definition of a single piece of work with this id.
    #[must_use]
    pub fn once(self, unit: UnitId) -> Self {
        Self { unit, once: true, ..self }
    }
}

/// The position of a guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The hash of the files when the session began.
    start: Hash,
    /// The failure of each gate on those files.
    before: BTreeMap<Name, Fingerprint>,
    /// Whether those failures were reported.
    said: bool,
    /// The files that last passed.
    green: Option<Hash>,
}

impl Position {
    /// Creates the position of a session that began with the files `start`. Only the last receipt
    /// of each gate for these files counts.
    pub fn new(start: Hash, receipts: &[Receipt]) -> Self {
        let mut last = BTreeMap::<&Name, &Receipt>::new();
        for receipt in receipts.iter().filter(|receipt| receipt.tree == start) {
            let newest = last.entry(&receipt.gate).or_insert(receipt);
            if receipt.at >= newest.at {
                *newest = receipt;
            }
        }
        let red = last.into_values().filter(|receipt| receipt.verdict == Verdict::Fail);
        let before = red.map(|receipt| (receipt.gate.clone(), receipt.fingerprint())).collect();
        Self { start, before, said: false, green: None }
    }
}

const RETRY: Name = Name::literal("retry");

/// The one unit of a guard.
pub const UNIT: UnitId = UnitId::literal("guard");
/// The one unit of a task.
pub const TASK: UnitId = UnitId::literal("task");

impl Machine for Guard {
    type Definition = Definition;
    type Position = Position;
    const RANK: Rank = Rank::Guard;

    fn limits(definition: &Definition) -> Vec<(Name, u32)> {
        vec![(RETRY, definition.retry)]
    }

    fn next(definition: &Definition, run: &Run<Position>, facts: &Facts) -> Next {
        let position = run.position();
        if definition.once && position.green.is_some() {
            return Next::Done;
        }
        if facts.tree == position.start || position.green == Some(facts.tree) {
            return Next::Wait { on: "a change of the files".to_owned(), until: None };
        }
        let mut unit = Unit::new(definition.unit.clone(), Name::literal("fix"), RETRY);
        unit.gates.clone_from(&definition.gates);
        unit.known = position.before.iter().map(|(gate, red)| (gate.clone(), *red)).collect();
        Next::Units(vec![unit])
    }

    fn prompt(_: &Definition, _: &Run<Position>, _: &Unit, _: &Facts) -> Prompt {
        Prompt::of("Fix this, then stop again.")
    }

    fn step(
        _: &Definition,
        run: &Run<Position>,
        heard: &KernelDecision<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let mut to = Move::to(run.position().clone());
        match heard {
            KernelDecision::Passed { proof, .. } => {
                to.counts = Counts::Renew;
                to.position.green = Some(facts.tree);
                if !proof.known.is_empty() && !to.position.said {
                    to.position.said = true;
                    to.effects.push(said(&proof.known));
                }
            }
            // The session undid its changes: there is no reason left to hold it.
            KernelDecision::Gone { .. } => to.counts = Counts::Renew,
            KernelDecision::Do { verb } => {
                let why = format!("a guard has no verb `{}`", verb.escape_debug());
                return Err(Denied::Refused { why });
            }
            KernelDecision::Began { .. }
            | KernelDecision::Failed { .. }
            | KernelDecision::Lost { .. }
            | KernelDecision::Look
            | KernelDecision::Resumed
            | KernelDecision::Answered { .. } => {}
        }
        Ok(to)
    }
}

fn said(gates: &[Name]) -> Effect {
    let names: Vec<_> = gates.iter().map(|gate| format!("`{gate}`")).collect();
    let text = format!("{} failed in the same way before this session began.", names.join(", "));
    Effect::Notify { text }
}

stored!(struct Position { start, before, said, green });
