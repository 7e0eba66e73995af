//! Connects a session that is an agent to its inbox: an agent that has work does it.
//!
//! A session begins the pending work that it finds, and gets its job at once. Active work
//! continues: a session of the same agent takes it over from an earlier session that is gone or was
//! silent for too long, with a new fence. A stop is refused while the work is neither claimed done
//! nor given back. An unanswered abort comes first: it replaces the job, no work begins, and the
//! stop is allowed. A person's pause overrides all of this. An agent whose work was taken away
//! learns so once.

use sprag_core::inbox::{AssignmentStatus, Slot};
use sprag_core::{Agent, Attempt, Hold, Id, SessionId, UnitId};
use sprag_formats::Config;
use sprag_formats::chipset::Nudge;
use sprag_store::View;

use super::assign::note_adoption;
use super::assignment_files::{AssignmentFiles, facts};
use super::lease::Lease;
use super::{abort, nudge, paths, run, watch};
use crate::attach::HookEnv;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::snapshot::Snapshot;

/// The event at which a session checks its inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Begins,
    /// It gets a prompt.
    Speaks,
    /// It used a tool.
    Works,
    /// It wants to stop.
    Stops,
}

/// The work of a session, with messages about it.
#[derive(Debug)]
pub(crate) struct AtWork {
    pub(crate) seat: AssignmentFiles,
    /// News for the agent.
    pub(crate) context: Option<String>,
    /// The notice, at a stop, that work was taken from the session.
    pub(crate) lost: Option<String>,
}

impl Engine<'_> {
    /// Returns the agent that a session is: from its environment, else from the configuration of
    /// its worktree.
    fn agent_of(&self, told: HookEnv<'_>, config: &Config) -> Option<Agent> {
        if let Some(agent) = told.agent {
            return Some(agent.clone());
        }
        let path = self.place.root.to_str()?;
        let name = self.place.root.file_name()?.to_str()?;
        let is_here = |glob: &sprag_core::Glob| {
            let whole = path.trim_start_matches('/').as_bytes();
            glob.matches(whole) || glob.matches(name.as_bytes())
        };
        let found = config.agents.iter().find(|(glob, _)| is_here(glob));
        found.map(|(_, agent)| agent.clone())
    }

    /// Checks a session's inbox and returns its work. An unreadable inbox is reported and holds no
    /// session.
    pub(crate) fn at_work(
        &self,
        view: &View<'_>,
        sitting: &mut Snapshot,
        told: HookEnv<'_>,
        now: &Now<'_>,
        (when, draft): (When, &mut Draft),
    ) -> Result<Option<AtWork>, EngineError> {
        if sitting.law.config.off || sitting.file.is_paused(now.at) {
            return Ok(None);
        }
        let Some(agent) = self.agent_of(told, &sitting.law.config) else { return Ok(None) };
        match self.take_up_work(view, sitting, &agent, now, (when, draft)) {
            Err(EngineError::Unreadable { path, why }) => {
                sitting.trouble.push(format!("{path}: {why}"));
                Ok(recorded(view, sitting, &agent, (when, now)))
            }
            done => done,
        }
    }

    /// Begins pending work, or continues active work.
    fn take_up_work(
        &self,
        view: &View<'_>,
        sitting: &mut Snapshot,
        agent: &Agent,
        now: &Now<'_>,
        (when, draft): (When, &mut Draft),
    ) -> Result<Option<AtWork>, EngineError> {
        let mut seat = AssignmentFiles::load(view, agent, None, now.at)?;
        let was = seat.slice.hear_of_loss(&sitting.id);
        if let Some(abort) = heard(view, sitting, &seat)? {
            let lease = self.lease(view, &seat, sitting, now.at)?;
            return told(view, (&sitting.id, lease), seat, &abort, (when, draft));
        }
        if when == When::Works {
            return without_work(seat, sitting, (was, None), (when, draft));
        }
        let held = |seat: &AssignmentFiles| {
            seat.slice.attempt().and_then(Attempt::session) == Some(&sitting.id)
        };
        let news = match (seat.slice.slot().status(), when) {
            (AssignmentStatus::Pending, _) => {
                let events = seat.slice.activate(&sitting.id, &facts(view, now.at))?;
                draft.tell(&run()?, events);
                true
            }
            (AssignmentStatus::Active, When::Begins | When::Speaks) if !held(&seat) => {
                if let Some(lease) = self.lease(view, &seat, sitting, now.at)? {
                    let context = (when == When::Begins).then(|| elsewhere(&seat, &lease));
                    return without_work(seat, sitting, (was, context), (when, draft));
                }
                let events = seat.slice.take_over(&sitting.id, &facts(view, now.at));
                draft.tell(&run()?, events);
                true
            }
            (AssignmentStatus::Active, When::Begins) => true,
            (
                AssignmentStatus::Empty | AssignmentStatus::Active | AssignmentStatus::Completed,
                _,
            ) => false,
        };
        if !held(&seat) {
            return without_work(seat, sitting, (was, None), (when, draft));
        }
        note_adoption(&seat, draft)?;
        let job = seat.slice.job();
        let fence = seat.slice.attempt().map(Attempt::fence);
        let lost = lost(&seat, &sitting.id, was.as_ref());
        let brief = job.filter(|_| news).map(|job| job.brief(agent, fence));
        let parts: Vec<&str> = [&lost, &brief].into_iter().flatten().map(String::as_str).collect();
        let context = (!parts.is_empty()).then(|| parts.join("\n"));
        Ok(Some(AtWork { seat, context, lost }))
    }
}

