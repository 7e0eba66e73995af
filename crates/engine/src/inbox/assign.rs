//! The dispatcher's verbs: assign work, clear it, take it back.

use sprag_core::event::AssignmentAdopted;
use sprag_core::inbox::{Assignment, AssignmentStatus, Refusal, Request, Verb, Who};
use sprag_core::{
    Agent, Attempt, DocPath, Event, Facts, Fence, RequestKey, SessionId, Time, UnitId,
};
use sprag_formats::chipset::{AgentFile, Dispatch, DispatchStage, Handoff, Letter, WorkFile};
use sprag_store::{Doc, Edit, View};
use sprag_world::clock;

use super::assignment_files::{AssignmentFiles, UnitToAssign, facts, not_held, put, text, wrong};
use super::decision::InboxDecision;
use super::post::post;
use super::{nudge, paths, run};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// A request to assign a unit to an agent.
#[derive(Clone, Copy, Debug)]
pub struct AssignRequest<'a> {
    pub agent: &'a Agent,
    pub unit: &'a UnitId,
    /// The unit's title, if it has no document yet.
    pub title: Option<&'a str>,
    /// The group of a new agent.
    pub rig: &'a str,
    /// The stage that the dispatch reaches with this commit.
    pub stage: DispatchStage,
    /// The id of the request: a repeated request with the same key gets the same answer.
    pub key: Option<&'a RequestKey>,
}

/// The state of work that was taken back.
const RELEASED: &str = "released";

/// The result of a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    pub unit: Option<UnitId>,
    pub fence: Option<Fence>,
    /// The new state of the assignment.
    pub status: AssignmentStatus,
    /// A message for the person.
    pub said: String,
}

impl Engine<'_> {
    /// Assigns a unit to an agent. The unit, slot, record and mail are one commit.
    pub fn agent_set(&self, given: AssignRequest<'_>, who: &Who) -> Result<Sent, EngineError> {
        who.may(Verb::Set, given.agent)?;
        let set = || {
            self.commit_at_once(who.name(), PATIENT, |view| {
                let mut draft = Draft::default();
                let sent = assign(view, given, who, clock::now(), &mut draft)?;
                Ok((draft, sent))
            })
        };
        match set() {
            // First adopt the step that another tool made.
            Err(EngineError::Restless) => {
                self.adopt_foreign(given.agent)?;
                set()
            }
            done => done,
        }
    }

    /// Clears a completed assignment, which records it as verified. An uncompleted one is taken
    /// back instead, as in the original. An empty slot stays as it is.
    pub fn agent_clear(&self, agent: &Agent, who: &Who) -> Result<Sent, EngineError> {
        who.may(Verb::Clear, agent)?;
        self.take_off(agent, who, |slice, facts| match slice.slot().status() {
            AssignmentStatus::Completed => slice.clear(facts).map(|events| (events, "cleared")),
            AssignmentStatus::Pending | AssignmentStatus::Active => {
                slice.release(facts).map(|events| (events, RELEASED))
            }
            // Another process cleared it before.
            AssignmentStatus::Empty => Ok((Vec::new(), "")),
        })
    }

    /// Takes an assignment back: its unit is open again, and its holder's fence is stale.
    pub fn agent_release(&self, agent: &Agent, who: &Who) -> Result<Sent, EngineError> {
        who.may(Verb::Release, agent)?;
        self.take_off(agent, who, |slice, facts| {
            slice.release(facts).map(|events| (events, RELEASED))
        })
    }

    fn take_off(
        &self,
        agent: &Agent,
        who: &Who,
        decide: impl Fn(&mut Assignment, &Facts) -> Result<(Vec<Event>, &'static str), Refusal>,
    ) -> Result<Sent, EngineError> {
        self.decide(agent, who, |at| {
            let session = at.seat.slice.attempt().and_then(Attempt::session).cloned();
            let (events, how) = decide(&mut at.seat.slice, &at.facts)?;
            let Some(unit) = at.unit().cloned() else {
                if at.seat.adopted {
                    at.settle(events)?;
                }
                return Ok(at.sent(format!("{agent}: nothing is assigned")));
            };
            at.settle(events)?;
            retire(at.view, &unit, &mut at.draft)?;
            if how == RELEASED {
                hand_over(at, agent, &unit, session.as_ref(), who)?;
            }
            Ok(at.sent(format!("{agent}: {unit} {how}")))
        })
    }

    /// Adopts another tool's change to an assignment in a separate commit, because the unit to
    /// assign may be a different one.
    pub(super) fn adopt_foreign(&self, agent: &Agent) -> Result<(), EngineError> {
        self.commit("sprag", PATIENT, |view| {
            let mut draft = Draft::default();
            let mut seat = AssignmentFiles::load(view, agent, None, clock::now())?;
            if seat.adopted && seat.work.is_some() {
                note_adoption(&seat, &mut draft)?;
                seat.save(&mut draft)?;
            }
            Ok((draft, ()))
        })
    }
}

