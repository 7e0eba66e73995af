//! Begins the next unit of a driven run.

use sprag_core::event::AgentStarted;
use sprag_core::workflow::REVIEW;
use sprag_core::{
    Denied, EffectId, Facts, Fence, Hold, Next, Prompt, Receipt, Retry, RunId, Signal, Time, Unit,
};
use sprag_world::tree::TreeError;

use super::tamper::RunCheckpoint;
use super::{ACTOR, effect, open, prompt};
use crate::after_step::note_hold;
use crate::agents_file::AgentsFile;
use crate::engine::{Engine, EngineError};
use crate::judge::tx::Tx;
use crate::judge::{Known, Progress, Within};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::weigh::of_unit;

/// What a driver does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Coming {
    /// Work on this attempt, which was begun.
    Begun(Box<BegunUnit>),
    Held(Hold),
    /// Another unit is running, or a time must come.
    Wait {
        on: String,
        /// When to look again, if that is known.
        until: Option<Time>,
    },
    Done,
    /// A person cancelled the run.
    Cancelled,
}

/// A unit that was begun, for the agent that works on it.
#[derive(Clone, Debug, PartialEq)]
pub struct BegunUnit {
    pub fence: Fence,
    /// The id of its process.
    pub effect: EffectId,
    pub unit: Unit,
    /// The prompt for a new session.
    pub prompt: String,
    /// The prompt for an agent that resumes its own session.
    pub reminder: String,
    /// The last failure, which the prompt shows.
    pub evidence: Option<Receipt>,
    /// The retry's number, if it is one.
    pub retry: Option<Retry>,
    /// The tools that its definition denies.
    pub denied: Vec<String>,
    /// The state of the run's documents at the beginning.
    pub mark: RunCheckpoint,
    /// The deadline of its agent, if the unit has one.
    pub until: Option<Time>,
    /// The only host that may work on it, in a session of its own.
    pub host: Option<String>,
    /// The earlier report of a proven unit whose gates only need to run again.
    pub said: Option<String>,
    /// Why its earlier result does not count, if it has to be done again.
    pub again: Option<String>,
}

impl Engine<'_> {
    /// Begins the next unit of a run for an agent of `host`, unless `most` agents work already. The
    /// counters are charged in this commit, before any process starts.
    pub fn drive_begin(&self, run: &RunId, host: &str, most: usize) -> Result<Coming, EngineError> {
        self.settle(ACTOR, Within::Driver, &mut |tx: &mut Tx<'_>, _: &Known| {
            let mut case = open(tx.view, run, tx.now)?;
            match (tx.facts(), case.waits_for_person()) {
                (Ok(_), _) => {}
                // No unit begins if git cannot list the files, which may itself be the reason for
                // the hold.
                (Err(EngineError::Tree(TreeError::Git { .. })), Some(hold)) => {
                    return Ok(Progress::Done(Coming::Held(hold.clone())));
                }
                (Err(error), _) => return Err(error),
            }
            let progress = begin(tx, run, &mut case, (host, most))?;
            tx.run(&case.run)?;
            Ok(progress)
        })
    }

    /// Returns the host that reviews the current phase, while it is not the reviewer's turn.
    pub fn drive_judge(&self, run: &RunId) -> Result<Option<String>, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let case = open(view, run, &now)?;
            let Some(review) = case.run.live.phase_review() else { return Ok(None) };
            // The review comes after the phase's own work, regardless of the files.
            if !review.is_begun {
                return Ok(Some(review.reviewer));
            }
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let is_theirs = case.run.live.unit(&facts).is_some_and(|unit| unit.kind == REVIEW);
            Ok((!is_theirs).then_some(review.reviewer))
        })
    }

    /// Gives an open attempt to another agent without a charge: the previous agent is gone, or its
    /// host is limited. `None` if the attempt is over or held.
    pub fn drive_again(
        &self,
        run: &RunId,
        fence: Fence,
        host: &str,
    ) -> Result<Option<Box<BegunUnit>>, EngineError> {
        let now = Now::new(self);
        self.transact(ACTOR, &now, |tx| {
            let mut case = open(tx.view, run, &now)?;
            let mut attempts = case.run.live.attempts().iter();
            let found = attempts.find(|attempt| attempt.fence() == fence);
            let free = found.filter(|a| case.run.live.hold_of(a, now.at).is_none());
            let mut begun = case.run.live.begun(tx.facts()?).into_iter();
            let unit = free.and_then(|attempt| begun.find(|unit| unit.id == *attempt.unit()));
            // A held run does not resume its parked attempts.
            let held = case.run.live.standing_hold(now.at).is_some();
            let Some(unit) = unit.filter(|_| !held) else { return Ok(None) };
            let prompt = case.run.live.prompt(&unit, tx.facts()?);
            let work = hand_out(tx, (run, fence), &mut case, (unit, prompt), host)?;
            tx.run(&case.run)?;
            Ok(Some(Box::new(work)))
        })
    }
}

