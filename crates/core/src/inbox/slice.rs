//! One agent and the unit at hand: every step of the lifecycle is a function of this.
//!
//! The steps go through the kernel, so an assignment is begun, bound, claimed, ended and lost like
//! any other attempt. What is checked here first is what the original checks, in its own words.

use super::{
    Definition, Drift, FOREIGN, Holder, Inbox, Job, Position, Refusal, Request, Slot, Status,
    Tally, Verb, Was, Work, drift,
};
use crate::event::AttemptBound;
use crate::{
    Agent, Attempt, Desk, Event, Facts, Fence, Hold, Prompt, Ran, RequestKey, Run, RunId,
    SessionId, Signal, Unit, UnitId, Vote, Word, prompt, step, vote, waiting,
};

/// One agent of the inbox, and the unit that it has or is to be given.
#[derive(Clone, Debug)]
pub struct Slice {
    agent: Agent,
    holder: Holder,
    definition: Definition,
    run: Run<Position>,
}

impl Slice {
    /// Puts together what is known. `found` is what the agent's own document says, as far as it
    /// counts, and must not be strange; a step of somebody else's is taken over with the fence that
    /// `facts` give.
    pub fn new(
        id: RunId,
        agent: Agent,
        mut holder: Holder,
        found: &Slot,
        job: Option<(Job, Work)>,
        tally: Tally,
        facts: &Facts,
    ) -> Self {
        let (job, work) = job.unzip();
        let mut position = Position { work: work.unwrap_or(Work::Open) };
        if matches!(drift(holder.known.as_ref(), found), Drift::Legal | Drift::Emptied) {
            if let (Slot::Empty, Some(known)) = (found, &holder.known) {
                position.work = taken_off(known, position.work);
            }
            adopt(&agent, &mut holder, found, Fence(facts.seq));
        }
        Self::of(id, agent, holder, (job, position), tally)
    }

    /// Puts together what is known of an agent that was never given anything.
    pub fn absent(id: RunId, agent: Agent, job: Option<(Job, Work)>, tally: Tally) -> Self {
        let (job, work) = job.unzip();
        let position = Position { work: work.unwrap_or(Work::Open) };
        Self::of(id, agent, Holder::default(), (job, position), tally)
    }

    fn of(
        id: RunId,
        agent: Agent,
        holder: Holder,
        (job, position): (Option<Job>, Position),
        tally: Tally,
    ) -> Self {
        let definition = Definition { job, retry: Definition::RETRY };
        let mut run = Run::new::<Inbox>(id, &definition, position);
        run.bounds.extend(tally.bounds);
        (run.failed, run.lost) = (tally.failed, tally.lost);
        run.attempts.extend(holder.attempt.clone());
        Self { agent, holder, definition, run }
    }

    /// Returns the agent.
    pub const fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Returns the unit at hand.
    pub const fn job(&self) -> Option<&Job> {
        self.definition.job.as_ref()
    }

