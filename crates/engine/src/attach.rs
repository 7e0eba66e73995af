//! Attaches a session to its runs: those it owns, the one in `SPRAG_RUN`, an unowned one, and its
//! guard.

use serde::{Deserialize, Serialize};
use sprag_core::{
    Agent, BadPath, Deadline, DocPath, Facts, Fence, RunId, SessionId, Signal, Time, prompt,
};
use sprag_store::{Doc, Edit, View};
use sprag_world::{ids, process};

use crate::draft::Draft;
use crate::engine::{Engine, EngineError};
use crate::judge;
use crate::judge::tx::Tx;
use crate::now::Now;
use crate::run_file::{self, RunFile, Unusable};
use crate::session::{self, LoadedSession};
use crate::snapshot::Snapshot;
use crate::weigh::of_unit;

/// A session counts as live if it was seen within this many milliseconds.
const THERE: i64 = 10 * 60 * 1000;
/// The default time limit of a run.
pub(crate) const WALL: std::time::Duration = std::time::Duration::from_hours(8);

/// The environment of a session's hooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct HookEnv<'a> {
    /// The run in `SPRAG_RUN`.
    pub run: Option<&'a RunId>,
    /// The agent in `SPRAG_AGENT`.
    pub agent: Option<&'a Agent>,
    /// Whether `SPRAG_SESSION` gave the session's name.
    pub named: bool,
}

/// `.sprag/sessions/unclaimed.json`: the unowned runs, so that a host hook need not search all
/// runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unclaimed {
    v: u32,
    pub(crate) runs: Vec<RunId>,
}

const UNCLAIMED: &str = "unclaimed.json";

impl Unclaimed {
    fn path() -> Result<DocPath, BadPath> {
        DocPath::parse(&format!("{}/{UNCLAIMED}", session::FOLDER))
    }

    pub(crate) fn read(view: &View<'_>) -> Result<Self, EngineError> {
        let path = Self::path()?;
        let unreadable = |why: String| EngineError::Unreadable { path: path.to_string(), why };
        match view.read(&path) {
            Doc::Absent => Ok(Self { v: 1, runs: Vec::new() }),
            Doc::Text(text) => {
                serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))
            }
            Doc::Unknown(why) => Err(unreadable(why.to_string())),
        }
    }

    pub(crate) fn edit(&self) -> Result<Edit, BadPath> {
        // Texts in a list can always be serialized.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(Edit::Write { doc: Self::path()?, text: format!("{text}\n") })
    }
}

impl Engine<'_> {
    /// Attaches a session to an unowned run, and begins its guard.
    pub(crate) fn begin(
        &self,
        tx: &mut Tx<'_>,
        sitting: &mut Snapshot,
        told: HookEnv<'_>,
        known: &judge::Known,
    ) -> Result<(), EngineError> {
        self.take_up(tx.view, sitting, told, tx.now, tx)?;
        if sitting.file.driven.is_some() {
            return Ok(());
        }
        self.adopt(tx.view, sitting, told, (tx.now, &known.loop_run), tx)?;
        self.begin_guard(tx, sitting, known)
    }

    /// Attaches the session to its run: the one in `SPRAG_RUN`, else the newest unowned one if no
    /// other session is live.
    pub(crate) fn take_up(
        &self,
        view: &View<'_>,
        sitting: &mut Snapshot,
        told: HookEnv<'_>,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        if let Some(run) = told.run.filter(|run| run_file::is_driven(self.kinds, view, run))
            && sitting.file.driven.is_none()
        {
            sitting.file.driven = Some(run.clone());
            sitting.open(self.kinds, view, run);
        }
        if sitting.file.driven.is_some() {
            return Ok(());
        }
        let drives = |run: &RunId| told.run.is_none_or(|told| told == run);
        if sitting.file.runs.iter().any(drives) {
            return Ok(());
        }
        let mut unclaimed = Unclaimed::read(view)?;
        let known = unclaimed.clone();
        if let Some(run) = told.run {
            claim_one(view, sitting, run, now, &mut unclaimed, draft);
        } else if !known.runs.is_empty() && (told.named || self.is_alone(view, sitting, now)?) {
            // Takes the newest run that can still be driven, and drops those that are over or gone.
            for run in known.runs.iter().rev() {
                if claim_one(view, sitting, run, now, &mut unclaimed, draft) {
                    break;
                }
            }
        }
        if unclaimed != known {
            draft.edit(unclaimed.edit()?);
        }
        Ok(())
    }

    pub(crate) fn is_alone(
        &self,
        view: &View<'_>,
        sitting: &Snapshot,
        now: &Now<'_>,
    ) -> Result<bool, EngineError> {
        Ok(self.there(view, now.at)?.iter().all(|id| *id == sitting.id))
    }

    /// Returns all free sessions, live or not.
    pub fn free_sessions(&self) -> Result<Vec<SessionId>, EngineError> {
        let now = sprag_world::clock::now();
        self.look(|view| {
            let mut free = Vec::new();
            for (name, _) in self.store.seen(&DocPath::parse(session::FOLDER)?)? {
                let Some(id) = session::of_file(&name) else { continue };
                if let LoadedSession::Seen(file) = session::read(view, &id)?
                    && file.is_paused(now)
                    && file.ended.is_none()
                {
                    free.push(id);
                }
            }
            Ok(free)
        })
    }

    pub fn knows_session(&self, id: &SessionId) -> Result<bool, EngineError> {
        self.look(|view| Ok(matches!(session::read(view, id)?, LoadedSession::Seen(_))))
    }

    /// Returns the live sessions.
    pub fn sessions(&self) -> Result<Vec<SessionId>, EngineError> {
        let now = sprag_world::clock::now();
        self.look(|view| self.there(view, now))
    }

    /// Returns the sessions that were seen recently and have not ended.
    pub(crate) fn there(&self, view: &View<'_>, now: Time) -> Result<Vec<SessionId>, EngineError> {
        let seen = self.store.seen(&DocPath::parse(session::FOLDER)?)?;
        let mut there = Vec::new();
        for (name, at) in seen {
            let id = session::of_file(&name).filter(|_| name != UNCLAIMED);
            let Some(id) = id else { continue };
            let lately = now.since(at) < THERE;
            if lately && !has_ended(&session::read(view, &id)?) {
                there.push(id);
            }
        }
        Ok(there)
    }

    /// Returns whether a session is live: seen recently, not ended, and its process not known to be
    /// gone.
    pub(crate) fn is_there(
        &self,
        view: &View<'_>,
        session: &SessionId,
        now: Time,
    ) -> Result<bool, EngineError> {
        let there = self.there(view, now)?;
        let Some(id) = there.iter().find(|id| *id == session) else {
            return Ok(false);
        };
        Ok(match session::read(view, id)? {
            LoadedSession::Seen(file) => {
                file.process.as_deref().map(process::life) != Some(process::Life::Gone)
            }
            LoadedSession::New | LoadedSession::Unreadable { .. } => true,
        })
    }
}

