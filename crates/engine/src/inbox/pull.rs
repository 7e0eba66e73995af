//! Chooses the next work of the inbox driver: existing assignments first, then open units, which
//! the driver assigns to agents itself.
//!
//! Work of another session is never touched. Work that an earlier driver held continues under the
//! same fence.

use std::collections::BTreeSet;

use sprag_core::inbox::{AssignmentStatus, Slot, Verb, Who, WorkState};
use sprag_core::{Agent, Attempt, Denied, Fence, Hold, SessionId, Time, UnitId};
use sprag_formats::chipset::{AgentFile, DispatchStage, Handoff, WorkFile};
use sprag_store::View;
use sprag_world::clock;

use super::assign::{AssignRequest, assign, note_adoption};
use super::assignment_files::{
    AssignmentFiles, UnitToAssign, facts, read_unit, read_work, text, wrong,
};
use super::board::{agents, folders};
use super::mail::names;
use super::units::{circles, never_assigned, units};
use super::{paths, run};
use crate::agents_file::inbox_driver as driver;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// An assignment for the driver to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pulled {
    pub agent: Agent,
    pub unit: UnitId,
    pub fence: Fence,
    /// The session that works on it: the driver's.
    pub session: SessionId,
    /// Whether it was claimed done and only needs to be judged.
    pub claimed: bool,
}

/// The work that the driver would choose now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The agent that has it or would get it.
    pub agent: Agent,
    pub unit: UnitId,
    /// Whether the agent has it already.
    pub has: bool,
}

/// The result of one search.
enum SearchResult {
    Pulled(Pulled),
    /// A unit was assigned to an agent and is chosen next.
    Given(Agent, UnitId),
    Nothing,
}

impl Engine<'_> {
    /// Takes the next assignment for the driver, except units in `seen`.
    pub fn pull(&self, seen: &BTreeSet<UnitId>) -> Result<Option<Pulled>, EngineError> {
        let session = driver()?;
        loop {
            let look = self.commit_at_once("run", PATIENT, |view| {
                let mut draft = Draft::default();
                let look = look(view, seen, &session, &mut draft)?;
                Ok((draft, look))
            })?;
            match look {
                SearchResult::Pulled(pulled) => return Ok(Some(pulled)),
                SearchResult::Given(..) => {}
                SearchResult::Nothing => return Ok(None),
            }
        }
    }

    /// Returns the work that would be taken next, except units in `seen`, without changing
    /// anything.
    pub fn pull_next(&self, seen: &BTreeSet<UnitId>) -> Result<Option<Ahead>, EngineError> {
        let session = driver()?;
        self.look(|view| {
            // The same decision, but its draft is dropped.
            let look = look(view, seen, &session, &mut Draft::default())?;
            Ok(match look {
                SearchResult::Pulled(Pulled { agent, unit, .. }) => {
                    Some(Ahead { agent, unit, has: true })
                }
                SearchResult::Given(agent, unit) => Some(Ahead { agent, unit, has: false }),
                SearchResult::Nothing => None,
            })
        })
    }

    /// Returns why the remaining unassigned units cannot be worked on. An unreadable document may
    /// be work, so then it is unknown whether any is left.
    pub fn pull_left(&self) -> Result<Option<Hold>, EngineError> {
        self.look(|view| {
            let now = clock::now();
            let OpenUnits { all, unread } = open(view, &BTreeSet::new(), now)?;
            for work in &all {
                let nobody = Agent::parse("nobody")?;
                let wanted = Some(UnitToAssign { unit: &work.unit, title: None });
                let seat = AssignmentFiles::load(view, &nobody, wanted, now)?;
                if let Some(hold) = seat.slice.held(&facts(view, now)) {
                    return Ok(Some(hold));
                }
                let waits = seat.slice.job().map_or(&[][..], |job| &job.waits_for);
                if let Some(first) = waits.first() {
                    let circle = circles(&all).into_iter().find(|all| all.contains(&work.unit));
                    let what = circle.map_or_else(
                        || format!("{} waits for {first}, which is not done", work.unit),
                        |circle| never_assigned(&circle),
                    );
                    return Ok(Some(Hold::Asked { what }));
                }
            }
            for agent in agents(view)? {
                AssignmentFiles::load(view, &agent, None, now)?;
            }
            unread.map_or(Ok(None), Err)
        })
    }
}