    /// Returns the attempt behind the assignment.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.run.attempts.first()
    }

    /// Returns where the assignment stands.
    pub fn slot(&self) -> Slot {
        let Some(attempt) = self.attempt() else { return Slot::Empty };
        let unit = attempt.unit.clone();
        match (attempt.claimed, &attempt.session) {
            (true, _) => Slot::Completed(unit),
            (false, Some(_)) => Slot::Active(unit),
            (false, None) => Slot::Pending(unit),
        }
    }

    /// Returns where the unit stands, as its document is to say it.
    pub fn work(&self) -> Work {
        let work = &self.run.position.work;
        match (self.slot().status(), work) {
            (Status::Pending, Work::Open) => Work::Hooked,
            (Status::Active | Status::Completed, Work::Open | Work::Hooked) => Work::InProgress,
            (Status::Empty | Status::Pending | Status::Active | Status::Completed, _) => {
                work.clone()
            }
        }
    }

    /// Returns what is to be kept of the agent.
    pub fn holder(&self) -> Holder {
        let (known, attempt) = (Some(self.slot()), self.attempt().cloned());
        Holder { known, attempt, ..self.holder.clone() }
    }

    /// Returns what is to be kept of the unit.
    pub fn tally(&self) -> Tally {
        let run = &self.run;
        let (failed, lost) = (run.failed.clone(), run.lost.clone());
        Tally { bounds: run.bounds.clone(), failed, lost }
    }

    /// Returns what it says to a session that wants to stop, and to nobody else.
    pub fn vote(&self, desk: &Desk, facts: &Facts) -> Vote {
        vote::<Inbox>(&self.definition, &self.run, desk, facts).unwrap_or(Vote::Silent)
    }

    /// Returns the prompt of the agent's unit.
    pub fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt {
        prompt::<Inbox>(&self.definition, &self.run, unit, facts)
    }

    /// Gives the agent the unit at hand.
    pub fn assign(&mut self, assignee: Option<&str>, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.slot().status();
        if status != Status::Empty {
            return Err(Refusal::Taken { agent: self.agent.clone(), status });
        }
        let Some(job) = &self.definition.job else {
            return Err(Refusal::NotNow { verb: "set", status: None });
        };
        let unit = job.unit.clone();
        if self.run.position.work != Work::Open {
            let status = self.run.position.work.to_string();
            return Err(match assignee.filter(|name| *name != self.agent.as_str()) {
                Some(agent) => Refusal::Elsewhere { unit, agent: agent.to_owned() },
                None => Refusal::NotOpen { unit, status },
            });
        }
        if !job.waits_for.is_empty() {
            return Err(Refusal::Early { unit, waits_for: job.waits_for.clone() });
        }
        let agent = Some(self.agent.clone());
        let events = self.step(&Signal::Begin { unit, agent, session: None }, facts)?;
        self.holder.since = self.attempt().map(Attempt::fence);
        Ok(events)
    }

    /// Returns the place in the journal after which an abort is one of what the agent has, or of
    /// what `session` had until it was taken from it.
    pub fn abortable(&self, session: Option<&SessionId>) -> Option<Fence> {
        match (self.slot().status(), self.attempt()) {
            (Status::Pending | Status::Active, Some(attempt)) => {
                Some(self.holder.since.unwrap_or(attempt.fence))
            }
            (Status::Empty, _) => {
                let had = self.holder.was.as_ref().filter(|was| was.session.is_some());
                had.filter(|was| was.session.as_ref() == session).map(|was| was.fence)
            }
            (Status::Pending | Status::Active | Status::Completed, _) => None,
        }
    }

    /// Remembers what the assignment just made was asked for by.
    pub fn keep_request(&mut self, key: &RequestKey) {
        let request = self.attempt().map(|attempt| Request {
            key: key.to_string(),
            unit: attempt.unit.clone(),
            fence: attempt.fence,
        });
        self.holder.request = request.or(self.holder.request.take());
    }

    /// Returns the agent's last assignment that was asked for by a key, where this is the key.
    pub fn carried_out(&self, key: &RequestKey) -> Option<&Request> {
        self.holder.request.as_ref().filter(|request| request.key == key.as_str())
    }

    /// Returns why the unit or its attempt stands still until a person looks at it.
    pub fn held(&self, facts: &Facts) -> Option<Hold> {
        let mut waits = waiting::<Inbox>(&self.definition, &self.run, facts).into_iter();
        waits.find(|wait| wait.hold.ends().is_none()).map(|wait| wait.hold)
    }

    /// Lets a session begin what is pending.
    pub fn activate(&mut self, session: &SessionId, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let (Some(attempt), Some(Status::Pending)) = (self.attempt(), status) else {
            return Err(Refusal::CannotActivate { status });
        };
        let bind = Signal::Bind { fence: attempt.fence, session: session.clone() };
        let events = self.step(&bind, facts)?;
        // Another session that lost its work has yet to hear of it.
        let other =
            |was: &Was| was.untold && was.session.as_ref().is_some_and(|had| had != session);
        self.holder.was = self.holder.was.take().filter(other);
        Ok(events)
    }

    /// Lets a later session of the same agent go on with what an earlier one began; whoever shows
    /// the old fence comes too late.
    pub fn take_over(&mut self, session: &SessionId, facts: &Facts) -> Vec<Event> {
        let Some(attempt) = self.run.attempts.first_mut() else { return Vec::new() };
        self.holder.was = Some(was(attempt, true));
        attempt.fence = Fence(facts.seq);
        attempt.session = Some(session.clone());
        vec![AttemptBound { fence: attempt.fence, session: session.to_string() }.into()]
    }

    /// Returns the unit that was taken from a session which does not know of it yet; now it does.
    /// One that it is about to be given again is not lost to it.
    pub fn hear_of_loss(&mut self, session: &SessionId) -> Option<UnitId> {
        let slot = self.slot();
        let lost = |was: &&mut Was| {
            let again = slot == Slot::Pending(was.unit.clone());
            was.untold && was.session.as_ref() == Some(session) && !again
        };
        let was = self.holder.was.as_mut().filter(lost)?;
        was.untold = false;
        Some(was.unit.clone())
    }

    /// Makes sure that `session`, showing `fence` or nothing, holds what is active.
    fn held_by(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        refusal: impl Fn(Option<Status>) -> Refusal,
    ) -> Result<Fence, Refusal> {
        let status = self.shown_status();
        let stale = |said: &Refusal| {
            let (said, agent) = (said.to_string(), self.agent.clone());
            Refusal::Stale { said, agent, fence }
        };
        let live = self.attempt().filter(|_| status == Some(Status::Active));
        let Some(attempt) = live else {
            let said = refusal(status);
            let had = self.holder.was.as_ref();
            let lost = had.is_some_and(|was| was.session.as_ref() == Some(session));
            let other =
                fence.is_some_and(|fence| self.attempt().map(Attempt::fence) != Some(fence));
            return Err(if lost || other { stale(&said) } else { said });
        };
        let (own, holds) = (attempt.fence, attempt.session.clone());
        if fence.is_some_and(|fence| fence != own) {
            let other = Refusal::Denied(crate::Denied::Stale { fence: fence.unwrap_or(own) });
            return Err(stale(&other));
        }
        if holds.as_ref() == Some(&FOREIGN) || fence == Some(own) {
            // The fence is proof enough, and whoever works with foreign tools has no session.
            self.run.attempts[0].session = Some(session.clone());
        } else if holds.as_ref() != Some(session) {
            return Err(stale(&Refusal::Denied(crate::Denied::Foreign { owner: holds })));
        }
        Ok(own)
    }

    /// Makes sure that a session may say that its work goes on; nothing where nothing is active,
    /// as with the original.
    pub fn touch(&mut self, session: &SessionId, fence: Option<Fence>) -> Result<bool, Refusal> {
        let refused = |status| Refusal::NotNow { verb: Verb::Touch.as_str(), status };
        match self.held_by(session, fence, refused) {
            Ok(_) => {
                let declared =
                    |hold: &mut Hold| matches!(hold, Hold::Until { .. } | Hold::Asked { .. });
                self.run.attempts[0].hold.take_if(declared);
                Ok(true)
            }
            Err(Refusal::NotNow { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// Lets a session say that its work waits for something.
    pub fn wait(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        hold: Hold,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let refused = |status| Refusal::NotNow { verb: Verb::Wait.as_str(), status };
        let fence = self.held_by(session, fence, refused)?;
        self.step(&Signal::Stall { fence, hold }, facts)
    }

    /// Lets a session say that its work is done.
    pub fn complete(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let fence = self.held_by(session, fence, |status| Refusal::CannotComplete { status })?;
        self.run.attempts[0].hold = None;
        self.step(&Signal::Claim { fence, session: session.clone() }, facts)
    }

    /// Lets a session say that its work is done and handed in, for whoever merges it.
    pub fn hand_in(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let events = self.complete(session, fence, facts)?;
        if !self.run.position.work.is_done() {
            self.run.position.work = Work::Done;
        }
        Ok(events)
    }

    /// Lets a session say that its work cannot be done: the unit is open again, a bounded number
    /// of times, and never done.
    pub fn fail(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        why: &str,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let fence = self.lay_down(session, fence)?;
        let word = Word::Failed { why: why.to_owned() };
        self.step(
            &Signal::End {
                fence,
                word,
                receipts: vec![],
                worth: Some(crate::basis::Worth::Proven),
            },
            facts,
        )
    }

    /// Lets a session give its work back because it was told to: the unit is open again, and that is
    /// neither a try nor a loss of it.
    pub fn give_back(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let fence = self.lay_down(session, fence)?;
        self.step(&Signal::Lost { fence, ran: Ran::Returned, why: String::new() }, facts)
    }

    /// Makes sure that a session may end its work undone, and takes away what would hold it.
    fn lay_down(&mut self, session: &SessionId, fence: Option<Fence>) -> Result<Fence, Refusal> {
        let refused = |status| Refusal::NotNow { verb: Verb::Fail.as_str(), status };
        let fence = self.held_by(session, fence, refused)?;
        self.run.attempts[0].hold = None;
        self.remember(false);
        Ok(fence)
    }

    /// Takes a completed assignment off; whoever does it has verified it.
    pub fn clear(&mut self, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let (Some(attempt), Some(Status::Completed)) = (self.attempt(), status) else {
            return Err(Refusal::NotNow { verb: Verb::Clear.as_str(), status });
        };
        let fence = attempt.fence;
        self.run.attempts[0].hold = None;
        self.step(
            &Signal::End {
                fence,
                word: Word::Done,
                receipts: vec![],
                worth: Some(crate::basis::Worth::Proven),
            },
            facts,
        )
    }

    /// Takes an assignment back: the unit is open again, and whoever held it comes too late.
    pub fn release(&mut self, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let live = matches!(status, Some(Status::Pending | Status::Active));
        let Some(attempt) = self.attempt().filter(|_| live) else {
            return Err(Refusal::NotNow { verb: Verb::Release.as_str(), status });
        };
        let ran = if attempt.session.is_some() { Ran::Yes } else { Ran::No };
        let fence = attempt.fence;
        // What is held would stay; who takes it back means it.
        self.run.attempts[0].hold = None;
        self.remember(true);
        self.step(&Signal::Lost { fence, ran, why: String::new() }, facts)
    }

    /// Holds the attempt: its session was refused and got nowhere.
    pub fn stall(&mut self, hold: Hold, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let Some(attempt) = self.attempt() else {
            return Err(Refusal::NotNow { verb: "hold", status });
        };
        let fence = attempt.fence;
        self.step(&Signal::Stall { fence, hold }, facts)
    }

    /// Lets everything go on: a person said so.
    pub fn resume(&mut self, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        self.step(&Signal::Resume, facts)
    }

    /// Returns the status for a message; nothing where there was never an assignment.
    fn shown_status(&self) -> Option<Status> {
        self.holder.known.as_ref().map(|_| self.slot().status())
    }

    /// Remembers who is about to lose the work, and whether it has yet to hear of it.
    fn remember(&mut self, untold: bool) {
        self.holder.was = self.run.attempts.first().map(|attempt| was(attempt, untold));
    }

    fn step(&mut self, signal: &Signal, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let stepped = step::<Inbox>(&self.definition, &self.run, signal, facts)?;
        self.run = stepped.run;
        Ok(stepped.events)
    }
}

fn was(attempt: &Attempt, untold: bool) -> Was {
    let (fence, unit) = (attempt.fence, attempt.unit.clone());
    Was { fence, unit, session: attempt.session.clone(), untold }
}

/// Returns where a unit stands whose assignment somebody else took off: what was completed counts
/// as verified, everything else can be assigned again.
fn taken_off(known: &Slot, work: Work) -> Work {
    match (known.status(), &work) {
        (Status::Completed, Work::Open | Work::Hooked | Work::InProgress) => Work::Done,
        (Status::Pending | Status::Active, Work::Hooked | Work::InProgress) => Work::Open,
        (Status::Empty | Status::Pending | Status::Active | Status::Completed, _) => work,
    }
}

/// Takes over what somebody else made of an assignment, with a fence of its own.
fn adopt(agent: &Agent, holder: &mut Holder, found: &Slot, fence: Fence) {
    if let Some(attempt) = &holder.attempt {
        // The session may have taken that step itself, with the original's tools.
        holder.was = Some(was(attempt, false));
    }
    if holder.attempt.as_ref().map(Attempt::unit) != found.unit() {
        holder.since = Some(fence);
    }
    let begun = |unit: &UnitId, session, claimed| Attempt {
        fence,
        unit: unit.clone(),
        agent: Some(agent.clone()),
        session,
        claimed,
        spent: Vec::new(),
        locks: Vec::new(),
        wall: None,
        hold: None,
    };
    holder.attempt = match found {
        Slot::Empty => None,
        Slot::Pending(unit) => Some(begun(unit, None, false)),
        Slot::Active(unit) => Some(begun(unit, Some(FOREIGN), false)),
        Slot::Completed(unit) => Some(begun(unit, Some(FOREIGN), true)),
    };
    holder.known = Some(found.clone());
}