/// Makes the session the owner of a run, if that can be driven and has no owner.
fn claim_one(
    view: &View<'_>,
    sitting: &mut Snapshot,
    id: &RunId,
    now: &Now<'_>,
    unclaimed: &mut Unclaimed,
    draft: &mut Draft,
) -> bool {
    let mut run = match RunFile::open(now.engine.kinds, view, id, None) {
        Ok(run) if run.header.ended.is_none() => run,
        Ok(_) | Err(Unusable::Absent(_)) => {
            unclaimed.runs.retain(|run| run != id);
            return false;
        }
        Err(error) => {
            sitting.trouble.push(error.to_string());
            return false;
        }
    };
    let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
    // A run with another owner is not ours, even if `SPRAG_RUN` names it.
    if !claim(&mut run, &sitting.id, &facts, draft) {
        return false;
    }
    unclaimed.runs.retain(|run| run != id);
    sitting.file.runs.push(id.clone());
    sitting.runs.insert(0, run);
    true
}

fn has_ended(known: &LoadedSession) -> bool {
    match known {
        LoadedSession::Seen(file) => file.ended.is_some(),
        LoadedSession::New | LoadedSession::Unreadable { .. } => false,
    }
}

/// Makes a session the owner of a run and of its unattached attempts. Returns whether it could.
pub(crate) fn claim(
    run: &mut RunFile,
    session: &SessionId,
    facts: &Facts,
    draft: &mut Draft,
) -> bool {
    let id = run.id().clone();
    let Ok(events) = run.live.step(&Signal::Claimed { session: session.clone() }, facts) else {
        return false;
    };
    draft.tell(&id, events);
    let pending: Vec<Fence> = run
        .live
        .attempts()
        .iter()
        .filter(|attempt| attempt.session().is_none())
        .map(sprag_core::Attempt::fence)
        .collect();
    for fence in pending {
        let bind = Signal::Attach { fence, session: session.clone() };
        // A held attempt waits for a person, and is attached when it resumes.
        if let Ok(events) = run.live.step(&bind, facts) {
            draft.tell(&id, events);
        }
    }
    true
}

pub(crate) fn new_run(view: &View<'_>) -> Result<RunId, EngineError> {
    ids::run(|id| is_taken(view, id.as_str())).ok_or(EngineError::Refused {
        what: "every name for a run is taken".to_owned(),
        help: "`sprag doctor --fix` forgets old runs".to_owned(),
    })
}

pub(crate) fn is_taken(view: &View<'_>, id: &str) -> bool {
    run_file::path(id).is_ok_and(|path| view.read(&path) != Doc::Absent)
}

pub(crate) fn deadline(now: Time, wall: std::time::Duration) -> Deadline {
    Deadline::starting(now, u32::try_from(wall.as_millis()).unwrap_or(u32::MAX))
}

/// Gives a run to the session that started it, or leaves it for the next session.
pub(crate) fn hand_over(
    view: &View<'_>,
    file: &mut RunFile,
    session: Option<&SessionId>,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let id = file.id().clone();
    let Some(session) = session else {
        let mut unclaimed = Unclaimed::read(view)?;
        unclaimed.runs.push(id);
        draft.edit(unclaimed.edit()?);
        return Ok(());
    };
    let mut sitting = Snapshot::load(view, session, now)?;
    let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    claim(file, &sitting.id, &facts, draft);
    of_unit::enters(view, file, &facts, now)?;
    sitting.file.runs.push(id);
    sitting.save(draft)
}

/// How many bytes of a task the journal records. The run's file holds all of it.
const TOLD: usize = 4 << 10;

/// Shortens a task for the journal.
pub(crate) fn in_journal(task: &str) -> String {
    prompt::short(task, TOLD)
}
