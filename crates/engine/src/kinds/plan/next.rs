//! Decides what comes next in a plan: for `sprag next plan` and for a runner.

use std::collections::BTreeSet;

use sprag_core::plan::{Definition, PlanMachine, Position, Settings, Stage, claims, whole};
use sprag_core::{
    Attempt, Facts, Hold, Next, Prompt, Run, RunId, Signal, Time, Unit, UnitId, Waiting,
};
use sprag_formats::plan::roadmap;
use sprag_store::View;

use super::docs;
use super::drive::{Working, decide, plan_case};
use super::start::{begin, phase_at_hand};
use crate::config::{self, Configured};
use crate::engine::kind::Kernel as _;
use crate::engine::{Engine, EngineError};
use crate::kinds::plan::PlanRun;
use crate::now::Now;

/// The state of a plan at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanView {
    /// Its run; `None` if it was not started.
    pub run: Option<RunId>,
    /// The phase, as written.
    pub phase: String,
    pub title: String,
    pub stage: Stage,
    /// The number of finished tasks, and the total.
    pub done: (usize, usize),
    pub stands: Stands,
    /// The attempts that are not held.
    pub working: Vec<Working>,
    /// The units that could begin now, all at once, with their prompts. If the plan asks first,
    /// they begin after a yes.
    pub together: Vec<Prompted>,
    /// The units after those, because they share a file with one or exceed the limit.
    pub after: Vec<(UnitId, String)>,
    pub waiting: Vec<Waiting>,
    /// The checks that only an agent can decide, with their tasks.
    pub claims: Vec<(String, String)>,
}

/// A unit with its prompt.
pub type Prompted = (Unit, Prompt);

/// Whether a plan can continue.
#[derive(Clone, Debug, PartialEq)]
pub enum Stands {
    /// A unit can begin.
    Ready,
    /// An attempt is in progress.
    Working,
    /// A time must come first.
    Waits { until: Option<Time> },
    /// A person has to act.
    Held(Hold),
    /// All of it is done.
    Done,
    /// A person cancelled it.
    Cancelled,
}

impl Engine<'_> {
    /// Returns what comes next in a plan's run.
    pub fn plan_view(&self, run: &RunId) -> Result<PlanView, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let case = plan_case(view, run, &now)?;
            let Some(held) = case.run.live.of::<PlanRun>() else {
                return Err(EngineError::NotFound { what: format!("{run} is no run of a plan") });
            };
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            Ok(shown(Some(run.clone()), held, &facts))
        })
    }

    /// Returns what would come next in the plan of a phase, without starting it.
    pub fn plan_next(&self, phase: Option<&str>) -> Result<PlanView, EngineError> {
        let state = self.look(|view| Ok(docs::state(view)?.1))?;
        let own = self.plan_run()?;
        let is_it = |run: &RunId| -> Option<RunId> {
            let said = state.as_ref().and_then(|state| state.phase.as_deref());
            let is_same = |phase| said.is_some_and(|said| roadmap::is_same(said, phase));
            phase.is_none_or(is_same).then(|| run.clone())
        };
        if let Some(run) = own.as_ref().and_then(is_it) {
            return self.plan_view(&run);
        }
        let now = Now::new(self);
        self.look(|view| imagine(view, phase, &now))
    }
}

/// Computes what would come next if the plan were started now.
fn imagine(view: &View<'_>, phase: Option<&str>, now: &Now<'_>) -> Result<PlanView, EngineError> {
    let (text, mut state) = docs::state(view)?;
    let phase = phase_at_hand(view, phase, state.as_ref())?;
    // Its plan can be shown even while a session drives the loop.
    if let Some(state) = &mut state {
        state.active = false;
    }
    let mut held = begin(view, RunId::parse("r-0000")?, &phase, (text, state), now)?;
    let checks = match config::load(view)? {
        Configured::Known { config, .. } => config.checks,
        Configured::Wrong(_) | Configured::Unreadable(_) => sprag_formats::Checks::Never,
    };
    decide(&mut held, checks, now)?;
    let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    Ok(shown(None, &held, &facts))
}

