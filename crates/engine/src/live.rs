//! A run in memory together with its machine, behind one interface.
//!
//! The kernel is generic over machines, while the engine handles runs of several machines at once.
//! This module is the only one that lists the machines.

use std::time::Duration;

use sprag_core::event::FieldsPutBack;
use sprag_core::gsd::Gsd;
use sprag_core::guard::{self, Guard};
use sprag_core::plan::{self, Holding, InSession, Loop, LoopState};
use sprag_core::pr::Pr;
use sprag_core::workflow::{self, Entry, Phase, Started, Workflow};

use sprag_core::{
    Ask, Attempt, Call, Denied, Desk, Effect, Event, Facts, GateSpec, Hold, Life, Machine, Next,
    Plain, Prompt, Rank, Red, Run, RunId, SessionId, Signal, Stepped, Stored as _, Time, Unit,
    UnitId, Vote, Waiting, Word,
};
use sprag_store::Edit;

use crate::milestones::GsdRun;
use crate::plan::{LoopTurn, PlanDocs};
use crate::pr::PrRun;
use crate::run_file::Unusable;

/// A run and its definition.
#[derive(Clone, Debug, PartialEq)]
pub enum Live {
    /// Gates without a workflow.
    Guard(Box<GuardRun>),
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
    /// Its gates, with the data to evaluate them.
    pub specs: Vec<GateSpec>,
    /// The same gates, as the kernel knows them.
    pub definition: guard::Definition,
    pub run: Run<guard::Position>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorkflowRun {
    /// The workflow as it was started.
    pub definition: Started,
    pub run: Run<workflow::Position>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlanRun {
    /// The plan and the settings that it is driven by.
    pub definition: plan::Definition,
    /// Its gates, with the data to evaluate them.
    pub specs: Vec<GateSpec>,
    pub run: Run<plan::Position>,
    /// Its documents, as they were read.
    pub docs: PlanDocs,
}

/// A loop that a session drives itself.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopRun {
    /// The rules that the session is held to.
    pub definition: Holding,
    /// The gates of the loop's plan, if the agent reports the loop as done.
    pub specs: Vec<GateSpec>,
    pub run: Run<LoopState>,
    /// The text of `STATE.md` when it was read.
    pub(crate) state: Option<String>,
    /// The loop's state in that text.
    pub(crate) read: LoopState,
    /// Whether another session has the loop, or `STATE.md` cannot be read; then we must not write
    /// it.
    pub(crate) elsewhere: bool,
    /// The fields that the agent may not decide while it has the turn.
    pub(crate) turn: LoopTurn,
    /// When it was read.
    pub(crate) at: Time,
}

/// Calls a function that is generic over machines with this run and its definition.
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
    /// Applies a signal and returns the events for the journal; a denied signal changes nothing.
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
                held.weigh();
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

    /// Returns the run's vote on a session that wants to stop.
    pub fn vote(&self, desk: &Desk, facts: &Facts) -> Result<Vote, Vec<Ask>> {
        with!(self, |M, definition, run| sprag_core::vote::<M>(definition, run, desk, facts))
    }

    pub fn next(&self, facts: &Facts) -> Next {
        with!(self, |M, definition, run| sprag_core::next::<M>(definition, run, facts))
    }

    pub fn prompt(&self, unit: &Unit, facts: &Facts) -> Prompt {
        with!(self, |M, definition, run| sprag_core::prompt::<M>(definition, run, unit, facts))
    }

    pub fn begun(&self, facts: &Facts) -> Vec<Unit> {
        with!(self, |M, definition, run| sprag_core::begun::<M>(definition, run, facts))
    }

    pub fn life(&self, facts: &Facts) -> Life {
        if self.stopped(facts).is_some() {
            return Life::Held;
        }
        with!(self, |M, definition, run| sprag_core::life::<M>(definition, run, facts))
    }

    /// Returns all holds that wait for a person.
    pub fn waiting(&self, facts: &Facts) -> Vec<Waiting> {
        let mut all =
            with!(self, |M, definition, run| sprag_core::waiting::<M>(definition, run, facts));
        let stopped = self.stopped(facts);
        all.extend(stopped.map(|hold| Waiting { unit: None, fence: None, hold: hold.clone() }));
        all
    }

