//! Verbs for persons only: pause, resume and cancel runs and sessions.

use std::time::Duration;

use sprag_core::event::SessionPaused;
use sprag_core::{Denied, Facts, Hold, RunId, SessionId, Signal, Time};
use sprag_store::View;

use crate::attach::Unclaimed;
use crate::conclude::Concluded;
use crate::draft::Draft;
use crate::drive::{answered, knows, session_of};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::open_run::pause;
use crate::session::{self, LoadedSession, Paused};

/// The result of a verb in one line.
pub type Said = String;

/// The actor recorded when sprag itself pauses a run.
pub const OURSELVES: &str = "sprag";

impl Engine<'_> {
    /// Pauses a run for `length`, or until a person resumes it.
    pub fn pause(
        &self,
        run: &RunId,
        why: &str,
        length: Option<Duration>,
        by: &str,
    ) -> Result<Said, EngineError> {
        let now = Now::new(self);
        let until = length.map(|length| later(now.at, length));
        let why = why.to_owned();
        let hold = match until {
            Some(at) => Hold::Until { at, why },
            None => Hold::Person { why },
        };
        self.pause_for(run, &hold, by, &now)?;
        Ok(match until {
            Some(until) => format!("{run}: paused until {until}"),
            None => format!("{run}: paused; `sprag resume {run}` lets it go on"),
        })
    }

    /// Holds a run whose driver cannot continue or was interrupted.
    pub fn pause_driven(&self, run: &RunId, hold: &Hold, by: &str) -> Result<(), EngineError> {
        self.pause_for(run, hold, by, &Now::new(self))
    }

    fn pause_for(
        &self,
        run: &RunId,
        hold: &Hold,
        by: &str,
        now: &Now<'_>,
    ) -> Result<(), EngineError> {
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            pause(view, run, hold, now, &mut draft)?;
            // sprag needs no notice of its own hold.
            if by != OURSELVES {
                knows(self.kinds, view, run, hold, &mut draft)?;
            }
            Ok((draft, ()))
        })
    }

    /// Sets a session free, for `length` or without an end: its stops are not checked.
    pub fn pause_session(
        &self,
        id: &SessionId,
        why: &str,
        length: Option<Duration>,
        by: &str,
    ) -> Result<Said, EngineError> {
        let now = Now::new(self);
        let until = length.map(|length| later(now.at, length));
        self.change_session(id, by, Some(&Paused { why: why.to_owned(), until }))?;
        Ok(match until {
            Some(until) => format!("{id}: free until {until}"),
            None => format!("{id}: free; `sprag resume {id}` holds it again"),
        })
    }

    /// Ends a session's freedom.
    pub fn resume_session(&self, id: &SessionId, by: &str) -> Result<Said, EngineError> {
        self.change_session(id, by, None)?;
        Ok(format!("{id}: held to its gates again"))
    }

    fn change_session(
        &self,
        id: &SessionId,
        by: &str,
        paused: Option<&Paused>,
    ) -> Result<(), EngineError> {
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut file = match session::read(view, id)? {
                LoadedSession::Seen(file) => file,
                LoadedSession::New => {
                    return Err(EngineError::NotFound { what: format!("no session `{id}` here") });
                }
                LoadedSession::Unreadable { path, why } => {
                    return Err(EngineError::Unreadable { path: path.to_string(), why });
                }
            };
            file.paused = paused.cloned();
            let why = paused.map(|paused| paused.why.clone());
            draft.note(None, SessionPaused { session: id.to_string(), why });
            draft.session(id, &file)?;
            Ok((draft, ()))
        })
    }

    /// Resumes a run with fresh bounds, and frees it from an owner that is gone.
    pub fn resume(&self, run: &RunId, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = OpenRun::open(self.kinds, view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let id = case.run.id().clone();
            if case.run.live.standing_hold(now.at).is_some_and(|hold| hold.is_change()) {
                case.run.take_text();
            }
            draft.tell(&id, case.run.live.step(&Signal::Resume, &facts)?);
            let said = (&Signal::Resume, &Concluded::default());
            answered(view, &case, said, &facts, &mut draft)?;
            let freed = self.free(view, &mut case, run, &now, &mut draft)?;
            draft.run(&case.run)?;
            Ok((draft, format!("{run}: goes on{freed}")))
        })
    }

    /// Frees a run from a session that is gone, so that another driver can take it. Returns the
    /// owner if it stays.
    pub fn take_over(&self, run: &RunId, by: &str) -> Result<Option<SessionId>, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = OpenRun::open(self.kinds, view, run)?;
            let owner = session_of(&case.run).filter(|_| case.run.header.ended.is_none()).cloned();
            let Some(owner) = owner else { return Ok((draft, None)) };
            if self.is_there(view, &owner, now.at)?
                || !release(view, &mut case, run, &now, &mut draft)?
            {
                return Ok((draft, Some(owner)));
            }
            draft.run(&case.run)?;
            Ok((draft, None))
        })
    }

    /// Frees a run from an owner that is gone, and reports it.
    fn free(
        &self,
        view: &View<'_>,
        case: &mut OpenRun,
        run: &RunId,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<&'static str, EngineError> {
        let Some(owner) = case.run.live.owner() else { return Ok("") };
        if self.driven_by(run, Duration::ZERO)?.is_some() {
            return Ok("");
        }
        let there = self.there(view, now.at)?;
        if there.contains(owner) || !release(view, case, run, now, draft)? {
            return Ok("");
        }
        Ok("; the next session here takes it up")
    }

    pub fn cancel(&self, run: &RunId, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = OpenRun::open(self.kinds, view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            // A run that is over keeps its result.
            if case.run.is_over(now.at) {
                return Err(Denied::Over.into());
            }
            let id = case.run.id().clone();
            draft.tell(&id, case.run.live.step(&Signal::Cancel, &facts)?);
            case.run.header.ended = Some(now.at);
            case.run.header.notified = true;
            draft.run(&case.run)?;
            if let Some((owner, mut file)) = case.owner.take() {
                file.runs.retain(|known| known != run);
                draft.session(&owner, &file)?;
            }
            let mut unclaimed = Unclaimed::read(view)?;
            if unclaimed.runs.contains(run) {
                unclaimed.runs.retain(|known| known != run);
                draft.edit(unclaimed.edit()?);
            }
            Ok((draft, format!("{run}: cancelled")))
        })
    }

    pub(crate) fn hold(
        &self,
        run: &RunId,
        hold: &Hold,
        by: &str,
        now: &Now<'_>,
    ) -> Result<(), EngineError> {
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            pause(view, run, hold, now, &mut draft)?;
            Ok((draft, ()))
        })
    }
}

/// Takes a run from its owner, so that another session can attach. Returns whether that is
/// possible.
fn release(
    view: &View<'_>,
    case: &mut OpenRun,
    run: &RunId,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<bool, EngineError> {
    if !case.run.live.info().is_released {
        return Ok(false);
    }
    let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    draft.tell(&case.run.id().clone(), case.run.live.step(&Signal::Released, &facts)?);
    if let Some((owner, mut file)) = case.owner.take() {
        file.runs.retain(|known| known != run);
        // Writing the owner's file must not mark it as alive again.
        file.ended = file.ended.or(Some(now.at));
        draft.session(&owner, &file)?;
    }
    let mut unclaimed = Unclaimed::read(view)?;
    unclaimed.runs.push(run.clone());
    draft.edit(unclaimed.edit()?);
    Ok(true)
}

fn later(now: Time, length: Duration) -> Time {
    now.plus_millis(i64::try_from(length.as_millis()).unwrap_or(i64::MAX))
}
