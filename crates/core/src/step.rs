//! Processes a signal: the only way to change a run.
//!
//! A step is a pure function. It returns a new run with its events, or it is denied and nothing has
//! changed. The engine commits the result and then acts.

mod begin;
mod end;
mod persons;

use crate::event::{AttemptBound, AttemptClaimed, AttemptStalled};
use crate::{
    Bound, Counts, Denied, Event, Facts, Fence, Hold, KernelDecision, Machine, Run, SessionId,
    Signal,
};

/// A run after a signal, with the events for the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped<P> {
    /// The new run.
    pub run: Run<P>,
    /// The events in order.
    pub events: Vec<Event>,
}

/// Processes `signal` in `run`.
pub fn step<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    signal: &Signal,
    facts: &Facts,
) -> Result<Stepped<M::Position>, Denied> {
    let (run, events, claims) = (run.clone(), Vec::new(), Vec::new());
    let mut step = Step::<M> { definition, facts, run, events, claims };
    step.take(signal)?;
    Ok(Stepped { run: step.run, events: step.events })
}

/// A step in progress: the run is a copy until it is returned.
struct Step<'a, M: Machine> {
    definition: &'a M::Definition,
    facts: &'a Facts,
    run: Run<M::Position>,
    events: Vec<Event>,
    /// The claims of the unit in the last decision.
    claims: Vec<String>,
}

impl<M: Machine> Step<'_, M> {
    fn take(&mut self, signal: &Signal) -> Result<(), Denied> {
        if let Signal::Performed { effect } = signal {
            return self.performed(effect);
        }
        if self.run.cancelled {
            return Err(Denied::Over);
        }
        match signal {
            Signal::Performed { effect } => self.performed(effect),
            Signal::Begin { unit, agent, session } => {
                self.begin(unit, agent.as_ref(), session.as_ref())
            }
            Signal::Attach { fence, session } => self.bind(*fence, session),
            Signal::ReportDone { fence, session } => self.claim(*fence, session),
            Signal::End { fence, word, receipts, worth } => {
                self.end(*fence, word, receipts, worth.as_ref())
            }
            Signal::Lost { fence, ran, why } => self.lost(*fence, *ran, why),
            Signal::Hold { fence, hold } => self.stall(*fence, hold),
            Signal::Verb { verb } => self.verb(verb),
            Signal::Refresh => self.look(),
            Signal::Pause { hold } => self.pause(hold),
            Signal::Resume => self.resume(),
            Signal::Answered { text } => self.answered(text),
            Signal::Cancel => {
                self.cancel();
                Ok(())
            }
            Signal::Claimed { session } => self.claimed(session),
            Signal::Released => self.released(),
        }
    }

    /// Returns the index of the attempt with this fence.
    fn live(&self, fence: Fence) -> Result<usize, Denied> {
        self.run.find(fence).ok_or(Denied::Stale { fence })
    }

    fn bind(&mut self, fence: Fence, session: &SessionId) -> Result<(), Denied> {
        let at = self.live(fence)?;
        self.not_held()?;
        let attempt = &mut self.run.attempts[at];
        if attempt.session.as_ref().is_some_and(|owner| owner != session) {
            return Err(Denied::Foreign { owner: attempt.session.clone() });
        }
        attempt.session = Some(session.clone());
        self.tell(AttemptBound { fence, session: session.to_string() });
        Ok(())
    }

    fn claim(&mut self, fence: Fence, session: &SessionId) -> Result<(), Denied> {
        let at = self.live(fence)?;
        self.not_held()?;
        let attempt = &mut self.run.attempts[at];
        if attempt.session.as_ref() != Some(session) {
            return Err(Denied::Foreign { owner: attempt.session.clone() });
        }
        attempt.claimed = true;
        self.tell(AttemptClaimed { fence, session: session.to_string() });
        Ok(())
    }

    fn stall(&mut self, fence: Fence, hold: &Hold) -> Result<(), Denied> {
        let at = self.live(fence)?;
        if let (Some(then), Some(wall)) = (hold.ends(), self.run.attempts[at].wall.clone()) {
            self.run.stop_walls(Some(&wall), then, self.facts.now);
        }
        self.hold_attempt(at, hold.clone());
        Ok(())
    }

    fn hold_attempt(&mut self, at: usize, hold: Hold) {
        let attempt = &mut self.run.attempts[at];
        let fence = attempt.fence;
        let why = hold.to_string();
        attempt.hold = Some(hold);
        self.tell(AttemptStalled { fence, why });
    }

    /// Denies while the whole run is held.
    fn not_held(&self) -> Result<(), Denied> {
        self.run.standing_hold(self.facts.now).map_or(Ok(()), |hold| Err(Denied::Held(hold)))
    }

    /// Passes a decision to the machine and applies its response.
    fn hear(&mut self, heard: &KernelDecision<'_>) -> Result<(), Denied> {
        let to = M::step(self.definition, &self.run, heard, self.facts)?;
        self.run.position = to.position;
        self.run.outbox.extend(to.effects);
        self.events.extend(to.events);
        self.claims = to.claims;
        match to.counts {
            Counts::Keep => {}
            Counts::Forget(names) => {
                self.run.bounds.retain(|name, _| !names.contains(name));
                self.run.walls.retain(|name, _| !names.contains(name));
                self.run.learn::<M>(self.definition);
            }
            Counts::Renew => {
                self.run.renew(|_: &Bound| true);
                self.run.walls.clear();
                self.run.failed.clear();
                self.run.lost.clear();
            }
        }
        Ok(())
    }

    fn tell(&mut self, event: impl Into<Event>) {
        self.events.push(event.into());
    }
}
