//! The view of `next` from a session that wants to stop.

use crate::next::unit_of;
use crate::unit_states::{Survey, survey};
use crate::{Ask, Attempt, Facts, Hold, Machine, Next, Run, StopCounter, Unit, next};

/// The vote of a run on the stop of a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vote {
    /// No objection: the run does not concern this session, is held, or is done.
    Silent,
    /// The session may stop, because a person must answer first.
    Yield {
        /// The question.
        why: String,
    },
    /// The session may not stop: this unit needs work.
    Refuse { unit: Box<Unit> },
}

/// Returns the vote of `run` on the stop of the session at `desk`, or the facts that must be known
/// first.
pub fn vote<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    desk: &StopCounter,
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

/// Votes for a run in which the session has its own attempts.
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
    // A claim does not outweigh a gate: a known failure on these files means that the unit is not
    // done.
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
