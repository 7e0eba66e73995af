//! An agent's verbs for its own assignment: poll, activate, touch, wait, complete, fail.

use sprag_core::inbox::{AssignmentStatus, Refusal, Slot, Verb, Who};
use sprag_core::{Agent, Denied, Fence, Hold, SessionId, Time, UnitId};
use sprag_formats::chipset::{Letter, Nudge};
use sprag_world::clock;

use super::abort;
use super::assign::{Sent, retire};
use super::assignment_files::AssignmentFiles;
use super::decision::InboxDecision;
use super::post::post;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// The holder of an assignment, as the caller claims.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedHolder<'a> {
    /// The session; a caller without a known session uses the agent's name.
    pub session: &'a SessionId,
    /// The fence that the session believes it holds.
    pub fence: Option<Fence>,
}

/// An agent's assignment as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    pub agent: Agent,
    pub slot: Slot,
    pub title: Option<String>,
    /// The unit's description.
    pub about: Option<String>,
    /// The unit's state.
    pub work: Option<String>,
    pub fence: Option<Fence>,
    /// The session that works on it.
    pub session: Option<SessionId>,
    pub hold: Option<Hold>,
    /// The last activity, according to the document.
    pub activity: Option<Time>,
    /// Whether another tool made the last change.
    pub adopted: bool,
    /// Its unanswered abort.
    pub abort: Option<Nudge>,
}

/// The last activity is written at most once in this many milliseconds.
const ACTIVITY: i64 = 60_000;

impl Engine<'_> {
    /// Returns an agent's assignment without changing it.
    pub fn agent_poll(&self, agent: &Agent) -> Result<Polled, EngineError> {
        let now = clock::now();
        self.look(|view| {
            let seat = AssignmentFiles::load(view, agent, None, now)?;
            Ok(polled(&seat, abort::standing(view, &seat, None)?))
        })
    }

    /// Begins pending work.
    pub fn agent_activate(
        &self,
        agent: &Agent,
        held: ClaimedHolder<'_>,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Activate, agent)?;
        self.own(agent, who, |at| {
            if let Some(fence) = held.fence.filter(|fence| Some(*fence) != at.fence) {
                let said = Denied::Stale { fence }.to_string();
                let (agent, fence) = (agent.clone(), held.fence);
                return Err(Refusal::Stale { said, agent, fence }.into());
            }
            let events = at.seat.slice.activate(held.session, &at.facts)?;
            at.settle(events)
        })
    }

    /// Records that the work continues. The file's modification time is the sign of life; the
    /// document is written at most once a minute. Returns whether any work was active.
    pub fn agent_touch(
        &self,
        agent: &Agent,
        held: ClaimedHolder<'_>,
        who: &Who,
    ) -> Result<bool, EngineError> {
        who.may(Verb::Touch, agent)?;
        // Usually nothing is written, so the lock is not taken first.
        let active = self.commit(who.name(), PATIENT, |view| {
            let mut at = InboxDecision::load(view, agent)?;
            if !at.seat.slice.touch(held.session, held.fence)? {
                return Ok((Draft::default(), false));
            }
            at.settle(Vec::new())?;
            if at.seat.activity.is_none_or(|last| at.now().since(last) >= ACTIVITY) {
                at.seat.touch(&mut at.draft)?;
            }
            Ok((at.draft, true))
        })?;
        if active {
            self.store.touch(&super::paths::holder(agent)?)?;
        }
        Ok(active)
    }

    /// Records that the work waits for something, which does not count as a stall.
    pub fn agent_wait(
        &self,
        agent: &Agent,
        held: ClaimedHolder<'_>,
        until: &Hold,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Wait, agent)?;
        self.own(agent, who, |at| {
            let slice = &mut at.seat.slice;
            let events = slice.wait(held.session, held.fence, until.clone(), &at.facts)?;
            at.settle(events)
        })
    }

    /// Claims that the work is done, and informs the dispatcher, who verifies it.
    pub fn agent_complete(
        &self,
        agent: &Agent,
        held: ClaimedHolder<'_>,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Complete, agent)?;
        self.own(agent, who, |at| {
            let events = at.seat.slice.complete(held.session, held.fence, &at.facts)?;
            at.settle(events)?;
            tell_mayor(at, agent, "DONE", "")
        })
    }

    /// Gives up the work: its unit is open again and not done.
    pub fn agent_fail(
        &self,
        agent: &Agent,
        held: ClaimedHolder<'_>,
        why: &str,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Fail, agent)?;
        self.own(agent, who, |at| {
            // Unreadable nudges must not prevent giving work back.
            let abort = abort::standing(at.view, &at.seat, Some(held.session)).unwrap_or_default();
            let slice = &mut at.seat.slice;
            let events = match abort {
                Some(_) => slice.give_back(held.session, held.fence, &at.facts)?,
                None => slice.fail(held.session, held.fence, why, &at.facts)?,
            };
            at.settle(events)?;
            if let Some(unit) = at.before.unit() {
                retire(at.view, unit, &mut at.draft)?;
            }
            tell_mayor(at, agent, "FAILED", why)
        })
    }

    /// Makes a decision about an agent's own assignment and returns its new state.
    fn own(
        &self,
        agent: &Agent,
        who: &Who,
        decide: impl Fn(&mut InboxDecision<'_, '_>) -> Result<(), EngineError>,
    ) -> Result<Sent, EngineError> {
        self.decide(agent, who, |at| {
            decide(at)?;
            let name = at.unit().map_or("nothing", UnitId::as_str);
            let said = match at.seat.slice.slot().status() {
                AssignmentStatus::Empty => format!("{agent}: {name} is given back"),
                status @ (AssignmentStatus::Pending
                | AssignmentStatus::Active
                | AssignmentStatus::Completed) => {
                    format!("{agent}: {name} is {status}")
                }
            };
            Ok(at.sent(said))
        })
    }
}

/// Informs the dispatcher about a unit.
fn tell_mayor(
    at: &mut InboxDecision<'_, '_>,
    agent: &Agent,
    word: &str,
    body: &str,
) -> Result<(), EngineError> {
    let Some(unit) = at.before.unit() else { return Ok(()) };
    let letter = report(agent, &format!("{word}: {unit}"), body);
    post(at.view, &letter, at.facts.now, &mut Vec::new(), &mut at.draft).map(drop)
}

/// Builds a letter from an agent to the dispatcher.
pub(super) fn report(agent: &Agent, subject: &str, body: &str) -> Letter {
    Letter {
        from: agent.to_string(),
        to: "mayor".to_owned(),
        kind: "completion_report".to_owned(),
        subject: subject.to_owned(),
        body: body.to_owned(),
        priority: "normal".to_owned(),
    }
}

pub(super) fn polled(seat: &AssignmentFiles, abort: Option<Nudge>) -> Polled {
    let attempt = seat.slice.attempt();
    let unit = attempt.map(sprag_core::Attempt::unit);
    let work = seat.work.as_ref().filter(|work| Some(&work.unit) == unit);
    Polled {
        agent: seat.slice.agent().clone(),
        slot: seat.slice.slot(),
        title: work.map(|work| work.title.clone()),
        about: work.map(|work| work.about.clone()).filter(|text| !text.is_empty()),
        work: work.map(|_| seat.slice.work().to_string()),
        fence: attempt.map(sprag_core::Attempt::fence),
        session: attempt.and_then(sprag_core::Attempt::session).cloned(),
        hold: attempt.and_then(sprag_core::Attempt::hold).cloned(),
        activity: seat.activity,
        adopted: seat.adopted,
        abort,
    }
}
