//! Determines the state of the machine's units: the one place where attempts, locks, bounds and
//! failures decide which units can begin, so `next` and a begin never disagree.

use std::collections::BTreeMap;

use crate::{
    Bound, Facts, Fence, Hold, LastFailure, LossCount, Machine, Name, Next, Retry, Run, Stuck,
    Time, Unit,
};

/// Consecutive losses of a unit's attempts after which the unit is held.
pub(crate) const LOSSES: u32 = 3;

/// The state of a unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UnitState {
    Ready,
    Begun,
    Locked { lock: Name, by: Fence },
    Held(Hold),
}

/// The machine's units with their states, or its other answer.
pub(crate) enum Survey {
    Units(Vec<(Unit, UnitState)>),
    Other(Next),
}

/// Asks the machine for its units and determines the state of each.
pub(crate) fn survey<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    facts: &Facts,
) -> Survey {
    match M::next(definition, run, facts) {
        Next::Units(units) => Survey::Units(
            units
                .into_iter()
                .map(|unit| {
                    let state = state(run, &unit, facts.now);
                    (unit, state)
                })
                .collect(),
        ),
        other @ (Next::Wait { .. }
        | Next::Held(_)
        | Next::Done
        | Next::Cancelled
        | Next::Ask(_)) => Survey::Other(other),
    }
}

fn state<P>(run: &Run<P>, unit: &Unit, now: Time) -> UnitState {
    if run.attempt_of(&unit.id).is_some() {
        return UnitState::Begun;
    }
    let taken = run.attempts.iter().find_map(|attempt| {
        let lock = attempt.locks.iter().find(|lock| unit.locks.contains(lock))?;
        Some(UnitState::Locked { lock: lock.clone(), by: attempt.fence })
    });
    let late = || run.late(unit.wall.as_ref().map(|wall| &wall.name), now);
    let held = || {
        late().or_else(|| exhausted(run, unit)).or_else(|| stuck(run, unit)).map(UnitState::Held)
    };
    taken.or_else(held).unwrap_or(UnitState::Ready)
}

/// Returns the bounds that a begin of `unit` charges.
pub(crate) fn charges<P>(run: &Run<P>, unit: &Unit) -> Vec<Name> {
    let retries = if is_retry(run, unit) { unit.retries.as_slice() } else { &[] };
    unit.spends.iter().chain(retries).cloned().collect()
}

/// Returns the hold of a bound that a begin of `unit` could not charge, if any.
///
/// A bound that the run does not have counts as exhausted: a unit cannot spend from an undefined
/// bound.
fn exhausted<P>(run: &Run<P>, unit: &Unit) -> Option<Hold> {
    let names = charges(run, unit);
    let full = |(at, name): (usize, &Name)| {
        // A duplicate name is charged twice.
        let before = names[..at].iter().filter(|earlier| *earlier == name).count();
        let mut bound = run.bounds.get(name).copied().unwrap_or(Bound::new(0));
        let charged = (0..=before).try_for_each(|_| bound.charge());
        charged.err().map(|full| Hold::Exhausted { bound: name.clone(), used: full.used })
    };
    names.iter().enumerate().find_map(full)
}

/// Returns the bounds after a begin of `unit`, or the hold if one is exhausted.
pub(crate) fn charge<P>(run: &Run<P>, unit: &Unit) -> Result<BTreeMap<Name, Bound>, Hold> {
    let mut bounds = run.bounds.clone();
    for name in charges(run, unit) {
        let charged = bounds.get_mut(&name).map(Bound::charge);
        match charged {
            Some(Ok(())) => {}
            Some(Err(full)) => return Err(Hold::Exhausted { bound: name, used: full.used }),
            None => return Err(Hold::Exhausted { bound: name, used: 0 }),
        }
    }
    Ok(bounds)
}

fn is_retry<P>(run: &Run<P>, unit: &Unit) -> bool {
    run.failed.get(&unit.id).is_some_and(LastFailure::counts)
}

/// Returns the hold for repeated failures or losses, if any.
fn stuck<P>(run: &Run<P>, unit: &Unit) -> Option<Hold> {
    if let Some(red) = run.failed.get(&unit.id).filter(|red| red.same >= LastFailure::LIMIT) {
        let what = Stuck::SameFailure { gate: red.receipt.gate.clone(), times: red.same };
        return Some(Hold::NoProgress { what });
    }
    let LossCount { times, why } = run.lost.get(&unit.id).filter(|lost| lost.times >= LOSSES)?;
    let what = Stuck::Lost { unit: unit.id.clone(), times: *times, why: why.clone() };
    Some(Hold::NoProgress { what })
}

/// Returns the number of the retry that is in progress or comes next, if the unit failed before.
pub(crate) fn retry<P>(run: &Run<P>, unit: &Unit) -> Option<Retry> {
    let counted = unit.retries.first().and_then(|name| run.bounds.get(name));
    counted.filter(|_| is_retry(run, unit)).map(|bound| {
        let is_begun = run.attempt_of(&unit.id).is_some();
        let coming = u32::from(!is_begun && !bound.is_exhausted());
        Retry { number: bound.used() + coming, max: bound.max() }
    })
}
