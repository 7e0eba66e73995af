//! The kernel's functions on a run of any machine.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use sprag_core::basis::InputKeys;
use sprag_core::{
    Ask, Attempt, Denied, Effect, Event, Facts, Hash, Hold, LastFailure, Machine, Next, Plain,
    Prompt, Rank, Run, RunId, RunStatus, SessionId, Signal, Stepped, StopCounter, Stored, Time,
    Unit, UnitId, Vote, Waiting,
};

use super::{AnyRun, Kind};

/// Where a run keeps its definition and its kernel state.
pub trait OnMachine: Clone + PartialEq {
    type M: Machine<Definition: Debug, Position: Stored + PartialEq + Debug + Send + Sync + 'static>;

    fn definition(&self) -> &<Self::M as Machine>::Definition;

    fn run(&self) -> &Run<<Self::M as Machine>::Position>;

    /// Adopts the kernel state after a step.
    fn take_run(&mut self, run: Run<<Self::M as Machine>::Position>);

    /// Prepares the run for a step.
    fn before_step(&mut self) {}
}

/// Implements [`OnMachine`] for a run that keeps both in its fields `definition` and `run`.
macro_rules! on_machine {
    ($run:ty, $machine:ty) => {
        impl $crate::engine::kind::OnMachine for $run {
            type M = $machine;

            fn definition(&self) -> &<$machine as sprag_core::Machine>::Definition {
                &self.definition
            }

            fn run(&self) -> &sprag_core::Run<<$machine as sprag_core::Machine>::Position> {
                &self.run
            }

            fn take_run(
                &mut self,
                run: sprag_core::Run<<$machine as sprag_core::Machine>::Position>,
            ) {
                self.run = run;
            }
        }
    };
}

pub(crate) use on_machine;

/// The kernel's functions on a run, whatever its machine.
pub trait Kernel {
    /// Applies a signal and returns the events for the journal; a denied signal changes nothing.
    fn step(&mut self, signal: &Signal, facts: &Facts) -> Result<Vec<Event>, Denied>;

    /// Returns the run's vote on a session that wants to stop.
    fn vote(&self, desk: &StopCounter, facts: &Facts) -> Result<Vote, Vec<Ask>>;

    fn next(&self, facts: &Facts) -> Next;

    fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt;

    fn begun(&self, facts: &Facts) -> Vec<Unit>;

    fn life(&self, facts: &Facts) -> RunStatus;

    /// Returns all holds that wait for a person.
    fn waiting(&self, facts: &Facts) -> Vec<Waiting>;

    /// Returns the precedence of this run's refusals over those of other runs.
    fn rank(&self) -> Rank;

    fn id(&self) -> &RunId;

    fn owner(&self) -> Option<&SessionId>;

    fn is_cancelled(&self) -> bool;

    /// Returns the attempts that have begun and not ended.
    fn attempts(&self) -> &[Attempt];

    /// Returns the last failure of the current unit.
    fn failed(&self) -> Option<&LastFailure>;

    /// Returns the last failure that was on these files.
    fn failed_on(&self, tree: Hash) -> Option<&LastFailure>;

    /// Returns the changed inputs for which the agent of a unit was sent back.
    fn sent_back(&self, unit: &UnitId) -> Option<&InputKeys>;

    fn red_of(&self, unit: &UnitId) -> Option<&LastFailure>;

    /// Returns how many attempts of a unit were lost in a row.
    fn lost(&self, unit: &UnitId) -> u32;

    /// Returns the effects that are decided and not yet performed.
    fn outbox(&self) -> &[Effect];

    /// Returns the hold on the whole run, if any.
    fn standing_hold(&self, now: Time) -> Option<Hold>;

    /// Returns the time limit of the whole run, if it has one.
    fn wall(&self) -> Option<Duration>;

    fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold>;

    /// Returns the deadline of a unit that has begun, if it has one.
    fn due(&self, unit: &Unit) -> Option<Time>;

    /// Returns the position, which records the progress, as plain values.
    fn position(&self) -> Plain;

    /// Returns the next unit, begun or not.
    fn unit(&self, facts: &Facts) -> Option<Unit>;

    /// Returns the kernel's part as plain values.
    fn plain(&self) -> Plain;

    /// Returns a copy of the kernel's part, to compare it later.
    fn kernel_copy(&self) -> Arc<dyn KernelPart>;