/// Decides what comes next.
fn look(
    view: &View<'_>,
    seen: &BTreeSet<UnitId>,
    session: &SessionId,
    draft: &mut Draft,
) -> Result<SearchResult, EngineError> {
    let now = clock::now();
    if let Some(pulled) = assigned(view, seen, session, now, draft)? {
        return Ok(SearchResult::Pulled(pulled));
    }
    let given = give(view, seen, now, draft)?;
    Ok(given.map_or(SearchResult::Nothing, |(agent, unit)| SearchResult::Given(agent, unit)))
}

/// Finds an assignment that no session works on.
fn assigned(
    view: &View<'_>,
    seen: &BTreeSet<UnitId>,
    session: &SessionId,
    now: Time,
    draft: &mut Draft,
) -> Result<Option<Pulled>, EngineError> {
    for agent in agents(view)? {
        // An unreadable assignment is left alone, and reported once no other work is left.
        let Ok(mut seat) = AssignmentFiles::load(view, &agent, None, now) else { continue };
        let slot = seat.slice.slot();
        let Some(unit) = slot.unit().filter(|unit| !seen.contains(*unit)).cloned() else {
            continue;
        };
        let is_ours = seat.slice.attempt().and_then(Attempt::session) == Some(session);
        match slot.status() {
            AssignmentStatus::Pending => {
                let events = seat.slice.activate(session, &facts(view, now))?;
                note_adoption(&seat, draft)?;
                seat.save(draft)?;
                draft.tell(&run()?, events);
            }
            AssignmentStatus::Active | AssignmentStatus::Completed if is_ours => {}
            AssignmentStatus::Active | AssignmentStatus::Completed | AssignmentStatus::Empty => {
                continue;
            }
        }
        let Some(fence) = seat.slice.attempt().map(Attempt::fence) else { continue };
        let claimed = slot.status() == AssignmentStatus::Completed;
        return Ok(Some(Pulled { agent, unit, fence, session: session.clone(), claimed }));
    }
    Ok(None)
}

