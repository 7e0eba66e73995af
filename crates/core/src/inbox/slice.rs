//! One agent with its unit: every step of the lifecycle is a function of this.
//!
//! The steps go through the kernel, so an assignment begins, is bound, is claimed, ends and gets
//! lost like any other attempt. The checks made here first are the original's, in its own words.

use super::{
    AgentRecord, AssignmentStatus, Drift, FOREIGN, Inbox, InboxDefinition, Job, Position, Refusal,
    Request, Slot, UnitCounts, Verb, Was, WorkState, drift,
};
use crate::event::AttemptBound;
use crate::{
    Agent, Attempt, Event, Facts, Fence, Hold, Prompt, Ran, RequestKey, Run, RunId, SessionId,
    Signal, StopCounter, Unit, UnitId, Vote, Word, prompt, step, vote, waiting,
};

/// One agent of the inbox with the unit that it has or is to be given.
#[derive(Clone, Debug)]
pub struct Assignment {
    agent: Agent,
    holder: AgentRecord,
    definition: InboxDefinition,
    run: Run<Position>,
}

impl Assignment {
    /// Assembles a slice from the records. `found` is the valid part of the agent's own document
    /// and must not be strange; a step by another program is adopted with the fence from `facts`.
    pub fn new(
        id: RunId,
        agent: Agent,
        mut holder: AgentRecord,
        found: &Slot,
        job: Option<(Job, WorkState)>,
        tally: UnitCounts,
        facts: &Facts,
    ) -> Self {
        let (job, work) = job.unzip();
        let mut position = Position { work: work.unwrap_or(WorkState::Open) };
        if matches!(drift(holder.known.as_ref(), found), Drift::Legal | Drift::Emptied) {
            if let (Slot::Empty, Some(known)) = (found, &holder.known) {
                position.work = taken_off(known, position.work);
            }
            adopt(&agent, &mut holder, found, Fence(facts.seq));
        }
        Self::of(id, agent, holder, (job, position), tally)
    }

    /// Assembles the slice of an agent that never had an assignment.
    pub fn absent(
        id: RunId,
        agent: Agent,
        job: Option<(Job, WorkState)>,
        tally: UnitCounts,
    ) -> Self {
        let (job, work) = job.unzip();
        let position = Position { work: work.unwrap_or(WorkState::Open) };
        Self::of(id, agent, AgentRecord::default(), (job, position), tally)
    }

    fn of(
        id: RunId,
        agent: Agent,
        holder: AgentRecord,
        (job, position): (Option<Job>, Position),
        tally: UnitCounts,
    ) -> Self {
        let definition = InboxDefinition { job, retry: InboxDefinition::RETRY };
        let mut run = Run::new::<Inbox>(id, &definition, position);
        run.bounds.extend(tally.bounds);
        (run.failed, run.lost) = (tally.failed, tally.lost);
        run.attempts.extend(holder.attempt.clone());
        Self { agent, holder, definition, run }
    }

    pub const fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Returns the slice's unit.
    pub const fn job(&self) -> Option<&Job> {
        self.definition.job.as_ref()
    }

    pub fn attempt(&self) -> Option<&Attempt> {
        self.run.attempts.first()
    }

    pub fn slot(&self) -> Slot {
        let Some(attempt) = self.attempt() else { return Slot::Empty };
        let unit = attempt.unit.clone();
        match (attempt.claimed, &attempt.session) {
            (true, _) => Slot::Completed(unit),
            (false, Some(_)) => Slot::Active(unit),
            (false, None) => Slot::Pending(unit),
        }
    }

    /// Returns the state of the unit for its document.
    pub fn work(&self) -> WorkState {
        let work = &self.run.position.work;
        match (self.slot().status(), work) {
            (AssignmentStatus::Pending, WorkState::Open) => WorkState::Hooked,
            (
                AssignmentStatus::Active | AssignmentStatus::Completed,
                WorkState::Open | WorkState::Hooked,
            ) => WorkState::InProgress,
            (
                AssignmentStatus::Empty
                | AssignmentStatus::Pending
                | AssignmentStatus::Active
                | AssignmentStatus::Completed,
                _,
            ) => work.clone(),
        }
    }

    /// Returns the record to store for the agent.
    pub fn holder(&self) -> AgentRecord {
        let (known, attempt) = (Some(self.slot()), self.attempt().cloned());
        AgentRecord { known, attempt, ..self.holder.clone() }
    }

    /// Returns the record to store for the unit.
    pub fn tally(&self) -> UnitCounts {
        let run = &self.run;
        let (failed, lost) = (run.failed.clone(), run.lost.clone());
        UnitCounts { bounds: run.bounds.clone(), failed, lost }
    }