    /// Returns whether the kernel's part is the same as when it was copied.
    fn is_copy(&self, copy: &dyn KernelPart) -> bool;

    fn boxed(&self) -> AnyRun;
}

/// The kernel's part of a run, apart from the run.
pub trait KernelPart: Any + Debug + Send + Sync {
    fn plain(&self) -> Plain;
}

impl<P: Stored + Debug + Send + Sync + 'static> KernelPart for Run<P> {
    fn plain(&self) -> Plain {
        self.lower()
    }
}

impl<K: OnMachine + Kind> Kernel for K {
    fn step(&mut self, signal: &Signal, facts: &Facts) -> Result<Vec<Event>, Denied> {
        self.before_step();
        let Stepped { run, events } =
            sprag_core::step::<K::M>(self.definition(), self.run(), signal, facts)?;
        self.take_run(run);
        Ok(events)
    }

    fn vote(&self, desk: &StopCounter, facts: &Facts) -> Result<Vote, Vec<Ask>> {
        sprag_core::vote::<K::M>(self.definition(), self.run(), desk, facts)
    }

    fn next(&self, facts: &Facts) -> Next {
        sprag_core::next::<K::M>(self.definition(), self.run(), facts)
    }

    fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt {
        sprag_core::prompt::<K::M>(self.definition(), self.run(), unit, facts)
    }

    fn begun(&self, facts: &Facts) -> Vec<Unit> {
        sprag_core::begun::<K::M>(self.definition(), self.run(), facts)
    }

    fn life(&self, facts: &Facts) -> RunStatus {
        if self.stopped(facts).is_some() {
            return RunStatus::Held;
        }
        sprag_core::life::<K::M>(self.definition(), self.run(), facts)
    }

    fn waiting(&self, facts: &Facts) -> Vec<Waiting> {
        let mut all = sprag_core::waiting::<K::M>(self.definition(), self.run(), facts);
        let stopped = self.stopped(facts);
        all.extend(stopped.map(|hold| Waiting { unit: None, fence: None, hold: hold.clone() }));
        all
    }

    fn rank(&self) -> Rank {
        K::M::RANK
    }

    fn id(&self) -> &RunId {
        self.run().id()
    }

    fn owner(&self) -> Option<&SessionId> {
        self.run().owner()
    }

    fn is_cancelled(&self) -> bool {
        self.run().is_cancelled()
    }

    fn attempts(&self) -> &[Attempt] {
        self.run().attempts()
    }

    fn failed(&self) -> Option<&LastFailure> {
        self.run().failed().values().next()
    }

    fn failed_on(&self, tree: Hash) -> Option<&LastFailure> {
        self.run().failed().values().find(|red| red.tree() == tree)
    }

    fn sent_back(&self, unit: &UnitId) -> Option<&InputKeys> {
        self.run().sent_back(unit)
    }

    fn red_of(&self, unit: &UnitId) -> Option<&LastFailure> {
        self.run().failed().get(unit)
    }

    fn lost(&self, unit: &UnitId) -> u32 {
        self.run().lost(unit)
    }

    fn outbox(&self) -> &[Effect] {
        self.run().outbox()
    }

    fn standing_hold(&self, now: Time) -> Option<Hold> {
        self.run().standing_hold(now)
    }

    fn wall(&self) -> Option<Duration> {
        self.run().wall_millis().map(|millis| Duration::from_millis(millis.into()))
    }

    fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold> {
        self.run().hold_of(attempt, now)
    }

    fn due(&self, unit: &Unit) -> Option<Time> {
        self.run().due(unit)
    }

    fn position(&self) -> Plain {
        self.run().position().lower()
    }

    fn unit(&self, facts: &Facts) -> Option<Unit> {
        match K::M::next(self.definition(), self.run(), facts) {
            Next::Units(units) => units.into_iter().next(),
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => None,
        }
    }

    fn plain(&self) -> Plain {
        self.run().lower()
    }

    fn kernel_copy(&self) -> Arc<dyn KernelPart> {
        Arc::new(self.run().clone())
    }

    fn is_copy(&self, copy: &dyn KernelPart) -> bool {
        let copy: &dyn Any = copy;
        copy.downcast_ref() == Some(self.run())
    }

    fn boxed(&self) -> AnyRun {
        Box::new(self.clone())
    }
}
