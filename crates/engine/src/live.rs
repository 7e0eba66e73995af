//! A run in memory with the machine that drives it, behind one face.
//!
//! The kernel is generic over machines; the engine holds several runs of several machines at once.
//! This is the only place that knows which machines there are.

use std::time::Duration;

use sprag_core::gsd::Gsd;
use sprag_core::guard::{self, Guard};
use sprag_core::plan::{self, Holding, InSession, Loop, LoopState};
use sprag_core::pr::Pr;
use sprag_core::workflow::{self, Started, Workflow};

use crate::plan::PlanDocs;
use sprag_core::{
    Ask, Attempt, Denied, Desk, Effect, Event, Facts, GateSpec, Hold, Life, Machine, Next, Plain,
    Prompt, Rank, Red, Run, RunId, SessionId, Signal, Stepped, Stored as _, Time, Unit, UnitId,
    Vote, Waiting, Word,
};

use crate::milestones::GsdRun;
use crate::pr::PrRun;

/// A run and what it is a run of.
#[derive(Clone, Debug, PartialEq)]
pub enum Live {
    /// Gates without a workflow.
    Guard(Box<GuardRun>),
    /// Phases in order.
    Workflow(Box<WorkflowRun>),
    /// Tasks in waves, then a verification.
    Plan(Box<PlanRun>),
    /// A loop that a session drives itself.
    Loop(Box<LoopRun>),
    /// A milestone tree.
    Gsd(Box<GsdRun>),
    /// The review loop of a pull request.
    Pr(Box<PrRun>),
}

/// The guard of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardRun {
    /// Its gates, with what the engine must know to evaluate them.
    pub specs: Vec<GateSpec>,
    /// What the kernel knows of them.
    pub definition: guard::Definition,
    /// The run.
    pub run: Run<guard::Position>,
}

/// A run of a workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkflowRun {
    /// What was started.
    pub definition: Started,
    /// The run.
    pub run: Run<workflow::Position>,
}

/// A run of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRun {
    /// The plan and how it is worked through.
    pub definition: plan::Definition,
    /// Its gates, with what the engine must know to evaluate them.
    pub specs: Vec<GateSpec>,
    /// The run.
    pub run: Run<plan::Position>,
    /// Its documents, as they were read.
    pub docs: PlanDocs,
}

/// A loop that a session drives itself.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopRun {
    /// How it is held.
    pub definition: Holding,
    /// The gates of its plan, where the agent says that the loop is over.
    pub specs: Vec<GateSpec>,
    /// The run.
    pub run: Run<LoopState>,
    /// `STATE.md` as it was read.
    pub(crate) state: Option<String>,
    /// What it said.
    pub(crate) read: LoopState,
    /// Whether it says that another session has the loop; then it is not ours to write.
    pub(crate) elsewhere: bool,
    /// When it was read.
    pub(crate) at: Time,
}

/// Calls a function that is generic over machines with the definition and the run at hand.
macro_rules! with {
    ($live:expr, |$machine:ident, $definition:ident, $run:ident| $body:expr) => {
        match $live {
            Live::Guard(held) => {
                type $machine = Guard;
                let ($definition, $run) = (&held.definition, &held.run);
                $body
            }
            Live::Workflow(held) => {
                type $machine = Workflow;
                let ($definition, $run) = (&held.definition, &held.run);
                $body
            }
            Live::Plan(held) => {
                type $machine = Loop;
                let ($definition, $run) = (&held.definition, &held.run);
                $body
            }
            Live::Loop(held) => {
                type $machine = InSession;
                let ($definition, $run) = (&held.definition, &held.run);
                $body
            }
            Live::Gsd(held) => {
                type $machine = Gsd;
                let ($definition, $run) = (&held.definition, &held.run);
                $body
            }
            Live::Pr(held) => {
                type $machine = Pr;
                let ($definition, $run) = (&held.definition, &held.run);
                $body
            }
        }
    };
}