    /// Returns the hold that a rule's command set when it last ran. Only the driver runs the
    /// command again; a status query does not.
    fn stopped(&self, facts: &Facts) -> Option<&Hold> {
        let Self::Gsd(held) = self else { return None };
        let stopped = held.run.position().stopped.as_ref().filter(|known| !known.allowed)?;
        matches!(self.next(facts), Next::Ask(_)).then_some(&stopped.hold)
    }

    /// Returns the precedence of this run's refusals over those of other runs.
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

    pub fn id(&self) -> &RunId {
        with!(self, |_M, _definition, run| run.id())
    }

    pub fn owner(&self) -> Option<&SessionId> {
        with!(self, |_M, _definition, run| run.owner())
    }

    pub fn is_cancelled(&self) -> bool {
        with!(self, |_M, _definition, run| run.is_cancelled())
    }

    /// Returns the attempts that have begun and not ended.
    pub fn attempts(&self) -> &[Attempt] {
        with!(self, |_M, _definition, run| run.attempts())
    }

    /// Returns the last failure of the current unit.
    pub fn failed(&self) -> Option<&Red> {
        with!(self, |_M, _definition, run| run.failed().values().next())
    }

    /// Returns the changed inputs for which the agent of a unit was sent back.
    pub fn sent_back(&self, unit: &UnitId) -> Option<&sprag_core::basis::InputKeys> {
        with!(self, |_M, _definition, run| run.sent_back(unit))
    }