/// Holds a stopping session to the work in our own record, so that deleted or damaged documents do
/// not release it.
fn recorded(
    view: &View<'_>,
    sitting: &Snapshot,
    agent: &Agent,
    (when, now): (When, &Now<'_>),
) -> Option<AtWork> {
    if when != When::Stops {
        return None;
    }
    // An unreadable record holds no session and was reported already.
    let seat = AssignmentFiles::of_record(view, agent, now.at).ok().flatten();
    let seat = seat.filter(|seat| {
        let holder = seat.slice.attempt().and_then(Attempt::session);
        seat.slice.slot().status() == AssignmentStatus::Active && holder == Some(&sitting.id)
    });
    seat.map(|seat| AtWork { seat, context: None, lost: None })
}

/// Tells a session that another one does its agent's work.
fn elsewhere(seat: &AssignmentFiles, lease: &Lease) -> String {
    let (agent, Lease { session, until }) = (seat.slice.agent(), lease);
    let unit = seat.slice.slot().unit().map_or_else(String::new, ToString::to_string);
    let until = match until {
        Some(until) => format!("If that session gives no sign of life until {until}"),
        None => "Once that session has ended".to_owned(),
    };
    format!(
        "You are {agent}. The session {session} works on {unit}, which is assigned to you: leave it \
         alone. {until}, it is yours then."
    )
}

/// Returns a message for a session without work. At a stop, which is allowed, the person gets it
/// instead.
fn without_work(
    mut seat: AssignmentFiles,
    sitting: &mut Snapshot,
    (was, context): (Option<UnitId>, Option<String>),
    (when, draft): (When, &mut Draft),
) -> Result<Option<AtWork>, EngineError> {
    let context = context.or_else(|| lost(&seat, &sitting.id, was.as_ref()));
    if context.is_none() {
        return Ok(None);
    }
    note_adoption(&seat, draft)?;
    if when == When::Stops {
        sitting.trouble.extend(context);
        seat.save(draft)?;
        return Ok(None);
    }
    Ok(Some(AtWork { seat, context, lost: None }))
}

/// Returns the notice that work was taken from a session, unless the session has it again.
fn lost(seat: &AssignmentFiles, session: &SessionId, was: Option<&UnitId>) -> Option<String> {
    let (unit, agent) = (was?, seat.slice.agent());
    let text = format!("You are {agent}. {unit} was taken from you: stop working on it.");
    let now = seat.slice.attempt().filter(|attempt| attempt.unit() == unit);
    match now.and_then(Attempt::session) {
        Some(own) if own == session => None,
        Some(other) => Some(format!("{text} The session {other} works on it now.")),
        None => Some(text),
    }
}

/// Returns the pending abort. An unreadable one is reported and does not stop work.
fn heard(
    view: &View<'_>,
    sitting: &mut Snapshot,
    seat: &AssignmentFiles,
) -> Result<Option<Nudge>, EngineError> {
    match abort::standing(view, seat, Some(&sitting.id)) {
        Err(EngineError::Unreadable { path, why }) => {
            sitting.trouble.push(format!("{path}: {why}"));
            Ok(None)
        }
        found => found,
    }
}

/// Reports an abort, except at a stop, which is allowed. A session that does not do the work is
/// told only when it begins, and only once the working session is gone, because that one has to
/// answer.
fn told(
    view: &View<'_>,
    (session, lease): (&SessionId, Option<Lease>),
    seat: AssignmentFiles,
    abort: &Nudge,
    (when, draft): (When, &mut Draft),
) -> Result<Option<AtWork>, EngineError> {
    let holder = seat.slice.attempt().and_then(Attempt::session);
    let is_elsewhere = holder.is_some_and(|holder| holder != session);
    let hears = match (when, lease) {
        (When::Begins, Some(lease)) => {
            let context = Some(elsewhere(&seat, &lease));
            return Ok(Some(AtWork { seat, context, lost: None }));
        }
        (When::Begins, None) => true,
        (When::Speaks | When::Works, _) => !is_elsewhere,
        (When::Stops, _) => false,
    };
    if !hears {
        return Ok(None);
    }
    nudge::keep_abort(view, seat.slice.agent(), abort, draft)?;
    note_adoption(&seat, draft)?;
    let context = Some(abort::order(&seat, abort));
    Ok(Some(AtWork { seat, context, lost: None }))
}

impl AtWork {
    /// Resumes work that was held without progress, because a person sent a prompt.
    pub(crate) fn try_again(
        &mut self,
        view: &View<'_>,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let hold = self.seat.slice.attempt().and_then(Attempt::hold);
        if matches!(hold, Some(Hold::NoProgress { .. })) {
            let events = self.seat.slice.resume(&facts(view, now.at))?;
            draft.tell(&run()?, events);
        }
        Ok(())
    }
}

impl Engine<'_> {
    /// Resumes an agent's assignment, or a unit with too many tries, on a person's order. `None` if
    /// there is neither with this name.
    pub fn resume_work(&self, name: &Id, by: &str) -> Result<Option<String>, EngineError> {
        use super::assignment_files::{UnitToAssign, read_work};
        let (agent, unit) = (Agent::parse(name.as_str())?, UnitId::parse(name.as_str())?);
        let resumed = self.commit(by, crate::engine::PATIENT, |view| {
            let mut draft = Draft::default();
            let now = sprag_world::clock::now();
            let (_, work) = read_work(view, &unit, None)?;
            let mut seat = match &work {
                // For an unassigned unit, the counters are reset.
                Some(work) if work.assignee.is_none() => {
                    let nobody = Agent::parse("nobody")?;
                    AssignmentFiles::load(
                        view,
                        &nobody,
                        Some(UnitToAssign { unit: &unit, title: None }),
                        now,
                    )?
                }
                Some(_) | None => {
                    let seat = AssignmentFiles::load(view, &agent, None, now)?;
                    if seat.slice.slot() == Slot::Empty {
                        return Ok((draft, None));
                    }
                    seat
                }
            };
            let events = seat.slice.resume(&facts(view, now))?;
            let is_unit = work.is_some_and(|work| work.assignee.is_none());
            if is_unit {
                seat.save_tally(&mut draft)?;
            } else {
                seat.save(&mut draft)?;
                watch::answered(view, &agent, &mut draft)?;
            }
            draft.tell(&run()?, events);
            Ok((draft, Some(is_unit)))
        })?;
        if resumed == Some(false) {
            // Its lease starts anew.
            self.store.touch(&paths::holder(&agent)?)?;
        }
        Ok(resumed.map(|_| format!("{name}: goes on")))
    }
}