/// Assigns the most urgent open unit to a free agent, and returns both.
fn give(
    view: &View<'_>,
    seen: &BTreeSet<UnitId>,
    now: Time,
    draft: &mut Draft,
) -> Result<Option<(Agent, UnitId)>, EngineError> {
    Who::Mayor.may(Verb::Set, &Agent::parse("mayor")?)?;
    for work in open(view, seen, now)?.all {
        let wanted = Some(UnitToAssign { unit: &work.unit, title: None });
        let nobody = AssignmentFiles::load(view, &Agent::parse("nobody")?, wanted, now)?;
        let waits = nobody.slice.job().is_some_and(|job| !job.waits_for.is_empty());
        if waits || nobody.slice.held(&facts(view, now)).is_some() {
            continue;
        }
        let agent = free(view, work.rig.as_deref(), now)?;
        let (unit, rig) = (&work.unit, work.rig.as_deref().unwrap_or(AgentFile::RIG));
        let stage = DispatchStage::Confirmed;
        let given = AssignRequest { agent: &agent, unit, title: None, rig, stage, key: None };
        match assign(view, given, &Who::Mayor, now, draft) {
            Ok(_) => return Ok(Some((agent, work.unit))),
            // It waits for a person and is listed there.
            Err(EngineError::Denied(Denied::Held(_))) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(None)
}

/// The units that can be assigned.
struct OpenUnits {
    /// Most urgent first.
    all: Vec<WorkFile>,
    /// The error of the first unreadable unit, which is not assigned and blocks no others.
    unread: Option<EngineError>,
}

fn open(view: &View<'_>, seen: &BTreeSet<UnitId>, now: Time) -> Result<OpenUnits, EngineError> {
    let (mut all, mut unread) = (Vec::new(), None);
    for unit in units(view)?.into_iter().filter(|unit| !seen.contains(unit)) {
        match read_unit(view, (&unit, None), true, now) {
            Ok(found) => all.extend(found.work.filter(|work| work.work == WorkState::Open)),
            Err(error) => drop(unread.get_or_insert(error)),
        }
    }
    all.sort_by(|one, other| {
        (&one.priority, one.unit.as_str()).cmp(&(&other.priority, other.unit.as_str()))
    });
    Ok(OpenUnits { all, unread })
}

/// Returns an idle agent of a group, or the name for a new agent.
fn free(view: &View<'_>, rig: Option<&str>, now: Time) -> Result<Agent, EngineError> {
    let all = agents(view)?;
    for agent in &all {
        let path = paths::agent(agent)?;
        let file = text(view, &path)?.map(|text| AgentFile::read(&text)).transpose();
        let file = file.map_err(|fault| wrong(&path, &fault))?;
        let file = file.unwrap_or_else(|| AgentFile::new(agent.as_str(), AgentFile::RIG));
        let works = ["polecat", "crew"].contains(&file.role.as_str())
            && file.status != AgentFile::TERMINATED
            && rig.is_none_or(|rig| rig == file.rig);
        let seat = AssignmentFiles::load(view, agent, None, now);
        let is_free = seat.is_ok_and(|seat| !seat.adopted && seat.slice.slot() == Slot::Empty);
        if works && is_free {
            return Ok(agent.clone());
        }
    }
    // One more name than there are agents, so one of them is free.
    let mut names = (1..=all.len() + 1).map(|number| format!("worker-{number}"));
    let new = names.find(|name| !all.iter().any(|agent| agent.as_str() == name));
    Ok(Agent::parse(new.as_deref().unwrap_or("worker"))?)
}

/// Returns how many units are done, and the total.
pub(crate) fn count(view: &View<'_>) -> Result<(usize, usize), EngineError> {
    let all = units(view)?;
    let done = all.iter().filter(
        |unit| matches!(read_work(view, unit, None), Ok((_, Some(work))) if work.work.is_done()),
    );
    Ok((done.count(), all.len()))
}

/// Builds the prompt of an assignment: the unit, and the handoff of its previous agent.
pub(crate) fn told(view: &View<'_>, pulled: &Pulled, now: Time) -> Result<String, EngineError> {
    let seat = AssignmentFiles::load(view, &pulled.agent, None, now)?;
    let Some(work) = seat.work.filter(|work| work.unit == pulled.unit) else {
        return Err(super::assign::no_unit(&pulled.unit));
    };
    let mut parts = vec![format!("{}: {}", work.unit, work.title.trim())];
    parts.push(work.about.trim().to_owned());
    if let Some(note) = handed_over(view, &pulled.unit)? {
        parts.push(format!("{} worked on it before: {}", note.agent, note.summary.trim()));
    }
    parts.retain(|part| !part.is_empty());
    Ok(parts.join("\n\n"))
}

/// Returns the newest handoff of a unit.
fn handed_over(view: &View<'_>, unit: &UnitId) -> Result<Option<Handoff>, EngineError> {
    let mut newest: Option<Handoff> = None;
    for agent in folders(view, "handoff")? {
        let folder = paths::folder(&format!("handoff/{agent}"))?;
        let Some(name) = names(view, &folder)?.pop() else { continue };
        let path = folder.join(&name)?;
        let Some(text) = text(view, &path)? else { continue };
        let note = Handoff::read(&text).map_err(|fault| wrong(&path, &fault))?;
        let is_newer = newest.as_ref().is_none_or(|known| known.at < note.at);
        if note.unit == unit.as_str() && is_newer {
            newest = Some(note);
        }
    }
    Ok(newest)
}
