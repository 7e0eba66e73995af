//! One decision about an agent's assignment: its documents are read, something is decided, and
//! everything that follows from it is one commit.

use sprag_core::inbox::{Slot, Who};
use sprag_core::{Agent, Attempt, Event, Facts, Fence, Time, UnitId};
use sprag_store::View;

use super::assign::{Sent, note_adoption};
use super::run;
use super::seat::{Seat, facts};
use crate::clock;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::tx::Draft;

/// An agent's seat while something is decided about it, and what is to be written.
pub(super) struct Decision<'v, 's> {
    pub(super) view: &'v View<'s>,
    pub(super) seat: Seat,
    pub(super) facts: Facts,
    pub(super) draft: Draft,
    /// What the agent had before.
    pub(super) before: Slot,
    /// The attempt that it had before.
    pub(super) fence: Option<Fence>,
}

impl<'v, 's> Decision<'v, 's> {
    /// Reads what the agent has; a step of somebody else's is taken over with whatever is decided.
    pub(super) fn load(view: &'v View<'s>, agent: &Agent) -> Result<Self, EngineError> {
        let now = clock::now();
        Self::of(view, Seat::load(view, agent, None, now)?, now)
    }

    /// Reads what the agent has for a person, who may say that work is over which somebody took off.
    pub(super) fn load_for_person(view: &'v View<'s>, agent: &Agent) -> Result<Self, EngineError> {
        let now = clock::now();
        Self::of(view, Seat::load_for_person(view, agent, now)?, now)
    }

    fn of(view: &'v View<'s>, seat: Seat, now: Time) -> Result<Self, EngineError> {
        let mut draft = Draft::default();
        note_adoption(&seat, &mut draft)?;
        let before = seat.slice.slot();
        let fence = seat.slice.attempt().map(Attempt::fence);
        Ok(Self { view, seat, facts: facts(view, now), draft, before, fence })
    }

    /// Returns the unit that it is about.
    pub(super) fn unit(&self) -> Option<&UnitId> {
        self.before.unit()
    }

    /// Returns the moment of the decision.
    pub(super) fn now(&self) -> Time {
        self.facts.now
    }

    /// Writes what was decided.
    pub(super) fn settle(&mut self, events: Vec<Event>) -> Result<(), EngineError> {
        self.seat.save(&mut self.draft)?;
        self.draft.tell(&run()?, events);
        Ok(())
    }

    /// Returns what came of it.
    pub(super) fn sent(&self, said: String) -> Sent {
        let status = self.seat.slice.slot().status();
        Sent { unit: self.unit().cloned(), fence: self.fence, status, said }
    }
}

impl Engine<'_> {
    /// Decides something about an agent's assignment and commits it.
    pub(super) fn decide<T>(
        &self,
        agent: &Agent,
        who: &Who,
        decide: impl Fn(&mut Decision<'_, '_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.commit_at_once(who.name(), PATIENT, |view| {
            let mut decision = match who {
                Who::Person => Decision::load_for_person(view, agent)?,
                Who::Mayor | Who::Agent(_) => Decision::load(view, agent)?,
            };
            let decided = decide(&mut decision)?;
            Ok((decision.draft, decided))
        })
    }
}
