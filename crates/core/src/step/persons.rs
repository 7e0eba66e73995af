//! Signals of persons, of ownership, and those that only the machine understands.

use super::Step;
use crate::event::{
    EffectPerformed, RunAnswered, RunCancelled, RunClaimed, RunDid, RunLooked, RunPaused,
    RunReleased, RunResumed,
};
use crate::{Bound, Denied, Effect, Hold, KernelDecision, Machine, Name, Next, SessionId, next};

impl<M: Machine> Step<'_, M> {
    /// Holds the whole run; a finished one only for a change that no person has accepted.
    pub(super) fn pause(&mut self, hold: &Hold) -> Result<(), Denied> {
        if !hold.is_change() {
            self.not_done()?;
        }
        let until = hold.ends();
        self.tell(RunPaused { why: hold.said(), until });
        if let Some(at) = until {
            self.run.stop_walls(None, at, self.facts.now);
        }
        self.run.hold = Some(hold.clone().after(self.run.hold.take()));
        Ok(())
    }

    /// Resumes everything: removes holds and resets exhausted bounds, but keeps the evidence.
    pub(super) fn resume(&mut self) -> Result<(), Denied> {
        self.run.hold = None;
        for attempt in &mut self.run.attempts {
            attempt.hold = None;
        }
        self.run.renew(Bound::is_exhausted);
        for red in self.run.failed.values_mut() {
            red.same = 0;
        }
        self.run.lost.clear();
        let now = self.facts.now;
        self.run.deadline = self.run.deadline.map(|deadline| deadline.renewed(now));
        self.run.renew_walls(now);
        self.hear(&KernelDecision::Resumed)?;
        self.tell(RunResumed::default());
        Ok(())
    }

    /// Applies an answer to a question.
    pub(super) fn answered(&mut self, text: &str) -> Result<(), Denied> {
        for attempt in &mut self.run.attempts {
            attempt.hold.take_if(|hold| hold.question().is_some());
        }
        self.run.renew_walls(self.facts.now);
        self.hear(&KernelDecision::Answered { text })?;
        self.tell(RunAnswered { text: text.to_owned() });
        Ok(())
    }

    /// Cancels the run permanently; its attempts are killed.
    pub(super) fn cancel(&mut self) {
        let kills = self.run.attempts.drain(..).map(|gone| Effect::Kill { fence: gone.fence });
        self.run.outbox.extend(kills);
        self.run.cancelled = true;
        self.tell(RunCancelled);
    }

    /// Makes `session` the owner, unless another session is.
    pub(super) fn claimed(&mut self, session: &SessionId) -> Result<(), Denied> {
        if self.run.owner.as_ref().is_some_and(|owner| owner != session) {
            return Err(Denied::Foreign { owner: self.run.owner.clone() });
        }
        self.run.owner = Some(session.clone());
        self.tell(RunClaimed { session: session.to_string() });
        Ok(())
    }

    /// Removes the owner of the run; its attempts wait for the next one.
    pub(super) fn released(&mut self) -> Result<(), Denied> {
        let owner = self.run.owner.take().ok_or(Denied::Foreign { owner: None })?;
        for attempt in &mut self.run.attempts {
            attempt.session.take_if(|session| *session == owner);
        }
        self.tell(RunReleased { session: owner.to_string() });
        Ok(())
    }

    /// Passes a verb to the machine; charges the run's bound of that name, if there is one.
    pub(super) fn verb(&mut self, verb: &str) -> Result<(), Denied> {
        self.not_held()?;
        let bound = Name::parse(verb).ok();
        let charged = bound.and_then(|name| Some((self.run.bounds.get_mut(&name)?.charge(), name)));
        if let Some((Err(full), bound)) = charged {
            return Err(Denied::Held(Hold::Exhausted { bound, used: full.used }));
        }
        self.hear(&KernelDecision::Do { verb })?;
        self.tell(RunDid { verb: verb.to_owned(), session: None });
        Ok(())
    }

    /// Lets the machine refresh its view of the outside.
    pub(super) fn look(&mut self) -> Result<(), Denied> {
        self.hear(&KernelDecision::Look)?;
        self.tell(RunLooked);
        Ok(())
    }

    /// Removes an effect from the outbox; this is possible in a cancelled run, too.
    pub(super) fn performed(&mut self, effect: &Effect) -> Result<(), Denied> {
        let at = self.run.outbox.iter().position(|due| due == effect);
        let at = at.ok_or_else(|| Denied::Refused { why: "this effect is not due".to_owned() })?;
        self.run.outbox.remove(at);
        self.tell(EffectPerformed { effect: Some(effect.into()) });
        Ok(())
    }

    fn not_done(&self) -> Result<(), Denied> {
        match next::<M>(self.definition, &self.run, self.facts) {
            Next::Done | Next::Cancelled => Err(Denied::Over),
            Next::Units(_) | Next::Wait { .. } | Next::Held(_) | Next::Ask(_) => Ok(()),
        }
    }
}