    /// Votes on the stop of the session that works on the assignment; silent for any other.
    pub fn vote(&self, desk: &StopCounter, facts: &Facts) -> Vote {
        vote::<Inbox>(&self.definition, &self.run, desk, facts).unwrap_or(Vote::Silent)
    }

    pub fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt {
        prompt::<Inbox>(&self.definition, &self.run, unit, facts)
    }

    /// Assigns the slice's unit to the agent.
    pub fn assign(&mut self, assignee: Option<&str>, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.slot().status();
        if status != AssignmentStatus::Empty {
            return Err(Refusal::Taken { agent: self.agent.clone(), status });
        }
        let Some(job) = &self.definition.job else {
            return Err(Refusal::NotNow { verb: "set", status: None });
        };
        let unit = job.unit.clone();
        if self.run.position.work != WorkState::Open {
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

    /// Returns the journal position after which an abort concerns the agent's current work, or the
    /// work of `session` until it was taken away.
    pub fn abortable(&self, session: Option<&SessionId>) -> Option<Fence> {
        match (self.slot().status(), self.attempt()) {
            (AssignmentStatus::Pending | AssignmentStatus::Active, Some(attempt)) => {
                Some(self.holder.since.unwrap_or(attempt.fence))
            }
            (AssignmentStatus::Empty, _) => {
                let had = self.holder.was.as_ref().filter(|was| was.session.is_some());
                had.filter(|was| was.session.as_ref() == session).map(|was| was.fence)
            }
            (
                AssignmentStatus::Pending | AssignmentStatus::Active | AssignmentStatus::Completed,
                _,
            ) => None,
        }
    }

    /// Stores the key under which the latest assignment was requested.
    pub fn keep_request(&mut self, key: &RequestKey) {
        let request = self.attempt().map(|attempt| Request {
            key: key.to_string(),
            unit: attempt.unit.clone(),
            fence: attempt.fence,
        });
        self.holder.request = request.or(self.holder.request.take());
    }

    /// Returns the agent's last requested assignment, if its key is this one.
    pub fn carried_out(&self, key: &RequestKey) -> Option<&Request> {
        self.holder.request.as_ref().filter(|request| request.key == key.as_str())
    }

    /// Returns the hold of the unit or its attempt that lasts until a person acts.
    pub fn held(&self, facts: &Facts) -> Option<Hold> {
        let mut waits = waiting::<Inbox>(&self.definition, &self.run, facts).into_iter();
        waits.find(|wait| wait.hold.ends().is_none()).map(|wait| wait.hold)
    }

    /// Begins the pending work in a session.
    pub fn activate(&mut self, session: &SessionId, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let (Some(attempt), Some(AssignmentStatus::Pending)) = (self.attempt(), status) else {
            return Err(Refusal::CannotActivate { status });
        };
        let bind = Signal::Attach { fence: attempt.fence, session: session.clone() };
        let events = self.step(&bind, facts)?;
        // Another session that lost its work has yet to be told.
        let other =
            |was: &Was| was.untold && was.session.as_ref().is_some_and(|had| had != session);
        self.holder.was = self.holder.was.take().filter(other);
        Ok(events)
    }

    /// Transfers work in progress to a later session of the same agent; the old fence becomes
    /// stale.
    pub fn take_over(&mut self, session: &SessionId, facts: &Facts) -> Vec<Event> {
        let Some(attempt) = self.run.attempts.first_mut() else { return Vec::new() };
        self.holder.was = Some(was(attempt, true));
        attempt.fence = Fence(facts.seq);
        attempt.session = Some(session.clone());
        vec![AttemptBound { fence: attempt.fence, session: session.to_string() }.into()]
    }

    /// Returns the unit that was taken from a session without its knowledge, and marks the session
    /// as told. A unit that it is about to get back does not count.
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

    /// Checks that `session`, showing `fence` or none, owns the active work.
    fn held_by(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        refusal: impl Fn(Option<AssignmentStatus>) -> Refusal,
    ) -> Result<Fence, Refusal> {
        let status = self.shown_status();
        let stale = |said: &Refusal| {
            let (said, agent) = (said.to_string(), self.agent.clone());
            Refusal::Stale { said, agent, fence }
        };
        let live = self.attempt().filter(|_| status == Some(AssignmentStatus::Active));
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
            // The fence is sufficient proof, and agents with foreign tools have no session.
            self.run.attempts[0].session = Some(session.clone());
        } else if holds.as_ref() != Some(session) {
            return Err(stale(&Refusal::Denied(crate::Denied::Foreign { owner: holds })));
        }
        Ok(own)
    }

    /// Records a sign of life of a session's work; `false` if no work is active, as with the
    /// original.
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

    /// Records that a session's work waits for something.
    pub fn wait(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        hold: Hold,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let refused = |status| Refusal::NotNow { verb: Verb::Wait.as_str(), status };
        let fence = self.held_by(session, fence, refused)?;
        self.step(&Signal::Hold { fence, hold }, facts)
    }

    /// Records that a session reports its work done.
    pub fn complete(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let fence = self.held_by(session, fence, |status| Refusal::CannotComplete { status })?;
        self.run.attempts[0].hold = None;
        self.step(&Signal::ReportDone { fence, session: session.clone() }, facts)
    }

    /// Records that a session reports its work done and handed in for merging.
    pub fn hand_in(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let events = self.complete(session, fence, facts)?;
        if !self.run.position.work.is_done() {
            self.run.position.work = WorkState::Done;
        }
        Ok(events)
    }

    /// Records that a session cannot do its work: the unit is reopened, for a limited number of
    /// times, and never counts as done.
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

    /// Returns a session's work because it was told to stop: the unit is reopened, and this counts
    /// neither as a retry nor as a loss.
    pub fn give_back(
        &mut self,
        session: &SessionId,
        fence: Option<Fence>,
        facts: &Facts,
    ) -> Result<Vec<Event>, Refusal> {
        let fence = self.lay_down(session, fence)?;
        self.step(&Signal::Lost { fence, ran: Ran::Returned, why: String::new() }, facts)
    }

    /// Checks that a session may end its work undone, and removes its hold.
    fn lay_down(&mut self, session: &SessionId, fence: Option<Fence>) -> Result<Fence, Refusal> {
        let refused = |status| Refusal::NotNow { verb: Verb::Fail.as_str(), status };
        let fence = self.held_by(session, fence, refused)?;
        self.run.attempts[0].hold = None;
        self.remember(false);
        Ok(fence)
    }

    /// Clears a completed assignment; the caller has verified it.
    pub fn clear(&mut self, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let (Some(attempt), Some(AssignmentStatus::Completed)) = (self.attempt(), status) else {
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

    /// Takes an assignment back: the unit is reopened, and its previous holder's fence becomes
    /// stale.
    pub fn release(&mut self, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let live = matches!(status, Some(AssignmentStatus::Pending | AssignmentStatus::Active));
        let Some(attempt) = self.attempt().filter(|_| live) else {
            return Err(Refusal::NotNow { verb: Verb::Release.as_str(), status });
        };
        let ran = if attempt.session.is_some() { Ran::Yes } else { Ran::No };
        let fence = attempt.fence;
        // A hold would block this; the caller overrides it deliberately.
        self.run.attempts[0].hold = None;
        self.remember(true);
        self.step(&Signal::Lost { fence, ran, why: String::new() }, facts)
    }

    /// Holds the attempt: its session was refused without making progress.
    pub fn stall(&mut self, hold: Hold, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        let status = self.shown_status();
        let Some(attempt) = self.attempt() else {
            return Err(Refusal::NotNow { verb: "hold", status });
        };
        let fence = attempt.fence;
        self.step(&Signal::Hold { fence, hold }, facts)
    }

    /// Releases all holds on behalf of a person.
    pub fn resume(&mut self, facts: &Facts) -> Result<Vec<Event>, Refusal> {
        self.step(&Signal::Resume, facts)
    }

    /// Returns the status for a message; `None` if there never was an assignment.
    fn shown_status(&self) -> Option<AssignmentStatus> {
        self.holder.known.as_ref().map(|_| self.slot().status())
    }

    /// Records the session that is about to lose the work, and whether it has yet to be told.
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

/// Returns the state of a unit whose assignment another program cleared: completed work counts as
/// verified, any other can be assigned again.
fn taken_off(known: &Slot, work: WorkState) -> WorkState {
    match (known.status(), &work) {
        (
            AssignmentStatus::Completed,
            WorkState::Open | WorkState::Hooked | WorkState::InProgress,
        ) => WorkState::Done,
        (
            AssignmentStatus::Pending | AssignmentStatus::Active,
            WorkState::Hooked | WorkState::InProgress,
        ) => WorkState::Open,
        (
            AssignmentStatus::Empty
            | AssignmentStatus::Pending
            | AssignmentStatus::Active
            | AssignmentStatus::Completed,
            _,
        ) => work,
    }
}

/// Adopts another program's change of an assignment, under a new fence.
fn adopt(agent: &Agent, holder: &mut AgentRecord, found: &Slot, fence: Fence) {
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