impl Live {
    /// Takes a signal and returns what to write in the journal; a denied one changes nothing.
    pub fn step(&mut self, signal: &Signal, facts: &Facts) -> Result<Vec<Event>, Denied> {
        match self {
            Self::Guard(held) => {
                let Stepped { run, events } =
                    sprag_core::step::<Guard>(&held.definition, &held.run, signal, facts)?;
                held.run = run;
                Ok(events)
            }
            Self::Workflow(held) => {
                let Stepped { run, events } =
                    sprag_core::step::<Workflow>(&held.definition, &held.run, signal, facts)?;
                held.run = run;
                Ok(events)
            }
            Self::Plan(held) => {
                let Stepped { run, events } =
                    sprag_core::step::<Loop>(&held.definition, &held.run, signal, facts)?;
                held.run = run;
                Ok(events)
            }
            Self::Loop(held) => {
                let Stepped { run, events } =
                    sprag_core::step::<InSession>(&held.definition, &held.run, signal, facts)?;
                held.run = run;
                Ok(events)
            }
            Self::Gsd(held) => {
                let Stepped { run, events } =
                    sprag_core::step::<Gsd>(&held.definition, &held.run, signal, facts)?;
                held.take(run);
                Ok(events)
            }
            Self::Pr(held) => {
                let Stepped { run, events } =
                    sprag_core::step::<Pr>(&held.definition, &held.run, signal, facts)?;
                held.run = run;
                Ok(events)
            }
        }
    }

    /// Returns what it says to a session that wants to stop.
    pub fn vote(&self, desk: &Desk, facts: &Facts) -> Result<Vote, Vec<Ask>> {
        with!(self, |M, definition, run| sprag_core::vote::<M>(definition, run, desk, facts))
    }

    /// Returns what can happen next in it.
    pub fn next(&self, facts: &Facts) -> Next {
        with!(self, |M, definition, run| sprag_core::next::<M>(definition, run, facts))
    }

    /// Returns the prompt of one of its units.
    pub fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt {
        with!(self, |M, definition, run| sprag_core::prompt::<M>(definition, run, unit, facts))
    }

    /// Returns the units that were begun.
    pub fn begun(&self, facts: &Facts) -> Vec<Unit> {
        with!(self, |M, definition, run| sprag_core::begun::<M>(definition, run, facts))
    }

    /// Returns its life in one word.
    pub fn life(&self, facts: &Facts) -> Life {
        if self.stopped(facts).is_some() {
            return Life::Held;
        }
        with!(self, |M, definition, run| sprag_core::life::<M>(definition, run, facts))
    }

    /// Returns what waits for a person in it.
    pub fn waiting(&self, facts: &Facts) -> Vec<Waiting> {
        let mut all =
            with!(self, |M, definition, run| sprag_core::waiting::<M>(definition, run, facts));
        let stopped = self.stopped(facts);
        all.extend(stopped.map(|hold| Waiting { unit: None, fence: None, hold: hold.clone() }));
        all
    }

    /// Returns why the command of a rule held what comes next when it was last asked; it is asked
    /// again by whoever drives, and by nobody who only looks.
    fn stopped(&self, facts: &Facts) -> Option<&Hold> {
        let Self::Gsd(held) = self else { return None };
        let stopped = held.run.position().stopped.as_ref().filter(|known| !known.allowed)?;
        matches!(self.next(facts), Next::Ask(_)).then_some(&stopped.hold)
    }

    /// Returns where its refusals stand among those of others.
    pub const fn rank(&self) -> Rank {
        match self {
            Self::Guard(_) => Guard::RANK,
            Self::Workflow(_) => Workflow::RANK,
            Self::Plan(_) => Loop::RANK,
            Self::Loop(_) => InSession::RANK,
            Self::Gsd(_) => Gsd::RANK,
            Self::Pr(_) => Pr::RANK,
        }
    }

    /// Returns its id.
    pub fn id(&self) -> &RunId {
        with!(self, |_M, _definition, run| run.id())
    }

    /// Returns the session that drives it.
    pub fn owner(&self) -> Option<&SessionId> {
        with!(self, |_M, _definition, run| run.owner())
    }

    /// Returns whether a person ended it.
    pub fn is_cancelled(&self) -> bool {
        with!(self, |_M, _definition, run| run.is_cancelled())
    }