fn begin(
    tx: &mut Tx<'_>,
    run: &RunId,
    case: &mut OpenRun,
    (host, most): (&str, usize),
) -> Result<Progress<Coming>, EngineError> {
    let unit = match ahead(tx, case)? {
        Ok(unit) => unit,
        Err(instead) => return Ok(instead),
    };
    if !has_room(case, tx.now.at, most) {
        return Ok(Progress::Done(Coming::Wait { on: "work".to_owned(), until: None }));
    }
    let attempt = (run, Fence(tx.facts()?.seq));
    let prompt = case.run.live.prompt(&unit, tx.facts()?);
    // An existing report is not that of the verification which begins now.
    if let Some((ask, said)) = case.run.live.told(&unit.id, tx.view)? {
        tx.answer(ask, said)?;
    }
    let signal = Signal::Begin { unit: unit.id.clone(), agent: None, session: None };
    match case.run.live.step_reading(tx.view, &signal, tx.facts()?) {
        Ok(events) => tx.tell(&case.run.id().clone(), events),
        Err(Denied::Held(hold)) => return Ok(Progress::Done(Coming::Held(hold))),
        Err(Denied::Needs(asks)) => return Ok(case.asks(&asks)),
        Err(other) => return Err(other.into()),
    }
    let work = hand_out(tx, attempt, case, (unit, prompt), host)?;
    Ok(Progress::Done(Coming::Begun(Box::new(work))))
}

/// Returns the next unit of a driven run, or what the driver should do instead.
pub(crate) fn ahead(
    tx: &mut Tx<'_>,
    case: &mut OpenRun,
) -> Result<Result<Unit, Progress<Coming>>, EngineError> {
    let facts = tx.facts()?;
    if case.run.is_over(facts.now) {
        let over = if case.run.live.is_cancelled() { Coming::Cancelled } else { Coming::Done };
        return Ok(Err(Progress::Done(over)));
    }
    let instead = match case.run.live.next(facts) {
        Next::Units(units) => match units.into_iter().next() {
            Some(unit) => return Ok(Ok(unit)),
            None => Coming::Done,
        },
        Next::Ask(asks) => return Ok(Err(case.asks(&asks))),
        Next::Held(hold) => {
            note_hold(tx, &mut case.run)?;
            Coming::Held(hold)
        }
        Next::Wait { on, until } => {
            if let Some(edit) = case.run.live.skip() {
                tx.edit(edit);
                return Ok(Err(Progress::Again));
            }
            Coming::Wait { on, until }
        }
        Next::Done => {
            case.run.header.ended = Some(facts.now);
            Coming::Done
        }
        Next::Cancelled => Coming::Cancelled,
    };
    Ok(Err(Progress::Done(instead)))
}

/// Records the agent of an attempt, and builds its work order.
fn hand_out(
    tx: &mut Tx<'_>,
    (run, fence): (&RunId, Fence),
    case: &mut OpenRun,
    (unit, shown): (Unit, Prompt),
    host: &str,
) -> Result<BegunUnit, EngineError> {
    case.run.live.set_turn(true);
    let effect = effect(run, fence)?;
    let named = case.run.live.host_of(&unit);
    let host = named.as_deref().unwrap_or(host);
    let mut ledger = AgentsFile::read(tx.view, run)?;
    // In a branch, the baseline of a unit is taken when its work is merged.
    match ledger.branch.clone() {
        None => of_unit::begins(tx.view, case, (&unit, fence, host), tx.now, tx)?,
        Some(branch) => {
            of_unit::begins_apart(tx.view, case, (&unit, fence, host), &branch, tx.now, tx)?;
        }
    }
    let mark = RunCheckpoint::of(tx.view);
    ledger.start(fence, &unit, host);
    let said = said_before(case, &unit);
    if let Some(said) = &said {
        ledger.note_said(fence, said);
    }
    tx.edit(ledger.edit(run)?);
    if said.is_none() {
        let started = AgentStarted {
            fence,
            unit: unit.id.to_string(),
            host: host.to_owned(),
            effect: effect.to_string(),
            law: None,
            counts: None,
        };
        tx.note(Some(case.run.id()), started);
    }
    let (prompt, reminder) = prompt::of(&case.run, &unit, &shown, tx.now.at);
    let Prompt { evidence, retry, .. } = shown;
    let mut denied = case.run.denied_tools();
    if case.run.live.only_reads(&unit) {
        denied.push("@edit".to_owned());
    }
    let until = case.run.live.due(&unit);
    let (host, again) = (named, case.run.live.again(&unit));
    Ok(BegunUnit {
        fence,
        effect,
        unit,
        prompt,
        reminder,
        evidence,
        retry,
        denied,
        mark,
        until,
        host,
        said,
        again,
    })
}

/// Returns the report of a phase that was proven before its review, if its files changed since: its
/// gates decide whether an agent must work on it again.
fn said_before(case: &OpenRun, unit: &Unit) -> Option<String> {
    let again = case.run.live.is_proven_before(unit);
    again.then(|| case.run.header.summary.clone().unwrap_or_default())
}

/// Returns whether another agent may start: the driver and the plan both limit the number.
fn has_room(case: &OpenRun, now: Time, most: usize) -> bool {
    let most = case.run.live.max_parallel().map_or(most, |allowed| most.min(allowed as usize));
    let attempts = case.run.live.attempts().iter();
    attempts.filter(|attempt| case.run.live.hold_of(attempt, now).is_none()).count() < most
}
