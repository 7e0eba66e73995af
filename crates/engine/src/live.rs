//! A run in memory with the machine that drives it, behind one face.
//!
//! The kernel is generic over machines; the engine holds several runs of several machines at once.
//! This is the only place that knows which machines there are.

use sprag_core::gsd::Gsd;
use sprag_core::guard::{self, Guard};
use sprag_core::pr::Pr;
use sprag_core::workflow::{self, Started, Workflow};
use sprag_core::{
    Ask, Attempt, Denied, Desk, Effect, Event, Facts, GateSpec, Hold, Life, Machine, Next, Plain,
    Rank, Run, RunId, Session, Signal, Stepped, Stored as _, Time, Unit, Vote, Waiting,
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

    /// Returns its life in one word.
    pub fn life(&self, facts: &Facts) -> Life {
        with!(self, |M, definition, run| sprag_core::life::<M>(definition, run, facts))
    }

    /// Returns what waits for a person in it.
    pub fn waiting(&self, facts: &Facts) -> Vec<Waiting> {
        with!(self, |M, definition, run| sprag_core::waiting::<M>(definition, run, facts))
    }

    /// Returns where its refusals stand among those of others.
    pub const fn rank(&self) -> Rank {
        match self {
            Self::Guard(_) => Guard::RANK,
            Self::Workflow(_) => Workflow::RANK,
            Self::Gsd(_) => Gsd::RANK,
            Self::Pr(_) => Pr::RANK,
        }
    }

    /// Returns its id.
    pub fn id(&self) -> &RunId {
        with!(self, |_M, _definition, run| run.id())
    }

    /// Returns the session that drives it.
    pub fn owner(&self) -> Option<&Session> {
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

    /// Returns what is decided and not yet done outside.
    pub fn outbox(&self) -> &[Effect] {
        with!(self, |_M, _definition, run| run.outbox())
    }

    /// Returns what holds the whole run.
    pub fn standing_hold(&self, now: Time) -> Option<Hold> {
        with!(self, |_M, _definition, run| run.standing_hold(now))
    }

    /// Returns its plain form.
    pub fn lower(&self) -> Plain {
        with!(self, |_M, _definition, run| run.lower())
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
            Self::Gsd(held) => &held.specs,
            Self::Pr(_) => &[],
        }
    }

    /// Returns how often a stop is refused while nothing changes, where it says so.
    pub fn patience(&self) -> Option<u32> {
        match self {
            Self::Guard(_) | Self::Gsd(_) | Self::Pr(_) => None,
            Self::Workflow(held) => {
                held.definition.phase(held.run.position())?.limits.blocks_without_progress
            }
        }
    }
}
