//! The guard: gates without a workflow, and the smallest machine.
//!
//! It holds a session that changed the project's files until the project's own checks pass on
//! them. Nothing is started and nothing typed: the first stop begins it. A pass makes it ready
//! again. A check that failed in the same way before the session began is said once and does not
//! hold anybody.

use std::collections::BTreeMap;

use crate::{
    Counts, Denied, Effect, Facts, Fingerprint, Gate, Hash, Heard, Machine, Move, Name, Next,
    Prompt, Rank, Receipt, Run, Unit, UnitId, Verdict, stored,
};

/// The guard of one session.
#[derive(Clone, Copy, Debug)]
pub struct Guard;

/// What the project says under `guard:`.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// What must hold.
    pub gates: Vec<Gate>,
    /// How many more evaluations there are after the first.
    pub retry: u32,
    /// How its one unit is called.
    pub unit: UnitId,
    /// Whether it is over once its gates let that unit through; else it is ready again.
    pub once: bool,
}

impl Definition {
    /// The number of retries when nothing else is said.
    pub const RETRY: u32 = 3;

    /// Returns the definition of one piece of work that is called like this.
    #[must_use]
    pub fn once(self, unit: UnitId) -> Self {
        Self { unit, once: true, ..self }
    }
}

/// Where a guard stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The files when the session began.
    start: Hash,
    /// How each gate failed on those files.
    before: BTreeMap<Name, Fingerprint>,
    /// Whether that was said.
    said: bool,
    /// The files that last passed.
    green: Option<Hash>,
}

impl Position {
    /// Returns the position of a session that began with the files `start`, given the receipts
    /// there are; the last of each gate counts, and those of other files say nothing about it.
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
        heard: &Heard<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let mut to = Move::to(run.position().clone());
        match heard {
            Heard::Passed { proof, .. } => {
                to.counts = Counts::Renew;
                to.position.green = Some(facts.tree);
                if !proof.known.is_empty() && !to.position.said {
                    to.position.said = true;
                    to.effects.push(said(&proof.known));
                }
            }
            // The session took its changes back: nothing is left to hold it for.
            Heard::Gone { .. } => to.counts = Counts::Renew,
            Heard::Do { verb } => {
                let why = format!("a guard has no verb `{}`", verb.escape_debug());
                return Err(Denied::Refused { why });
            }
            Heard::Began { .. }
            | Heard::Failed { .. }
            | Heard::Lost { .. }
            | Heard::Look
            | Heard::Resumed
            | Heard::Answered { .. } => {}
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
