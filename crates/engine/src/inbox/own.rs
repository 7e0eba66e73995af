//! What an agent does with its own assignment: look, begin, go on, wait, end.

use sprag_core::inbox::{Slot, Status, Verb, Who};
use sprag_core::{Agent, Event, Facts, Fence, Hold, Session, Time, UnitId};
use sprag_formats::chipset::Letter;

use super::assign::{Sent, note_adoption, retire};
use super::post::post;
use super::run;
use super::seat::{Seat, facts};
use crate::clock;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// Who holds an assignment, as far as it says so.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The session; one that is not known goes by the agent's name.
    pub session: &'a Session,
    /// The attempt that the session believes to hold.
    pub fence: Option<Fence>,
}

/// An agent's assignment as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    /// Whose.
    pub agent: Agent,
    /// Status and unit.
    pub slot: Slot,
    /// The unit's title.
    pub title: Option<String>,
    /// What the unit is about.
    pub about: Option<String>,
    /// Where the unit stands.
    pub work: Option<String>,
    /// The attempt.
    pub fence: Option<Fence>,
    /// The session that works on it.
    pub session: Option<Session>,
    /// Why it stands still.
    pub hold: Option<Hold>,
    /// The last activity that its document says.
    pub activity: Option<Time>,
    /// Whether somebody else took the last step.
    pub adopted: bool,
}

/// The last activity is written at most once in this time.
const ACTIVITY: i64 = 60_000;

impl Engine<'_> {
    /// Returns an agent's assignment; changes nothing.
    pub fn agent_poll(&self, agent: &Agent) -> Result<Polled, EngineError> {
        let now = clock::now();
        self.look(|view| Ok(polled(&Seat::load(view, agent, None, now)?)))
    }

    /// Begins what is pending.
    pub fn agent_activate(
        &self,
        agent: &Agent,
        session: &Session,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Activate, agent)?;
        self.own(agent, who, |seat, facts| Ok(seat.slice.activate(session, facts)?), |_, _| Ok(()))
    }

    /// Says that the work goes on. The file's time is the sign of life; the document says it once a
    /// minute. Returns whether anything was active.
    pub fn agent_touch(
        &self,
        agent: &Agent,
        held: Held<'_>,
        who: &Who,
    ) -> Result<bool, EngineError> {
        who.may(Verb::Touch, agent)?;
        let active = self.commit(who.name(), PATIENT, |view| {
            let now = clock::now();
            let mut draft = Draft::default();
            let mut seat = Seat::load(view, agent, None, now)?;
            let active = seat.slice.touch(held.session, held.fence)?;
            if !active {
                return Ok((Draft::default(), false));
            }
            note_adoption(&seat, &mut draft)?;
            seat.save(&mut draft)?;
            if seat.activity.is_none_or(|last| now.since(last) >= ACTIVITY) {
                seat.touch(&mut draft)?;
            }
            Ok((draft, true))
        })?;
        if active {
            self.store.touch(&super::paths::holder(agent)?)?;
        }
        Ok(active)
    }

    /// Says that the work waits for something: that is no stall.
    pub fn agent_wait(
        &self,
        agent: &Agent,
        held: Held<'_>,
        until: &Hold,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Wait, agent)?;
        let decide = |seat: &mut Seat, facts: &Facts| {
            Ok(seat.slice.wait(held.session, held.fence, until.clone(), facts)?)
        };
        self.own(agent, who, decide, |_, _| Ok(()))
    }

    /// Says that the work is done; whoever gave it is told, and verifies.
    pub fn agent_complete(
        &self,
        agent: &Agent,
        held: Held<'_>,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Complete, agent)?;
        let decide = |seat: &mut Seat, facts: &Facts| {
            Ok(seat.slice.complete(held.session, held.fence, facts)?)
        };
        self.own(agent, who, decide, |(view, unit, now), draft| {
            let letter = report(agent, &format!("DONE: {unit}"), "");
            post(view, &letter, now, &mut Vec::new(), draft).map(drop)
        })
    }

    /// Says that the work cannot be done: it is open again, and never done by that.
    pub fn agent_fail(
        &self,
        agent: &Agent,
        held: Held<'_>,
        why: &str,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Fail, agent)?;
        let decide = |seat: &mut Seat, facts: &Facts| {
            Ok(seat.slice.fail(held.session, held.fence, why, facts)?)
        };
        self.own(agent, who, decide, |(view, unit, now), draft| {
            retire(view, unit, draft)?;
            let letter = report(agent, &format!("FAILED: {unit}"), why);
            post(view, &letter, now, &mut Vec::new(), draft).map(drop)
        })
    }

    /// Decides something about an agent's own assignment and commits it with what goes along.
    fn own(
        &self,
        agent: &Agent,
        who: &Who,
        decide: impl Fn(&mut Seat, &Facts) -> Result<Vec<Event>, EngineError>,
        more: impl Fn((&sprag_store::View<'_>, &UnitId, Time), &mut Draft) -> Result<(), EngineError>,
    ) -> Result<Sent, EngineError> {
        self.commit_at_once(who.name(), PATIENT, |view| {
            let now = clock::now();
            let mut draft = Draft::default();
            let mut seat = Seat::load(view, agent, None, now)?;
            note_adoption(&seat, &mut draft)?;
            let unit = seat.slice.slot().unit().cloned();
            let fence = seat.slice.attempt().map(sprag_core::Attempt::fence);
            let events = decide(&mut seat, &facts(view, now))?;
            seat.save(&mut draft)?;
            if let Some(unit) = &unit {
                more((view, unit, now), &mut draft)?;
            }
            draft.tell(&run()?, events);
            let status = seat.slice.slot().status();
            let name = unit.as_ref().map_or("nothing", UnitId::as_str);
            let said = match status {
                Status::Empty => format!("{agent}: {name} is given back"),
                Status::Pending | Status::Active | Status::Completed => {
                    format!("{agent}: {name} is {status}")
                }
            };
            Ok((draft, Sent { unit, fence, status, said }))
        })
    }
}

/// Returns a letter of an agent to whoever dispatches.
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

pub(super) fn polled(seat: &Seat) -> Polled {
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
    }
}
