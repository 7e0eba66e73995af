//! The begin of an attempt: all checks first, then the charge.

use super::Step;
use crate::event::AttemptBegan;
use crate::unit_states::{Survey, UnitState, charge, charges, survey};
use crate::{
    Agent, Attempt, Denied, Fence, KernelDecision, Machine, Next, SessionId, Unit, UnitId,
};

impl<M: Machine> Step<'_, M> {
    /// Begins an attempt of `id` and charges its bounds in the same step.
    pub(super) fn begin(
        &mut self,
        id: &UnitId,
        agent: Option<&Agent>,
        session: Option<&SessionId>,
    ) -> Result<(), Denied> {
        self.not_held()?;
        self.not_foreign(session)?;
        let unit = self.ready(id)?;
        let fence = self.new_fence()?;
        if let Some(agent) = agent
            && self.run.attempts.iter().any(|attempt| attempt.agent.as_ref() == Some(agent))
        {
            return Err(Denied::Busy { agent: agent.clone() });
        }
        let spent = charges(&self.run, &unit);
        self.run.bounds = charge(&self.run, &unit).map_err(Denied::Held)?;
        self.run.start_wall(&unit, self.facts.now);
        let mut locks = unit.locks.clone();
        locks.sort();
        locks.dedup();
        self.run.attempts.push(Attempt {
            fence,
            unit: unit.id.clone(),
            agent: agent.cloned(),
            session: session.cloned(),
            claimed: false,
            spent,
            locks,
            wall: unit.wall.as_ref().map(|wall| wall.name.clone()),
            hold: None,
        });
        self.hear(&KernelDecision::Began { unit: &unit })?;
        self.tell(AttemptBegan {
            fence,
            unit: id.to_string(),
            agent: agent.map(ToString::to_string),
            session: session.map(ToString::to_string),
        });
        Ok(())
    }

    /// Returns the unit if it can begin now.
    fn ready(&self, id: &UnitId) -> Result<Unit, Denied> {
        let not_ready = || Denied::NotReady { unit: id.clone() };
        let units = match survey::<M>(self.definition, &self.run, self.facts) {
            Survey::Units(units) => units,
            Survey::Other(Next::Ask(asks)) => return Err(Denied::Needs(asks)),
            Survey::Other(Next::Held(hold)) => return Err(Denied::Held(hold)),
            Survey::Other(Next::Done | Next::Cancelled) => return Err(Denied::Over),
            Survey::Other(Next::Wait { .. } | Next::Units(_)) => return Err(not_ready()),
        };
        let found = units.into_iter().find(|(unit, _)| unit.id == *id);
        match found.ok_or_else(not_ready)? {
            (unit, UnitState::Ready) => Ok(unit),
            (_, UnitState::Begun) => Err(not_ready()),
            (_, UnitState::Locked { lock, by }) => Err(Denied::Locked { lock, by }),
            (_, UnitState::Held(hold)) => Err(Denied::Held(hold)),
        }
    }

    /// Returns the fence for a begin in this commit; one commit begins at most one unit of a run.
    fn new_fence(&self) -> Result<Fence, Denied> {
        let fence = Fence(self.facts.seq);
        let newest = self.run.attempts.iter().map(|attempt| attempt.fence).max();
        if newest.is_some_and(|newest| newest >= fence) {
            return Err(Denied::Stale { fence });
        }
        Ok(fence)
    }

    fn not_foreign(&self, session: Option<&SessionId>) -> Result<(), Denied> {
        match (&self.run.owner, session) {
            (Some(owner), Some(session)) if owner != session => {
                Err(Denied::Foreign { owner: Some(owner.clone()) })
            }
            (Some(_) | None, Some(_) | None) => Ok(()),
        }
    }
}
