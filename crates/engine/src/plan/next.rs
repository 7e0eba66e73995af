//! What comes next in a plan: the answer of `sprag next plan`, and what a runner acts on.

use std::collections::BTreeSet;

use sprag_core::plan::{Definition, Loop, Position, Settings, Stage, claims, whole};
use sprag_core::{
    Attempt, Facts, Hold, Next, Prompt, Run, RunId, Signal, Time, Unit, UnitId, Waiting,
};
use sprag_formats::plan::roadmap;
use sprag_store::View;

use super::docs;
use super::drive::{Working, decide, plan_case};
use super::start::{begin, phase_at_hand};
use crate::config::{self, Configured};
use crate::engine::{Engine, EngineError};
use crate::live::{Live, PlanRun};
use crate::sitting::Now;

/// A plan at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanView {
    /// Its run; nothing where it was not started.
    pub run: Option<RunId>,
    /// Its phase, as it is written.
    pub phase: String,
    /// Its title.
    pub title: String,
    /// What is going on.
    pub stage: Stage,
    /// How many tasks are behind it, and how many there are.
    pub done: (usize, usize),
    /// Where it stands.
    pub stands: Stands,
    /// What was begun and is not held.
    pub working: Vec<Working>,
    /// What could be begun now, all at the same time, with its prompt; where it asks, after a yes.
    pub together: Vec<Prompted>,
    /// What comes after those: it touches a file that one of them has, or there are too many.
    pub after: Vec<(UnitId, String)>,
    /// What waits for a person.
    pub waiting: Vec<Waiting>,
    /// The checks that only an agent can decide, with their tasks.
    pub claims: Vec<(String, String)>,
}

/// A unit with its prompt.
pub type Prompted = (Unit, Prompt);

/// Where a plan stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Stands {
    /// Something can be begun.
    Ready,
    /// Something is worked on.
    Working,
    /// A time must come first.
    Waits {
        /// When.
        until: Option<Time>,
    },
    /// A person must do something.
    Held(Hold),
    /// It is over, well.
    Done,
    /// A person ended it.
    Cancelled,
}

impl Engine<'_> {
    /// Returns what comes next in a run of a plan.
    pub fn plan_view(&self, run: &RunId) -> Result<PlanView, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let case = plan_case(view, run, &now)?;
            let Live::Plan(held) = &case.run.live else {
                return Err(EngineError::NotFound { what: format!("{run} is no run of a plan") });
            };
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            Ok(shown(Some(run.clone()), held, &case.run.live, &facts))
        })
    }

    /// Returns what would come next in the plan of a phase; nothing is started.
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

/// Returns what would come next if the plan were started now.
fn imagine(view: &View<'_>, phase: Option<&str>, now: &Now<'_>) -> Result<PlanView, EngineError> {
    let (text, mut state) = docs::state(view)?;
    let phase = phase_at_hand(view, phase, state.as_ref())?;
    // A loop that a session drives is no reason not to look at its plan.
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
    let live = Live::Plan(Box::new(held.clone()));
    Ok(shown(None, &held, &live, &facts))
}

fn shown(run: Option<RunId>, plan_run: &PlanRun, live: &Live, facts: &Facts) -> PlanView {
    let plan = &plan_run.definition.plan;
    let (stands, ready) = match live.next(facts) {
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
    let units = sprag_core::begun::<Loop>(definition, its_run, facts);
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
        waiting: live.waiting(facts),
        claims: claims(plan).map(|(id, text)| (id.to_owned(), text.to_owned())).collect(),
    }
}

/// Returns what could be begun if a person said yes to what the plan asks; an agent's question has
/// another answer.
fn agreed(held: &PlanRun, facts: &Facts) -> Vec<Prompted> {
    if !held.run.attempts().is_empty() {
        return Vec::new();
    }
    let yes = Signal::Answered { text: String::new() };
    let definition = &held.definition;
    let Ok(after) = sprag_core::step::<Loop>(definition, &held.run, &yes, facts) else {
        return Vec::new();
    };
    match sprag_core::next::<Loop>(definition, &after.run, facts) {
        Next::Units(units) => prompted(definition, &after.run, units, facts),
        Next::Wait { .. } | Next::Ask(_) | Next::Held(_) | Next::Done | Next::Cancelled => {
            Vec::new()
        }
    }
}

/// Returns units with what their agents are shown.
fn prompted(
    definition: &Definition,
    run: &Run<Position>,
    units: Vec<Unit>,
    facts: &Facts,
) -> Vec<Prompted> {
    let shown = |unit: Unit| {
        let prompt = sprag_core::prompt::<Loop>(definition, run, &unit, facts);
        (unit, prompt)
    };
    units.into_iter().map(shown).collect()
}

/// Returns the attempts that nothing holds.
fn free(held: &PlanRun, now: Time) -> impl Iterator<Item = &Attempt> {
    let is_free = move |attempt: &&Attempt| attempt.hold().is_none_or(|hold| !hold.stands(now));
    held.run.attempts().iter().filter(is_free)
}

/// Splits what could be begun into what can run at the same time and what comes after, and why.
fn together(
    ready: Vec<Prompted>,
    begun: usize,
    settings: &Settings,
) -> (Vec<Prompted>, Vec<(UnitId, String)>) {
    // Whoever works in one session does one after the other.
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