fn shown(run: Option<RunId>, plan_run: &PlanRun, facts: &Facts) -> PlanView {
    let plan = &plan_run.definition.plan;
    let (stands, ready) = match plan_run.next(facts) {
        Next::Units(units) => {
            (Stands::Ready, prompted(&plan_run.definition, &plan_run.run, units, facts))
        }
        Next::Wait { until: None, .. } if !plan_run.run.attempts().is_empty() => {
            (Stands::Working, Vec::new())
        }
        Next::Wait { until, .. } => (Stands::Waits { until }, Vec::new()),
        Next::Ask(_) => (Stands::Working, Vec::new()),
        Next::Held(hold) => {
            let agreed =
                if matches!(hold, Hold::Asked { .. }) { agreed(plan_run, facts) } else { vec![] };
            (Stands::Held(hold), agreed)
        }
        Next::Done => (Stands::Done, Vec::new()),
        Next::Cancelled => (Stands::Cancelled, Vec::new()),
    };
    let begun: Vec<_> = free(plan_run, facts.now).collect();
    let (together, after) = together(ready, begun.len(), &plan_run.definition.settings);
    let (definition, its_run) = (&plan_run.definition, &plan_run.run);
    let units = sprag_core::begun::<PlanMachine>(definition, its_run, facts);
    let prompts = prompted(definition, its_run, units, facts);
    let work = |attempt: &&Attempt| Working {
        fence: attempt.fence(),
        unit: attempt.unit().clone(),
        prompt: prompts
            .iter()
            .find(|(unit, _)| unit.id == *attempt.unit())
            .map_or_else(String::new, |(_, prompt)| whole(prompt)),
    };
    PlanView {
        run,
        phase: plan.phase.clone(),
        title: plan.title.clone(),
        stage: plan_run.definition.stage(plan_run.run.position()),
        done: (plan_run.run.position().done(), plan.tasks.len()),
        stands,
        working: begun.iter().map(work).collect(),
        together,
        after,
        waiting: plan_run.waiting(facts),
        claims: claims(plan).map(|(id, text)| (id.to_owned(), text.to_owned())).collect(),
    }
}

/// Returns the units that could begin if a person said yes to the plan's question. An agent's
/// question has another answer.
fn agreed(held: &PlanRun, facts: &Facts) -> Vec<Prompted> {
    if !held.run.attempts().is_empty() {
        return Vec::new();
    }
    let yes = Signal::Answered { text: String::new() };
    let definition = &held.definition;
    let Ok(after) = sprag_core::step::<PlanMachine>(definition, &held.run, &yes, facts) else {
        return Vec::new();
    };
    match sprag_core::next::<PlanMachine>(definition, &after.run, facts) {
        Next::Units(units) => prompted(definition, &after.run, units, facts),
        Next::Wait { .. } | Next::Ask(_) | Next::Held(_) | Next::Done | Next::Cancelled => {
            Vec::new()
        }
    }
}

/// Adds the prompts to units.
fn prompted(
    definition: &Definition,
    run: &Run<Position>,
    units: Vec<Unit>,
    facts: &Facts,
) -> Vec<Prompted> {
    let shown = |unit: Unit| {
        let prompt = sprag_core::prompt::<PlanMachine>(definition, run, &unit, facts);
        (unit, prompt)
    };
    units.into_iter().map(shown).collect()
}

/// Returns the attempts without a hold.
fn free(held: &PlanRun, now: Time) -> impl Iterator<Item = &Attempt> {
    let is_free = move |attempt: &&Attempt| attempt.hold().is_none_or(|hold| !hold.stands(now));
    held.run.attempts().iter().filter(is_free)
}

/// Splits the ready units into those that can run at the same time and those that come later, with
/// the reason.
fn together(
    ready: Vec<Prompted>,
    begun: usize,
    settings: &Settings,
) -> (Vec<Prompted>, Vec<(UnitId, String)>) {
    // A session works on one unit after another.
    let most = settings.max_parallel.unwrap_or(1);
    let room = (most as usize).saturating_sub(begun);
    let mut taken = BTreeSet::new();
    let (mut now, mut later) = (Vec::new(), Vec::new());
    for (unit, prompt) in ready {
        let shared = unit.locks.iter().find(|lock| taken.contains(*lock)).cloned();
        match shared {
            Some(lock) => later.push((unit.id, format!("`{lock}` is in use by another one"))),
            None if now.len() >= room => {
                later.push((unit.id, format!("at most {most} at the same time")));
            }
            None => {
                taken.extend(unit.locks.iter().cloned());
                now.push((unit, prompt));
            }
        }
    }
    (now, later)
}
