//! Makes a driver the owner of a run, and finds the attempts that its predecessor left open.

use std::time::Duration;

use serde_json::Value;
use sprag_core::event::RunStarted;
use sprag_core::{
    Denied, Driven, EffectId, Facts, Fence, Hold, RunId, SessionId, Signal, Time, UnitId,
};
use sprag_store::View;

use super::{ACTOR, effect};
use crate::agents_file::AgentsFile;
use crate::attach::{Unclaimed, new_run};
use crate::draft::Draft;
use crate::edits::RunBaseline;
use crate::engine::kind::{AnyRun, Moment};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::inbox;
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::{Header, RunFile, driver_of};

/// An attempt that an earlier driver began and did not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftAttempt {
    pub fence: Fence,
    pub unit: UnitId,
    /// The id of its process.
    pub effect: EffectId,
    /// The host of its agent.
    pub host: String,
    /// The agent's last message, if it had ended.
    pub said: Option<String>,
    /// When its host accepts work again, if that is limited.
    pub until: Option<Time>,
    /// Whether its agent was working, so that its changes are unchecked.
    pub(super) was_at_work: bool,
}

impl Engine<'_> {
    /// Returns what a person must drive to continue a run whose driver is gone. The inbox driver
    /// continues its own runs.
    pub(crate) fn left_by_driver(&self, run: &RunFile) -> Option<Driven> {
        let own = run.id();
        let is_free = |name: &RunId| {
            let chair = self.seat_of(name).ok().flatten();
            chair.is_some_and(|chair| chair.turn(Duration::ZERO).is_ok())
        };
        let is_assigned = run.live.info().is_assigned;
        let of = if is_assigned { inbox::run().ok()? } else { own.clone() };
        (session_of(run).is_none() && is_free(own) && is_free(&of)).then(|| Driven::of(&of))
    }

    /// Returns the active driver of an open run without an owner. A plan's tasks have their own
    /// owners.
    pub(crate) fn sitting_driver(&self, run: &RunFile) -> Option<SessionId> {
        let own = Some(run.id()).filter(|_| run.header.ended.is_none())?;
        self.driven_by(own, Duration::ZERO).ok().flatten()?;
        driver_of(own).ok()
    }

    /// Makes this process the owner of a run. The caller holds the driver's lock, so an owner that
    /// is a driver is known to be gone.
    pub fn drive_claim(&self, run: &RunId) -> Result<Vec<LeftAttempt>, EngineError> {
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let mut case = OpenRun::open(self.kinds, view, run)?;
            let mut draft = Draft::default();
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            if case.run.live.info().has_owner {
                own(&mut case, run, &facts, &mut draft)?;
            }
            let mut unclaimed = Unclaimed::read(view)?;
            if unclaimed.runs.contains(run) {
                unclaimed.runs.retain(|known| known != run);
                draft.edit(unclaimed.edit()?);
            }
            draft.run(&case.run)?;
            let left = left(&case, &AgentsFile::read(view, run)?, run, |_| true)?;
            Ok((draft, left))
        })
    }

    /// Returns the open attempts that drivers of a run began, except those that wait for a person.
    pub fn drive_left(&self, run: &RunId) -> Result<Vec<LeftAttempt>, EngineError> {
        self.look(|view| {
            let ledger = AgentsFile::read(view, run)?;
            left(&OpenRun::open(self.kinds, view, run)?, &ledger, run, |fence| {
                ledger.working.contains_key(&fence.0.0)
            })
        })
    }
}

/// Returns the `wanted` attempts of a run, except those that wait for a person.
fn left(
    case: &OpenRun,
    ledger: &AgentsFile,
    run: &RunId,
    wanted: impl Fn(Fence) -> bool,
) -> Result<Vec<LeftAttempt>, EngineError> {
    let for_person = |hold: &Hold| hold.ends().is_none();
    let attempts = case.run.live.attempts().iter().filter(|attempt| wanted(attempt.fence()));
    let left = attempts.filter(|a| !a.hold().is_some_and(for_person)).map(|attempt| {
        let working = ledger.working.get(&attempt.fence().0.0).cloned();
        let working = working.unwrap_or_default();
        let until = attempt.hold().and_then(Hold::ends);
        // An agent that resolves a conflict left its message in an earlier turn.
        let is_on = working.said.is_none() || working.begun_apart;
        Ok(LeftAttempt {
            fence: attempt.fence(),
            unit: attempt.unit().clone(),
            effect: effect(run, attempt.fence())?,
            host: working.host,
            said: working.said,
            until,
            was_at_work: is_on && until.is_none(),
        })
    });
    left.collect()
}

/// Returns the session that owns a run. A plan has none that another session would have to wait
/// for.
pub(crate) fn session_of(run: &RunFile) -> Option<&SessionId> {
    let has_owner = run.live.info().has_owner;
    run.live.owner().filter(|_| has_owner && !run.has_driver())
}

fn own(
    case: &mut OpenRun,
    run: &RunId,
    facts: &Facts,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let is_over = case.run.live.is_cancelled() || case.run.header.ended.is_some();
    if is_over || case.run.has_driver() {
        return Ok(());
    }
    if let Some(owner) = case.run.live.owner() {
        return Err(Denied::Foreign { owner: Some(owner.clone()) }.into());
    }
    let (id, claimed) = (case.run.id().clone(), Signal::Claimed { session: driver_of(run)? });
    draft.tell(&id, case.run.live.step(&claimed, facts)?);
    Ok(())
}

/// How long a second driver waits for the lock of the first.
pub const SEAT: Duration = Duration::from_millis(250);

/// A run that is about to start.
#[derive(Debug)]
pub struct NewRun {
    pub header: Header,
    /// The event for the journal.
    pub started: RunStarted,
    pub live: AnyRun,
}

/// Builds a run under the id that it gets.
pub type Make<'m> = dyn Fn(&View<'_>, &dyn Moment, RunId) -> Result<NewRun, EngineError> + 'm;

impl Engine<'_> {
    /// Starts a driven run of any kind, which `make` builds under a new id.
    pub fn start_driven(&self, how: &Value, make: &Make<'_>) -> Result<RunId, EngineError> {
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let mut draft = Draft::default();
            let id = new_run(view)?;
            let NewRun { header, started, live } = make(view, &now, id.clone())?;
            draft.note(Some(&id), started);
            let mut file = RunFile::new(header, live);
            begin_driven(&mut file, how, &now, view, &mut draft)?;
            draft.run(&file)?;
            Ok((draft, id))
        })
    }
}

/// Gives a new run to its driver, and stores the driver's settings.
pub(crate) fn begin_driven(
    file: &mut RunFile,
    how: &Value,
    now: &Now<'_>,
    view: &View<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let run = file.id().clone();
    let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    RunBaseline::note(view, now, draft)?;
    let claimed = Signal::Claimed { session: driver_of(&run)? };
    draft.tell(&run, file.live.step(&claimed, &facts)?);
    draft.edit(AgentsFile::driven(how).edit(&run)?);
    Ok(())
}