    /// Returns the inputs that the run's definition lets the agents of a unit change.
    pub(crate) fn may_change(&self, unit: &UnitId) -> Vec<sprag_core::basis::Consent> {
        match self {
            Self::Workflow(held) => {
                let phase = held.definition.phase(held.run.position());
                let globs = phase.iter().flat_map(|phase| &phase.may_change);
                globs.map(sprag_core::basis::Consent::from).collect()
            }
            Self::Plan(held) => held.definition.may_change(unit),
            Self::Guard(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => Vec::new(),
        }
    }

    pub fn red_of(&self, unit: &UnitId) -> Option<&Red> {
        with!(self, |_M, _definition, run| run.failed().get(unit))
    }

    /// Returns how many attempts of a unit were lost in a row.
    pub fn lost(&self, unit: &UnitId) -> u32 {
        with!(self, |_M, _definition, run| run.lost(unit))
    }

    /// Returns the effects that are decided and not yet performed.
    pub fn outbox(&self) -> &[Effect] {
        with!(self, |_M, _definition, run| run.outbox())
    }

    /// Returns the hold on the whole run, if any.
    pub fn standing_hold(&self, now: Time) -> Option<Hold> {
        with!(self, |_M, _definition, run| run.standing_hold(now))
    }

    /// Returns the time limit of the whole run, if it has one.
    pub fn wall(&self) -> Option<Duration> {
        let millis = with!(self, |_M, _definition, run| run.wall_millis());
        millis.map(|millis| Duration::from_millis(millis.into()))
    }

    pub fn hold_of(&self, attempt: &Attempt, now: Time) -> Option<Hold> {
        with!(self, |_M, _definition, run| run.hold_of(attempt, now))
    }

    /// Returns the deadline of a unit that has begun, if it has one.
    pub fn due(&self, unit: &Unit) -> Option<Time> {
        with!(self, |_M, _definition, run| run.due(unit))
    }

    /// Returns the plain form that is stored in the run's file.
    pub fn lower(&self) -> Plain {
        match self {
            Self::Guard(held) => held.run.lower(),
            Self::Workflow(held) => held.run.lower(),
            Self::Plan(held) => crate::plan::lower(held),
            Self::Loop(held) => crate::plan::lower_loop(held),
            Self::Gsd(held) => held.run.lower_trimmed(),
            Self::Pr(held) => held.run.lower(),
        }
    }

    /// Returns the position, which records the progress, as plain values.
    pub fn position(&self) -> Plain {
        with!(self, |_M, _definition, run| run.position().lower())
    }

    /// Returns the next unit, begun or not.
    pub fn unit(&self, facts: &Facts) -> Option<Unit> {
        let next = with!(self, |M, definition, run| M::next(definition, run, facts));
        match next {
            Next::Units(units) => units.into_iter().next(),
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => None,
        }
    }

    /// Returns the gates of the current unit, with the data to evaluate them.
    pub fn specs(&self) -> &[GateSpec] {
        match self {
            Self::Guard(guard) => &guard.specs,
            Self::Workflow(_) => self.phase().map_or(&[], |phase| &phase.gates),
            Self::Plan(held) => &held.specs,
            Self::Loop(held) => &held.specs,
            Self::Gsd(held) => &held.specs,
            Self::Pr(_) => &[],
        }
    }

    /// Returns the gates of every phase that the run may reach.
    pub fn reachable_specs(&self) -> Vec<GateSpec> {
        let Self::Workflow(held) = self else { return self.specs().to_vec() };
        let known = &held.definition.definitions;
        let mut specs = Vec::new();
        for key in known.reached(&held.definition.key) {
            for entry in known.get(key).map_or(&[][..], |known| &known.phases) {
                if let Entry::Phase(phase) = entry {
                    specs.extend(phase.gates.iter().cloned());
                }
            }
        }
        specs
    }

    /// Returns the outcome that the session reports at a stop.
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

    /// Returns whether this is a guard, which has gates but no definition of its own.
    pub const fn is_guard(&self) -> bool {
        matches!(self, Self::Guard(_))
    }

    /// Returns whether its units come from a finite list that a person or a planner wrote: those of
    /// a plan or a tree.
    pub const fn is_listed(&self) -> bool {
        match self {
            Self::Plan(_) | Self::Gsd(_) => true,
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Pr(_) => false,
        }
    }

    /// Returns how many stops are refused while nothing changes, if the definition sets a number.
    pub fn patience(&self) -> Option<u32> {
        match self {
            Self::Guard(_) | Self::Plan(_) | Self::Gsd(_) | Self::Pr(_) => None,
            Self::Workflow(_) => self.phase()?.limits.blocks_without_progress,
            Self::Loop(held) => held.definition.settings.max_idle_blocks,
        }
    }

    /// Returns the current phase of a workflow.
    pub(crate) fn phase(&self) -> Option<&Phase> {
        match self {
            Self::Workflow(held) => held.definition.phase(held.run.position()),
            Self::Guard(_) | Self::Plan(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => None,
        }
    }

    /// Returns the agent's view of the current phase, or `None` once the workflow is done.
    pub(crate) fn view(&self) -> Option<workflow::View> {
        match self {
            Self::Workflow(held) if !held.run.position().done => {
                held.definition.view(held.run.position())
            }
            Self::Guard(_)
            | Self::Workflow(_)
            | Self::Plan(_)
            | Self::Loop(_)
            | Self::Gsd(_)
            | Self::Pr(_) => None,
        }
    }

    /// Returns why the current phase forbids a call. A held run forbids nothing.
    pub(crate) fn denies(&self, call: &Call, now: Time) -> Option<String> {
        match self {
            Self::Workflow(held) if held.run.standing_hold(now).is_none() => {
                held.definition.blocked(held.run.position(), call)
            }
            Self::Guard(_)
            | Self::Workflow(_)
            | Self::Plan(_)
            | Self::Loop(_)
            | Self::Gsd(_)
            | Self::Pr(_) => None,
        }
    }

    /// Returns the title of the document that requests the work.
    pub(crate) fn title(&self) -> Option<String> {
        match self {
            Self::Plan(held) => {
                let plan = &held.definition.plan;
                Some(format!("Phase {}: {}", plan.phase, plan.title))
            }
            Self::Pr(held) => held.definition.metadata.known()?.pull.title.clone(),
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Gsd(_) => None,
        }
    }

    /// Returns its progress in one line. `guard` is the label for gates without a workflow.
    pub(crate) fn line(&self, guard: &str) -> String {
        match self {
            Self::Guard(held) => {
                let names: Vec<_> = held.specs.iter().map(|spec| spec.gate.name.as_str()).collect();
                let colon = if names.is_empty() { "" } else { ": " };
                format!("{guard}{colon}{}", names.join(", "))
            }
            Self::Workflow(held) => {
                let line = held.definition.status_line(held.run.position());
                line.unwrap_or_else(|| held.definition.name().to_owned())
            }
            Self::Plan(held) => {
                let (position, plan) = (held.run.position(), &held.definition.plan);
                let stage = held.definition.stage(position).as_str();
                let (done, all) = (position.done(), plan.tasks.len());
                format!("phase {}: {stage}, {done}/{all} tasks", plan.phase)
            }
            Self::Loop(held) => {
                let state = held.run.position();
                let kind = state.kind.as_str().unwrap_or("loop");
                format!("{kind} {}/{}", state.iteration, state.max_iterations)
            }
            Self::Gsd(held) => held.definition.state.next_action.clone(),
            Self::Pr(held) => held.at(),
        }
    }

    /// Returns the holds that the session cannot see in its own documents.
    pub(crate) fn news(&self, facts: &Facts) -> Vec<Waiting> {
        match self {
            Self::Loop(held) if held.read.paused => Vec::new(),
            Self::Guard(_)
            | Self::Workflow(_)
            | Self::Plan(_)
            | Self::Loop(_)
            | Self::Gsd(_)
            | Self::Pr(_) => self.waiting(facts),
        }
    }

    /// Returns the notice of its end, if there is one.
    pub(crate) fn notice(&self, cancelled: bool) -> Option<String> {
        match self {
            Self::Workflow(held) => held.definition.notice(held.run.position(), cancelled),
            Self::Guard(_) | Self::Plan(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => None,
        }
    }

    /// Returns the edits that bring another system's documents up to date.
    pub(crate) fn foreign_edits(&self) -> Result<Vec<Edit>, Unusable> {
        match self {
            Self::Guard(_) | Self::Workflow(_) => Ok(Vec::new()),
            Self::Plan(held) => crate::plan::edits(held),
            Self::Loop(held) => crate::plan::loop_edits(held),
            Self::Gsd(held) => held.edits(),
            Self::Pr(held) => held.edits(),
        }
    }

    /// Returns whether a person answers its questions with a text.
    pub(crate) const fn is_answered_in_words(&self) -> bool {
        match self {
            Self::Plan(_) | Self::Loop(_) => true,
            Self::Guard(_) | Self::Workflow(_) | Self::Gsd(_) | Self::Pr(_) => false,
        }
    }

    /// Returns whether its documents hold fields that agents may not decide.
    pub(crate) const fn is_measured(&self) -> bool {
        match self {
            Self::Plan(_) | Self::Pr(_) => true,
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Gsd(_) => false,
        }
    }

    /// Records whether an agent has the turn. The current documents of the other system become the
    /// baseline for the fields that the agent may not decide.
    pub(crate) fn set_turn(&mut self, is_open: bool) {
        match self {
            Self::Plan(held) => held.docs.turn.is_open = is_open,
            Self::Pr(held) => held.set_turn(is_open),
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Gsd(_) => {}
        }
    }

    /// Lists the fields that an agent set in another system's document and that
    /// [`Live::foreign_edits`] restores.
    pub(crate) fn put_back(&self) -> Option<FieldsPutBack> {
        match self {
            Self::Loop(held) => held.put_back(),
            Self::Plan(held) => crate::plan::put_back(held),
            Self::Pr(held) => held.put_back(),
            Self::Guard(_) | Self::Workflow(_) | Self::Gsd(_) => None,
        }
    }

    /// Returns every gate that it may evaluate, each with its phase.
    pub(crate) fn every_gate(&self) -> Vec<(Option<String>, GateSpec)> {
        match self {
            Self::Workflow(held) => {
                let gates = |phase: &Phase| -> Vec<_> {
                    phase.gates.iter().map(|spec| (Some(phase.id.clone()), spec.clone())).collect()
                };
                held.definition.phases().flat_map(gates).collect()
            }
            Self::Guard(_) | Self::Plan(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => {
                self.specs().iter().map(|spec| (None, spec.clone())).collect()
            }
        }
    }

    /// Returns how many agents may work at the same time, if there is a limit.
    pub(crate) fn max_parallel(&self) -> Option<u32> {
        match self {
            Self::Plan(held) => held.definition.settings.max_parallel,
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => None,
        }
    }
}