    /// Returns the units begun and not ended.
    pub fn attempts(&self) -> &[Attempt] {
        with!(self, |_M, _definition, run| run.attempts())
    }

    /// Returns the last failure of the unit at hand.
    pub fn failed(&self) -> Option<&Red> {
        with!(self, |_M, _definition, run| run.failed().values().next())
    }

    /// Returns the last failure of a unit.
    pub fn red_of(&self, unit: &UnitId) -> Option<&Red> {
        with!(self, |_M, _definition, run| run.failed().get(unit))
    }

    /// Returns how many times in a row attempts of a unit were lost.
    pub fn lost(&self, unit: &UnitId) -> u32 {
        with!(self, |_M, _definition, run| run.lost(unit))
    }

    /// Returns what is decided and not yet done outside.
    pub fn outbox(&self) -> &[Effect] {
        with!(self, |_M, _definition, run| run.outbox())
    }

    /// Returns what holds the whole run.
    pub fn standing_hold(&self, now: Time) -> Option<Hold> {
        with!(self, |_M, _definition, run| run.standing_hold(now))
    }

    /// Returns how long the whole run may take, where that is limited.
    pub fn wall(&self) -> Option<Duration> {
        let millis = with!(self, |_M, _definition, run| run.wall_millis());
        millis.map(|millis| Duration::from_millis(millis.into()))
    }

    /// Returns what holds one of its attempts.
    pub fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold> {
        with!(self, |_M, _definition, run| run.hold_of(attempt, now))
    }

    /// Returns when the time of a unit that was begun is over, where it has one.
    pub fn due(&self, unit: &Unit) -> Option<Time> {
        with!(self, |_M, _definition, run| run.due(unit))
    }

    /// Returns its plain form: what stands in its own file.
    pub fn lower(&self) -> Plain {
        match self {
            Self::Guard(held) => held.run.lower(),
            Self::Workflow(held) => held.run.lower(),
            Self::Plan(held) => crate::plan::lower(held),
            Self::Loop(held) => crate::plan::lower_loop(&held.run),
            Self::Gsd(held) => held.run.lower_trimmed(),
            Self::Pr(held) => held.run.lower(),
        }
    }

    /// Returns where it stands, in plain values: how far the work is.
    pub fn position(&self) -> Plain {
        with!(self, |_M, _definition, run| run.position().lower())
    }

    /// Returns the unit to work on, whether it was begun or not.
    pub fn unit(&self, facts: &Facts) -> Option<Unit> {
        let next = with!(self, |M, definition, run| M::next(definition, run, facts));
        match next {
            Next::Units(units) => units.into_iter().next(),
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => None,
        }
    }

    /// Returns the gates of the unit at hand, with what the engine must know of them.
    pub fn specs(&self) -> &[GateSpec] {
        match self {
            Self::Guard(guard) => &guard.specs,
            Self::Workflow(held) => {
                held.definition.phase(held.run.position()).map_or(&[], |phase| &phase.gates)
            }
            Self::Plan(held) => &held.specs,
            Self::Loop(held) => &held.specs,
            Self::Gsd(held) => &held.specs,
            Self::Pr(_) => &[],
        }
    }

    /// Returns what its session says of it at a stop: that it is over, or nothing.
    pub fn word(&self) -> Word {
        match self {
            Self::Loop(held) if !held.specs.is_empty() => Word::Done,
            Self::Guard(_)
            | Self::Workflow(_)
            | Self::Plan(_)
            | Self::Loop(_)
            | Self::Gsd(_)
            | Self::Pr(_) => Word::None,
        }
    }

    /// Returns how often a stop is refused while nothing changes, where it says so.
    pub fn patience(&self) -> Option<u32> {
        match self {
            Self::Guard(_) | Self::Plan(_) | Self::Gsd(_) | Self::Pr(_) => None,
            Self::Workflow(held) => {
                held.definition.phase(held.run.position())?.limits.blocks_without_progress
            }
            Self::Loop(held) => held.definition.settings.max_idle_blocks,
        }
    }
}
