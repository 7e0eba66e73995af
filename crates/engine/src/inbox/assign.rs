//! What whoever dispatches does: give work, take it off, take it back.

use sprag_core::inbox::{Refusal, Status, Verb, Who};
use sprag_core::{Agent, DocPath, Fence, Kind, Session, Time, UnitId};
use sprag_formats::chipset::{AgentFile, Dispatch, Handoff, Letter, Stage, WorkFile};
use sprag_store::{Doc, Edit, View};

use super::post::post;
use super::seat::{Seat, Wanted, facts, put, text, wrong};
use super::{nudge, paths, run};
use crate::clock;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// A unit to be given to an agent.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// To whom.
    pub agent: &'a Agent,
    /// What.
    pub unit: &'a UnitId,
    /// Its title, where the unit has no document yet.
    pub title: Option<&'a str>,
    /// The group of an agent that is not there yet.
    pub rig: &'a str,
    /// How far the sending has come with this commit.
    pub stage: Stage,
}

/// What came of a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The unit it was about.
    pub unit: Option<UnitId>,
    /// The attempt it was about.
    pub fence: Option<Fence>,
    /// Where the assignment stands now.
    pub status: Status,
    /// What a person should know.
    pub said: String,
}

impl Engine<'_> {
    /// Gives an agent a unit: the unit, the slot, the record and the mail are one commit.
    pub fn agent_set(&self, given: Given<'_>, who: &Who) -> Result<Sent, EngineError> {
        who.may(Verb::Set, given.agent)?;
        let set = || {
            self.commit_at_once(who.name(), PATIENT, |view| {
                let mut draft = Draft::default();
                let sent = assign(view, given, who, clock::now(), &mut draft)?;
                Ok((draft, sent))
            })
        };
        match set() {
            // Somebody else took a step, which is taken over first.
            Err(EngineError::Restless) => {
                self.adopt_foreign(given.agent)?;
                set()
            }
            done => done,
        }
    }

    /// Takes a completed assignment off, which says that it was verified. One that is not completed
    /// is taken back instead, as the original allows; nothing happens to an empty one.
    pub fn agent_clear(&self, agent: &Agent, who: &Who) -> Result<Sent, EngineError> {
        who.may(Verb::Clear, agent)?;
        self.take_off(agent, who, |seat, facts| match seat.slice.slot().status() {
            Status::Completed => seat.slice.clear(facts).map(|events| (events, "cleared")),
            Status::Pending | Status::Active => {
                seat.slice.release(facts).map(|events| (events, "released"))
            }
            Status::Empty => Ok((Vec::new(), "empty")),
        })
    }

    /// Takes an assignment back: its unit is open again, and whoever held it comes too late.
    pub fn agent_release(&self, agent: &Agent, who: &Who) -> Result<Sent, EngineError> {
        who.may(Verb::Release, agent)?;
        self.take_off(agent, who, |seat, facts| {
            seat.slice.release(facts).map(|events| (events, "released"))
        })
    }

    fn take_off(
        &self,
        agent: &Agent,
        who: &Who,
        decide: impl Fn(
            &mut Seat,
            &sprag_core::Facts,
        ) -> Result<(Vec<sprag_core::Event>, &'static str), Refusal>,
    ) -> Result<Sent, EngineError> {
        self.commit_at_once(who.name(), PATIENT, |view| {
            let now = clock::now();
            let mut draft = Draft::default();
            let mut seat = Seat::load(view, agent, None, now)?;
            note_adoption(&seat, &mut draft)?;
            let before = seat.slice.slot();
            let fence = seat.slice.attempt().map(sprag_core::Attempt::fence);
            let session = seat.slice.attempt().and_then(sprag_core::Attempt::session).cloned();
            let (events, how) = decide(&mut seat, &facts(view, now))?;
            if before.status() == Status::Empty && !seat.adopted {
                let said = format!("{agent}: nothing is assigned");
                return Ok((draft, Sent { unit: None, fence, status: Status::Empty, said }));
            }
            let unit = before.unit().cloned();
            if let Some(unit) = &unit {
                retire(view, unit, &mut draft)?;
                if how == "released" {
                    hand_over(view, agent, unit, session.as_ref(), (who, now), &mut draft)?;
                    let why = format!("{unit} was taken back: stop working on it");
                    nudge::send(view, agent, &nudge::abort(who.name(), &why, now), &mut draft)?;
                }
            }
            seat.save(&mut draft)?;
            draft.tell(&run()?, events);
            let name = unit.as_ref().map_or("nothing", UnitId::as_str);
            let said = format!("{agent}: {name} {how}");
            Ok((draft, Sent { unit, fence, status: seat.slice.slot().status(), said }))
        })
    }

    /// Takes over what somebody else made of an assignment, in a commit of its own: the unit that
    /// is about to be given may be another one.
    pub(super) fn adopt_foreign(&self, agent: &Agent) -> Result<(), EngineError> {
        self.commit("sprag", PATIENT, |view| {
            let mut draft = Draft::default();
            let mut seat = Seat::load(view, agent, None, clock::now())?;
            if seat.adopted && seat.work.is_some() {
                note_adoption(&seat, &mut draft)?;
                seat.save(&mut draft)?;
            }
            Ok((draft, ()))
        })
    }
}

