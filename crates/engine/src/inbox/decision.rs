//! One decision about an agent's assignment: it reads the documents, decides, and commits all
//! consequences at once.

use sprag_core::inbox::{Slot, Who};
use sprag_core::{Agent, Attempt, Event, Facts, Fence, Time, UnitId};
use sprag_store::View;
use sprag_world::clock;

use super::assign::{Sent, note_adoption};
use super::assignment_files::{AssignmentFiles, facts};
use super::run;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// An agent's assignment during a decision, with the writes collected so far.
pub(super) struct InboxDecision<'v, 's> {
    pub(super) view: &'v View<'s>,
    pub(super) seat: AssignmentFiles,
    pub(super) facts: Facts,
    pub(super) draft: Draft,
    /// The slot before the decision.
    pub(super) before: Slot,
    /// The fence before the decision.
    pub(super) fence: Option<Fence>,
}

impl<'v, 's> InboxDecision<'v, 's> {
    /// Loads an agent's assignment. Another tool's change is adopted with the commit.
    pub(super) fn load(view: &'v View<'s>, agent: &Agent) -> Result<Self, EngineError> {
        let now = clock::now();
        Self::of(view, AssignmentFiles::load(view, agent, None, now)?, now)
    }

    /// Loads an assignment for a person, who may accept that another tool cleared work in progress.
    pub(super) fn load_for_person(view: &'v View<'s>, agent: &Agent) -> Result<Self, EngineError> {
        let now = clock::now();
        Self::of(view, AssignmentFiles::load_for_person(view, agent, now)?, now)
    }

    fn of(view: &'v View<'s>, seat: AssignmentFiles, now: Time) -> Result<Self, EngineError> {
        let mut draft = Draft::default();
        note_adoption(&seat, &mut draft)?;
        let before = seat.slice.slot();
        let fence = seat.slice.attempt().map(Attempt::fence);
        Ok(Self { view, seat, facts: facts(view, now), draft, before, fence })
    }

    /// Returns the unit at the beginning of the decision.
    pub(super) fn unit(&self) -> Option<&UnitId> {
        self.before.unit()
    }

    pub(super) fn now(&self) -> Time {
        self.facts.now
    }

    /// Writes the assignment and its events.
    pub(super) fn settle(&mut self, events: Vec<Event>) -> Result<(), EngineError> {
        self.seat.save(&mut self.draft)?;
        self.draft.tell(&run()?, events);
        Ok(())
    }

    /// Builds the verb's result.
    pub(super) fn sent(&self, said: String) -> Sent {
        let status = self.seat.slice.slot().status();
        Sent { unit: self.unit().cloned(), fence: self.fence, status, said }
    }
}

impl Engine<'_> {
    /// Makes a decision about an agent's assignment and commits it.
    pub(super) fn decide<T>(
        &self,
        agent: &Agent,
        who: &Who,
        decide: impl Fn(&mut InboxDecision<'_, '_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.commit_at_once(who.name(), PATIENT, |view| {
            let mut decision = match who {
                Who::Person => InboxDecision::load_for_person(view, agent)?,
                Who::Mayor | Who::Agent(_) => InboxDecision::load(view, agent)?,
            };
            let decided = decide(&mut decision)?;
            Ok((decision.draft, decided))
        })
    }
}
