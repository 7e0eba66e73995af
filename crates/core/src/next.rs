//! Computes the next step of a run: the answer of `sprag next`, and the basis of the runner and the
//! host hook.

use crate::unit_states::{Survey, UnitState, survey};
use crate::{Facts, Hold, Machine, Next, Run, Time, Unit, UnitId};

pub fn next<M: Machine>(definition: &M::Definition, run: &Run<M::Position>, facts: &Facts) -> Next {
    if run.is_cancelled() {
        return Next::Cancelled;
    }
    if let Some(hold) = whole_hold::<M>(definition, run, facts) {
        return timed(hold);
    }
    match survey::<M>(definition, run, facts) {
        Survey::Units(units) => among(run, units, facts.now),
        Survey::Other(other @ (Next::Done | Next::Held(_))) => {
            from_attempts(run, facts.now).unwrap_or(other)
        }
        Survey::Other(other) => other,
    }
}

/// Returns the hold of the whole run. A finished run is not held by a pause that came during its
/// last unit; only a change of the documents that judge it puts its end in doubt.
pub(crate) fn whole_hold<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    facts: &Facts,
) -> Option<Hold> {
    let is_over = || run.attempts.is_empty() && M::next(definition, run, facts) == Next::Done;
    run.standing_hold(facts.now).filter(|hold| hold.is_change() || !is_over())
}

fn among<P>(run: &Run<P>, units: Vec<(Unit, UnitState)>, now: Time) -> Next {
    let mut ready = Vec::new();
    let mut stuck = None;
    for (unit, state) in units {
        match state {
            UnitState::Ready => ready.push(unit),
            UnitState::Held(hold) => stuck = stuck.or(Some(hold)),
            UnitState::Begun | UnitState::Locked { .. } => {}
        }
    }
    if !ready.is_empty() {
        return Next::Units(ready);
    }
    from_attempts(run, now)
        .or(stuck.map(Next::Held))
        .unwrap_or_else(|| Next::Wait { on: "work".to_owned(), until: None })
}

/// Returns the next step as far as the attempts decide it: wait for a running one, else for one
/// that continues by itself, else report the hold.
fn from_attempts<P>(run: &Run<P>, now: Time) -> Option<Next> {
    let running = run.attempts.iter().find(|attempt| run.hold_of(attempt, now).is_none());
    if let Some(attempt) = running {
        return Some(Next::Wait { on: attempt.unit.to_string(), until: None });
    }
    let holds = || run.attempts.iter().filter_map(|attempt| run.hold_of(attempt, now));
    holds().min_by_key(|hold| (hold.ends().is_none(), hold.ends())).map(timed)
}

fn timed(hold: Hold) -> Next {
    match hold.ends() {
        Some(at) => Next::Wait { on: hold.said(), until: Some(at) },
        None => Next::Held(hold),
    }
}

/// Returns the units in progress, including the data that only the kernel adds.
pub fn begun<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    facts: &Facts,
) -> Vec<Unit> {
    match survey::<M>(definition, run, facts) {
        Survey::Units(units) => {
            let begun = units.into_iter().filter(|(_, state)| *state == UnitState::Begun);
            begun.map(|(unit, _)| unit).collect()
        }
        Survey::Other(_) => Vec::new(),
    }
}

/// Returns the unit with this id, as the machine and the kernel see it now.
pub(crate) fn unit_of(units: &[(Unit, UnitState)], id: &UnitId) -> Option<Unit> {
    units.iter().find(|(unit, _)| unit.id == *id).map(|(unit, _)| unit.clone())
}
