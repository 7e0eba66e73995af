//! `next`, seen from one session that wants to stop.

use crate::next::unit_of;
use crate::survey::{Survey, survey};
use crate::{Ask, Attempt, Desk, Facts, Hold, Machine, Next, Run, Unit, next};

/// What one run says to a session that wants to stop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vote {
    /// Nothing: the run does not concern this session, or is held, or is done.
    Silent,
    /// It may stop, because something else must come first.
    Yield {
        /// What must come first.
        why: String,
    },
    /// It may not stop: this is to be worked on.
    Refuse {
        /// What is to be worked on.
        unit: Box<Unit>,
    },
}

/// Returns what `run` says to the session at `desk`, or what must be known first.
pub fn vote<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    desk: &Desk,
    facts: &Facts,
) -> Result<Vote, Vec<Ask>> {
    if run.is_cancelled() || run.standing_hold(facts.now).is_some() {
        return Ok(Vote::Silent);
    }
    let mine: Vec<_> =
        run.attempts().iter().filter(|a| a.session() == Some(&desk.session)).collect();
    if !mine.is_empty() {
        return of_attempts::<M>(definition, run, &mine, facts);
    }
    if run.owner() != Some(&desk.session) {
        return Ok(Vote::Silent);
    }
    match next::<M>(definition, run, facts) {
        Next::Ask(asks) => Err(asks),
        Next::Units(units) => {
            let may = |unit: &Unit| unit.role.is_none() || unit.role == desk.role;
            Ok(units.into_iter().find(may).map_or(Vote::Silent, refuse))
        }
        Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled => Ok(Vote::Silent),
    }
}

/// Returns the vote of a run in which the session has attempts of its own.
fn of_attempts<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    mine: &[&Attempt],
    facts: &Facts,
) -> Result<Vote, Vec<Ask>> {
    let question = mine.iter().find_map(|attempt| attempt.hold().and_then(Hold::question));
    if let Some(why) = question {
        return Ok(Vote::Yield { why: why.to_owned() });
    }
    let units = match survey::<M>(definition, run, facts) {
        Survey::Units(units) => units,
        Survey::Other(Next::Ask(asks)) => return Err(asks),
        Survey::Other(
            Next::Units(_) | Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled,
        ) => return Ok(Vote::Silent),
    };
    // A word does not outweigh a gate: what is known to fail on these files is not done.
    let is_red = |attempt: &Attempt| {
        run.failed().get(attempt.unit()).is_some_and(|red| red.tree() == facts.tree)
    };
    let works = |attempt: &&&Attempt| {
        let child = (run.id().clone(), attempt.unit().clone());
        (!attempt.is_claimed() || is_red(attempt))
            && run.hold_of(attempt, facts.now).is_none()
            && !facts.subjects.contains(&child)
    };
    let unit = mine.iter().filter(works).find_map(|attempt| unit_of(&units, attempt.unit()));
    Ok(unit.map_or(Vote::Silent, refuse))
}

fn refuse(unit: Unit) -> Vote {
    Vote::Refuse { unit: Box::new(unit) }
}
