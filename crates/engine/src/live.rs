//! A run in memory with the machine that drives it, behind one face.
//!
//! The kernel is generic over machines; the engine holds several runs of several machines at once.
//! This is the only place that knows which machines there are.

use std::time::Duration;

use sprag_core::event::FieldsPutBack;
use sprag_core::gsd::Gsd;
use sprag_core::guard::{self, Guard};
use sprag_core::plan::{self, Holding, InSession, Loop, LoopState};
use sprag_core::pr::Pr;
use sprag_core::workflow::{self, Phase, Started, Workflow};

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
    /// Whether it says that another session has the loop, or cannot be read; then it is not ours to
    /// write.
    pub(crate) elsewhere: bool,
    /// What the agent may not decide there while it has the turn.
    pub(crate) turn: LoopTurn,
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

    /// Returns for which changes of what judges it the agent of a unit was sent back.
    pub fn sent_back(&self, unit: &UnitId) -> Option<&sprag_core::basis::InputKeys> {
        with!(self, |_M, _definition, run| run.sent_back(unit))
    }

    /// Returns what its definition lets agents change of what judges them.
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
            Self::Loop(held) => crate::plan::lower_loop(held),
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
            Self::Workflow(_) => self.phase().map_or(&[], |phase| &phase.gates),
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

    /// Returns whether it only holds sessions or a task to gates, without a definition of its own.
    pub const fn is_guard(&self) -> bool {
        matches!(self, Self::Guard(_))
    }

    /// Returns whether its units stand in a list that a person or a planner made and that comes to
    /// an end: those of a plan and of a tree.
    pub const fn is_listed(&self) -> bool {
        match self {
            Self::Plan(_) | Self::Gsd(_) => true,
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Pr(_) => false,
        }
    }

    /// Returns how often a stop is refused while nothing changes, where it says so.
    pub fn patience(&self) -> Option<u32> {
        match self {
            Self::Guard(_) | Self::Plan(_) | Self::Gsd(_) | Self::Pr(_) => None,
            Self::Workflow(_) => self.phase()?.limits.blocks_without_progress,
            Self::Loop(held) => held.definition.settings.max_idle_blocks,
        }
    }

    /// Returns the phase of a workflow at hand.
    pub(crate) fn phase(&self) -> Option<&Phase> {
        match self {
            Self::Workflow(held) => held.definition.phase(held.run.position()),
            Self::Guard(_) | Self::Plan(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => None,
        }
    }

    /// Returns what the agent sees of the phase at hand, unless the workflow is done.
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

    /// Returns why the phase at hand does not allow a call; a run that is held denies nothing.
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

    /// Returns the title of the document that asks for the work.
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

    /// Returns its progress in one line; `guard` is the word for gates without a workflow.
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

    /// Returns the part of what waits for a person that a session does not know from its documents.
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

    /// Returns the notice of its end, where it has one.
    pub(crate) fn notice(&self, cancelled: bool) -> Option<String> {
        match self {
            Self::Workflow(held) => held.definition.notice(held.run.position(), cancelled),
            Self::Guard(_) | Self::Plan(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => None,
        }
    }

    /// Returns the edits that bring the documents of another system up to date.
    pub(crate) fn foreign_edits(&self) -> Result<Vec<Edit>, Unusable> {
        match self {
            Self::Guard(_) | Self::Workflow(_) => Ok(Vec::new()),
            Self::Plan(held) => crate::plan::edits(held),
            Self::Loop(held) => crate::plan::loop_edits(held),
            Self::Gsd(held) => held.edits(),
            Self::Pr(held) => held.edits(),
        }
    }

    /// Returns whether a person answers its questions in words.
    pub(crate) const fn is_answered_in_words(&self) -> bool {
        match self {
            Self::Plan(_) | Self::Loop(_) => true,
            Self::Guard(_) | Self::Workflow(_) | Self::Gsd(_) | Self::Pr(_) => false,
        }
    }

    /// Returns whether agents may not decide all of what stands in its documents.
    pub(crate) const fn is_measured(&self) -> bool {
        match self {
            Self::Plan(_) | Self::Pr(_) => true,
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Gsd(_) => false,
        }
    }

    /// Notes whether an agent has the turn from now on: what it may not decide in the documents of
    /// another system is measured by what they say now.
    pub(crate) fn set_turn(&mut self, is_open: bool) {
        match self {
            Self::Plan(held) => held.docs.turn.is_open = is_open,
            Self::Pr(held) => held.set_turn(is_open),
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Gsd(_) => {}
        }
    }

    /// Names what an agent set in a document of another system and what [`Live::foreign_edits`] puts
    /// back.
    pub(crate) fn put_back(&self) -> Option<FieldsPutBack> {
        match self {
            Self::Loop(held) => held.put_back(),
            Self::Plan(held) => crate::plan::put_back(held),
            Self::Pr(held) => held.put_back(),
            Self::Guard(_) | Self::Workflow(_) | Self::Gsd(_) => None,
        }
    }

    /// Returns every gate that it can ask for, each with its phase.
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

    /// Returns how many agents may work on it at the same time, where it limits that.
    pub(crate) fn max_parallel(&self) -> Option<u32> {
        match self {
            Self::Plan(held) => held.definition.settings.max_parallel,
            Self::Guard(_) | Self::Workflow(_) | Self::Loop(_) | Self::Gsd(_) | Self::Pr(_) => None,
        }
    }
}
