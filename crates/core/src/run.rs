use std::collections::BTreeMap;

use crate::basis::InputKeys;
use crate::{
    Attempt, Bound, Deadline, Effect, Fence, Hold, LastFailure, LossCount, Machine, Name, RunId,
    SessionId, Time, UnitId,
};

/// The state that all runs share; a machine adds only its position.
///
/// The fields change only in `step`, so every run is reachable by signals. Whether it is ready,
/// working, held or done is computed by `next` and not stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Run<P> {
    pub(crate) id: RunId,
    pub(crate) subject: Option<(RunId, UnitId)>,
    pub(crate) owner: Option<SessionId>,
    pub(crate) hold: Option<Hold>,
    pub(crate) cancelled: bool,
    pub(crate) deadline: Option<Deadline>,
    pub(crate) bounds: BTreeMap<Name, Bound>,
    pub(crate) failed: BTreeMap<UnitId, LastFailure>,
    pub(crate) lost: BTreeMap<UnitId, LossCount>,
    /// The inputs for which agents of units were sent back; once per unit.
    pub(crate) sent_back: BTreeMap<UnitId, InputKeys>,
    pub(crate) walls: BTreeMap<Name, Deadline>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) outbox: Vec<Effect>,
    pub(crate) position: P,
}

impl<P: Clone> Run<P> {
    /// Creates a fresh run of machine `M` without an owner.
    pub fn new<M>(id: RunId, definition: &M::Definition, position: P) -> Self
    where
        M: Machine<Position = P>,
    {
        let limits = M::limits(definition).into_iter();
        Self {
            id,
            subject: None,
            owner: None,
            hold: None,
            cancelled: false,
            deadline: None,
            bounds: limits.map(|(name, max)| (name, Bound::new(max))).collect(),
            failed: BTreeMap::new(),
            lost: BTreeMap::new(),
            sent_back: BTreeMap::new(),
            walls: BTreeMap::new(),
            attempts: Vec::new(),
            outbox: Vec::new(),
            position,
        }
    }

    /// Links the run to a unit of another run; its end is the end of that attempt.
    #[must_use]
    pub fn on(mut self, run: RunId, unit: UnitId) -> Self {
        self.subject = Some((run, unit));
        self
    }

    /// Adds the bounds of a changed definition; existing ones keep their counts.
    pub fn learn<M>(&mut self, definition: &M::Definition)
    where
        M: Machine<Position = P>,
    {
        for (name, max) in M::limits(definition) {
            self.bounds.entry(name).or_insert_with(|| Bound::new(max));
        }
    }

    /// Sets the position, as recorded in another document.
    #[must_use]
    pub fn at(mut self, position: P) -> Self {
        self.position = position;
        self
    }

    /// Sets a deadline.
    #[must_use]
    pub fn until(mut self, deadline: Deadline) -> Self {
        self.deadline = Some(deadline);
        self
    }
}

impl<P: Clone> Run<P> {
    /// Returns the run without unused bounds, except those that are `wanted`: a reader adds them
    /// again.
    #[must_use]
    pub fn trimmed(&self, wanted: impl Fn(&Name) -> bool) -> Self {
        let mut run = self.clone();
        run.bounds.retain(|name, bound| bound.used() > 0 || bound.refunded() || wanted(name));
        run
    }
}

impl<P> Run<P> {
    pub const fn id(&self) -> &RunId {
        &self.id
    }

    /// Returns the unit of another run that it works on.
    pub const fn subject(&self) -> Option<&(RunId, UnitId)> {
        self.subject.as_ref()
    }

    /// Returns the session that drives it.
    pub const fn owner(&self) -> Option<&SessionId> {
        self.owner.as_ref()
    }

    pub const fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    pub const fn bounds(&self) -> &BTreeMap<Name, Bound> {
        &self.bounds
    }

    /// Returns the last failure of each unit that has one.
    pub const fn failed(&self) -> &BTreeMap<UnitId, LastFailure> {
        &self.failed
    }

    /// Returns the inputs for which the agent of a unit was sent back, if it was.
    pub fn sent_back(&self, unit: &UnitId) -> Option<&InputKeys> {
        self.sent_back.get(unit)
    }

    /// Returns the number of consecutive losses of a unit's attempts.
    pub fn lost(&self, unit: &UnitId) -> u32 {
        self.lost.get(unit).map_or(0, |loss| loss.times)
    }

    /// Returns the attempts in progress, oldest first.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// Returns the decided effects that are not yet reported as performed.
    pub fn outbox(&self) -> &[Effect] {
        &self.outbox
    }

    pub const fn position(&self) -> &P {
        &self.position
    }

    pub fn attempt_of(&self, unit: &UnitId) -> Option<&Attempt> {
        self.attempts.iter().find(|attempt| attempt.unit == *unit)
    }

    /// Returns the hold of the whole run at `now`: a person's, or the end of its time.
    pub fn standing_hold(&self, now: Time) -> Option<Hold> {
        let late = self.deadline.filter(|deadline| now >= deadline.at);
        self.hold
            .clone()
            .filter(|hold| hold.stands(now))
            .or_else(|| late.map(|_| Hold::Exhausted { bound: Deadline::NAME, used: 1 }))
    }

    /// Returns the time limit in milliseconds, if there is one.
    pub fn wall_millis(&self) -> Option<u32> {
        self.deadline.map(|deadline| deadline.wall_millis)
    }

    pub(crate) fn find(&self, fence: Fence) -> Option<usize> {
        self.attempts.iter().position(|attempt| attempt.fence == fence)
    }

    /// Resets the bounds selected by `fresh`; earlier charges will not be refunded.
    pub(crate) fn renew(&mut self, fresh: impl Fn(&Bound) -> bool) {
        for (name, bound) in self.bounds.iter_mut().filter(|(_, bound)| fresh(bound)) {
            bound.renew();
            for attempt in &mut self.attempts {
                attempt.spent.retain(|spent| spent != name);
            }
        }
    }
}