/// Gives an agent a unit in the commit at hand.
pub(super) fn assign(
    view: &View<'_>,
    given: Given<'_>,
    who: &Who,
    now: Time,
    draft: &mut Draft,
) -> Result<Sent, EngineError> {
    let wanted = Wanted { unit: given.unit, title: given.title };
    let mut seat = Seat::load(view, given.agent, Some(wanted), now)?;
    if seat.adopted {
        return Err(EngineError::Restless);
    }
    let assignee = seat.work.as_ref().and_then(|work| work.assignee.clone());
    if seat.work.is_none() {
        return Err(no_unit(given.unit));
    }
    let facts = facts(view, now);
    let events = seat.slice.assign(assignee.as_deref(), &facts)?;
    employ(view, given.agent, given.rig, draft)?;
    seat.save(draft)?;
    let Some(work) = &seat.work else { return Err(no_unit(given.unit)) };
    let record = paths::dispatch(given.unit)?;
    let branch = branch(given.unit);
    let edits = Dispatch::made(work, given.agent.as_str(), &branch, given.stage, now);
    put(&record, text(view, &record)?.as_deref(), &edits, draft)?;
    post(view, &letter(given.agent, work, who), now, &mut Vec::new(), draft)?;
    draft.tell(&run()?, events);
    let fence = seat.slice.attempt().map(sprag_core::Attempt::fence);
    let said = format!("{}: {} is pending", given.agent, given.unit);
    Ok(Sent { unit: Some(given.unit.clone()), fence, status: Status::Pending, said })
}

/// Notes that somebody else took a step.
pub(super) fn note_adoption(seat: &Seat, draft: &mut Draft) -> Result<(), EngineError> {
    if seat.adopted {
        let found = seat.found().to_string();
        let data = serde_json::json!({ "agent": seat.slice.agent().as_str(), "found": found });
        draft.note(Some(&run()?), Kind::AssignmentAdopted, data);
    }
    Ok(())
}

/// Leaves a note for whoever gets a unit next that somebody had begun.
fn hand_over(
    view: &View<'_>,
    agent: &Agent,
    unit: &UnitId,
    session: Option<&Session>,
    (who, now): (&Who, Time),
    draft: &mut Draft,
) -> Result<(), EngineError> {
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
    put(&path, text(view, &path)?.as_deref(), &note.made(), draft)
}

/// Removes the record of a unit that nobody works on any more.
pub(super) fn retire(view: &View<'_>, unit: &UnitId, draft: &mut Draft) -> Result<(), EngineError> {
    let record: DocPath = paths::dispatch(unit)?;
    if view.read(&record) != Doc::Absent {
        draft.edit(Edit::Remove { doc: record });
    }
    Ok(())
}

/// Makes sure that there is such an agent, and that it still works.
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

/// Returns the branch that a unit is worked on.
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