/// Assigns a unit within a larger commit.
pub(super) fn assign(
    view: &View<'_>,
    given: AssignRequest<'_>,
    who: &Who,
    now: Time,
    draft: &mut Draft,
) -> Result<Sent, EngineError> {
    let wanted = UnitToAssign { unit: given.unit, title: given.title };
    let mut seat = AssignmentFiles::load(view, given.agent, Some(wanted), now)?;
    if seat.adopted {
        return Err(EngineError::Restless);
    }
    not_held(view, given.agent, given.unit, seat.work.as_ref())?;
    let assignee = seat.work.as_ref().and_then(|work| work.assignee.clone());
    if seat.work.is_none() {
        return Err(no_unit(given.unit));
    }
    if let Some(before) = given.key.and_then(|key| seat.slice.carried_out(key)) {
        return answered(given, before);
    }
    let facts = facts(view, now);
    let events = seat.slice.assign(assignee.as_deref(), &facts)?;
    if let Some(key) = given.key {
        seat.slice.keep_request(key);
    }
    employ(view, given.agent, given.rig, draft)?;
    if let Some(freed) = &seat.freed {
        note_adoption(freed, draft)?;
    }
    seat.save(draft)?;
    let Some(work) = &seat.work else { return Err(no_unit(given.unit)) };
    let record = paths::dispatch(given.unit)?;
    let branch = branch(given.unit);
    let edits = Dispatch::made(work, given.agent.as_str(), &branch, given.stage, now);
    put(&record, text(view, &record)?.as_deref(), &edits, draft)?;
    post(view, &letter(given.agent, work, who), now, &mut Vec::new(), draft)?;
    nudge::drop_aborts(view, given.agent, now, draft)?;
    draft.tell(&run()?, events);
    Ok(pending(given, seat.slice.attempt().map(Attempt::fence)))
}

fn pending(given: AssignRequest<'_>, fence: Option<Fence>) -> Sent {
    let said = format!("{}: {} is pending", given.agent, given.unit);
    Sent { unit: Some(given.unit.clone()), fence, status: AssignmentStatus::Pending, said }
}

/// Returns the earlier answer to a repeated request, regardless of the work's later fate. The same
/// key with another unit is refused.
fn answered(given: AssignRequest<'_>, before: &Request) -> Result<Sent, EngineError> {
    if before.unit == *given.unit {
        return Ok(pending(given, Some(before.fence)));
    }
    let (key, unit) = (before.key.clone(), before.unit.clone());
    Err(Refusal::KeyUsed { key, unit }.into())
}

/// Records that another tool changed the assignment.
pub(super) fn note_adoption(seat: &AssignmentFiles, draft: &mut Draft) -> Result<(), EngineError> {
    if seat.adopted {
        let (agent, found) = (seat.slice.agent().to_string(), seat.found().to_string());
        draft.note(Some(&run()?), AssignmentAdopted { agent, found });
    }
    Ok(())
}

/// Orders the holder of a unit to stop, and leaves a handoff for the next one if the work had
/// begun.
fn hand_over(
    at: &mut InboxDecision<'_, '_>,
    agent: &Agent,
    unit: &UnitId,
    session: Option<&SessionId>,
    who: &Who,
) -> Result<(), EngineError> {
    let now = at.now();
    let why = format!("{unit} was taken back: stop working on it");
    // Unreadable nudges must not prevent taking work back.
    nudge::send_anyway(at.view, agent, &nudge::abort(who.name(), &why, now), &mut at.draft)?;
    let Some(session) = session else { return Ok(()) };
    let note = Handoff {
        agent: agent.to_string(),
        session: Some(session.to_string()),
        unit: unit.to_string(),
        summary: format!("taken back by {}", who.name()),
        branch: Some(branch(unit)),
        at: now.to_string(),
    };
    let name = format!("handoff/{agent}/{}.json", now.to_string().replace(':', "-"));
    let path = paths::folder(&name)?;
    put(&path, text(at.view, &path)?.as_deref(), &note.made(), &mut at.draft)
}

/// Removes the dispatch record of a unit.
pub(super) fn retire(view: &View<'_>, unit: &UnitId, draft: &mut Draft) -> Result<(), EngineError> {
    let record: DocPath = paths::dispatch(unit)?;
    if view.read(&record) != Doc::Absent {
        draft.edit(Edit::Remove { doc: record });
    }
    Ok(())
}

/// Makes sure that the agent exists and is not terminated.
fn employ(view: &View<'_>, agent: &Agent, rig: &str, draft: &mut Draft) -> Result<(), EngineError> {
    let path = paths::agent(agent)?;
    let Some(text) = text(view, &path)? else {
        return put(&path, None, &AgentFile::new(agent.as_str(), rig).made(), draft);
    };
    let file = AgentFile::read(&text).map_err(|fault| wrong(&path, &fault))?;
    if file.status == AgentFile::TERMINATED {
        return Err(Refusal::Terminated { agent: agent.clone() }.into());
    }
    Ok(())
}

pub(super) fn no_unit(unit: &UnitId) -> EngineError {
    EngineError::NotFound { what: format!("Work item not found: {unit}") }
}

/// Returns the branch for work on a unit.
pub(super) fn branch(unit: &UnitId) -> String {
    format!("polecat/{unit}")
}

fn letter(agent: &Agent, work: &WorkFile, who: &Who) -> Letter {
    Letter {
        from: who.name().to_owned(),
        to: agent.to_string(),
        kind: "work_assignment".to_owned(),
        subject: format!("ASSIGNED: {} {}", work.unit, work.title),
        body: work.about.clone(),
        priority: "normal".to_owned(),
    }
}
