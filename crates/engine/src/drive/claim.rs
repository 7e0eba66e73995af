//! Makes a driver the owner of a run, and finds what the one before left behind.

use std::time::Duration;

use sprag_core::{
    Denied, Driven, EffectId, Facts, Fence, Hold, RunId, SessionId, Signal, Time, UnitId,
};
use sprag_store::View;

use super::ledger::Ledger;
use super::{ACTOR, effect};
use crate::case::Case;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::inbox;
use crate::live::Live;
use crate::run_file::{RunFile, Source, driver_of};
use crate::sitting::Now;
use crate::tx::Draft;
use crate::whose::Unclaimed;

/// What a driver before this one had begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The attempt.
    pub fence: Fence,
    /// What it works on.
    pub unit: UnitId,
    /// What its process is known by.
    pub effect: EffectId,
    /// The host of its agent.
    pub host: String,
    /// What the agent said last, where it had ended.
    pub said: Option<String>,
    /// When it may go on, where its host takes no work before then.
    pub until: Option<Time>,
    /// Whether its agent was at work: nobody has looked at what it did.
    pub(super) was_at_work: bool,
}

impl Engine<'_> {
    /// Returns what a person must drive again to continue a run whose driver is gone. The driver of the
    /// inbox continues its own runs.
    pub(crate) fn left_by_driver(&self, run: &RunFile) -> Option<Driven> {
        let own = run.id();
        let is_free = |name: &RunId| {
            let chair = self.seat_of(name).ok().flatten();
            chair.is_some_and(|chair| chair.turn(Duration::ZERO).is_ok())
        };
        let is_assigned = run.header.source == Source::Assignment;
        let of = if is_assigned { inbox::run().ok()? } else { own.clone() };
        (session_of(run).is_none() && is_free(own) && is_free(&of)).then(|| Driven::of(&of))
    }

    /// Returns whoever drives a run that is not over and has no owner: the tasks of a plan have theirs.
    pub(crate) fn sitting_driver(&self, run: &RunFile) -> Option<SessionId> {
        let own = Some(run.id()).filter(|_| run.header.ended.is_none())?;
        self.driven_by(own, Duration::ZERO).ok().flatten()?;
        driver_of(own).ok()
    }

    /// Makes this process the owner of a run. To be called by whoever has the driver's seat: an
    /// owner that is a driver is then known to be gone.
    pub fn drive_claim(&self, run: &RunId) -> Result<Vec<Left>, EngineError> {
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let mut case = Case::open(view, run)?;
            let mut draft = Draft::default();
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            if !matches!(case.run.live, Live::Plan(_)) {
                own(&mut case, run, &facts, &mut draft)?;
            }
            let mut unclaimed = Unclaimed::read(view)?;
            if unclaimed.runs.contains(run) {
                unclaimed.runs.retain(|known| known != run);
                draft.edit(unclaimed.edit()?);
            }
            draft.run(&case.run)?;
            let left = left(&case, &Ledger::read(view, run)?, run, |_| true)?;
            Ok((draft, left))
        })
    }

    /// Returns what drivers of a run began that has not ended and is not for a person.
    pub fn drive_left(&self, run: &RunId) -> Result<Vec<Left>, EngineError> {
        self.look(|view| {
            let ledger = Ledger::read(view, run)?;
            left(&Case::open(view, run)?, &ledger, run, |fence| {
                ledger.working.contains_key(&fence.0.0)
            })
        })
    }
}

/// Returns the attempts of a run that are not for a person, as far as they are `wanted`.
fn left(
    case: &Case,
    ledger: &Ledger,
    run: &RunId,
    wanted: impl Fn(Fence) -> bool,
) -> Result<Vec<Left>, EngineError> {
    let for_person = |hold: &Hold| hold.ends().is_none();
    let attempts = case.run.live.attempts().iter().filter(|attempt| wanted(attempt.fence()));
    let left = attempts.filter(|a| !a.hold().is_some_and(for_person)).map(|attempt| {
        let working = ledger.working.get(&attempt.fence().0.0).cloned();
        let working = working.unwrap_or_default();
        let until = attempt.hold().and_then(Hold::ends);
        // Who brings a conflict in order has said something before.
        let is_on = working.said.is_none() || working.begun_apart;
        Ok(Left {
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

/// Returns whether a run is driven from outside, and its agents judged there.
pub(crate) fn is_driven(view: &View<'_>, run: &RunId) -> bool {
    RunFile::open(view, run, None).is_ok_and(|file| file.has_driver())
}

/// Returns the session that owns a run; a plan has none that another would have to wait for.
pub(crate) fn session_of(run: &RunFile) -> Option<&SessionId> {
    let is_plan = matches!(run.live, Live::Plan(_));
    run.live.owner().filter(|_| !is_plan && !run.has_driver())
}

fn own(case: &mut Case, run: &RunId, facts: &Facts, draft: &mut Draft) -> Result<(), EngineError> {
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

/// How long a second driver waits for the seat of the first.
pub const SEAT: Duration = Duration::from_millis(250);
