//! The lens between a plan's run and `STATE.md`: counters, stage and pause are stored there, and a
//! value that another tool wrote wins.

use std::collections::BTreeMap;

use sprag_core::plan::{
    Definition, LoopBaseline, LoopKind, LoopState, Plan, PlanMachine, Position, Stage,
};
use sprag_core::{
    Changes, Facts, Fields, GateSpec, Hash, Hold, Name, Next, Plain, Run, RunId, Seq, Signal,
    Stored, Time, Unreadable, next, step, waiting,
};
use sprag_formats::StoredFile;
use sprag_store::View;

use super::docs::{self, LocatedPlan, PlanDocs, PlanTurn};
use crate::kinds::plan::PlanRun;
use crate::run_file::DefinitionOrigin as Recorded;
use crate::run_file::Unusable;

/// The prefix that marks a run as the owner of a loop.
const OURS: &str = "sprag:";
/// The key in `run.yaml` that records an open question in `STATE.md`.
const ASKED: &str = "asked";
/// The key in `run.yaml` for the fields of `STATE.md` that agents may not decide.
const KEPT: &str = "kept";

/// Returns the owner entry for the loop of a run.
pub(crate) fn owner(run: &str) -> String {
    format!("{OURS}{run}")
}

/// Returns the run that drives a loop, if any.
pub(crate) fn driver(state: &LoopState) -> Option<RunId> {
    RunId::parse(state.session_id.as_deref()?.strip_prefix(OURS)?).ok()
}

/// Loads a run of a phase's plan.
pub(crate) fn open(
    view: &View<'_>,
    id: &RunId,
    phase: &str,
    recorded: Option<&Recorded>,
    file: &StoredFile,
) -> Result<PlanRun, Unusable> {
    let bad = |bad: Unreadable| Unusable::Wrong(Box::new(file.fault(&bad)));
    let (state, read) = docs::state(view)?;
    let read = read.unwrap_or_default();
    let turn = PlanTurn::new(kept(file.plain()).map_err(bad)?, state.as_deref());
    let counts = turn.count(&read);
    if counts.session_id.as_deref() != Some(&owner(id.as_str())) {
        return over(view, id, phase, file);
    }
    let found = docs::find(view, phase)?;
    let mut definition = define(view, &found)?;
    let mode = crate::drive::mode(view, id).map_err(|error| Unusable::Definition {
        path: format!(".sprag/runs/{id}/agents.json"),
        why: error.to_string(),
    })?;
    definition.settings.mode = mode.unwrap_or(definition.settings.mode);
    let Lifted { mut run, own } = lift(file.plain(), &definition, &counts).map_err(bad)?;
    let digest = digest(&found, &definition);
    let mut drifted = None;
    if let Some(plan) = recorded.filter(|recorded| recorded.digest != digest) {
        run = changed_hold(&definition, &run, plan);
        drifted = run.standing_hold(early().now).filter(Hold::is_change);
    }
    let docs = PlanDocs {
        digest,
        folder: found.folder,
        own,
        drifted,
        state,
        base: counts,
        read,
        turn,
        roadmap: docs::read(view, docs::ROADMAP)?,
        stage: run.position().stage(),
        done: run.position().done(),
        at: sprag_world::clock::now(),
        elsewhere: false,
    };
    Ok(assemble(definition, run, docs))
}

/// Loads a finished run from its own file alone, because the loop in `STATE.md` belongs to another.
fn over(view: &View<'_>, id: &RunId, phase: &str, file: &StoredFile) -> Result<PlanRun, Unusable> {
    let bad = |bad: Unreadable| Unusable::Wrong(Box::new(file.fault(&bad)));
    let Some(run) = lift_over(file.plain()).map_err(bad)? else {
        return Err(Unusable::Definition {
            path: docs::STATE.to_owned(),
            why: format!("its loop is not the one of {id} any more"),
        });
    };
    // The plan no longer judges anything, so the run is shown even if the plan is gone.
    let found = docs::find(view, phase).unwrap_or_else(|_| LocatedPlan {
        folder: docs::PLANS.to_owned(),
        text: String::new(),
        plan: Plan { phase: phase.to_owned(), ..Plan::default() },
    });
    let settings = docs::settings(view).unwrap_or_default();
    let definition = Definition { plan: found.plan.clone(), settings, ci: Vec::new() };
    let docs = PlanDocs {
        digest: digest(&found, &definition),
        folder: found.folder,
        own: lower(&run, false, None),
        drifted: None,
        state: None,
        base: LoopState::default(),
        read: LoopState::default(),
        turn: PlanTurn::default(),
        roadmap: None,
        stage: run.position().stage(),
        done: run.position().done(),
        at: sprag_world::clock::now(),
        elsewhere: true,
    };
    Ok(assemble(definition, run, docs))
}

/// Loads a run from its own file, if that records the run as over.
fn lift_over(plain: &Plain) -> Result<Option<Run<Position>>, Unreadable> {
    let mut plain = plain.clone();
    let cancelled: bool = Fields::of(&plain)?.get("cancelled")?;
    let stage = at(&mut plain, "position").and_then(|position| at(position, "stage"));
    if stage.is_some_and(|stage| *stage != Plain::Null) {
        return Run::lift(&plain).map(Some);
    }
    if !cancelled {
        return Ok(None);
    }
    // Older versions did not record the position of a finished run.
    let lifted = lift(&plain, &Definition::default(), &LoopState::default())?;
    Ok(Some(lifted.run))
}

/// Combines a plan, its run and its documents.
pub(crate) fn assemble(definition: Definition, run: Run<Position>, docs: PlanDocs) -> PlanRun {
    PlanRun { specs: specs(&definition), definition, run, docs }
}

/// Returns every gate of a plan.
pub(super) fn specs(definition: &Definition) -> Vec<GateSpec> {
    let spec = |gate| GateSpec { gate, timeout: None, protect: Vec::new() };
    definition.gates().into_iter().map(spec).collect()
}

/// Builds the definition that a plan is judged by.
pub(crate) fn define(view: &View<'_>, found: &LocatedPlan) -> Result<Definition, Unusable> {
    let settings = docs::settings(view)?;
    let ci = docs::ci(&settings);
    Ok(Definition { plan: found.plan.clone(), settings, ci })
}

/// Returns the digest of a plan and the commands that verify it.
pub(crate) fn digest(found: &LocatedPlan, definition: &Definition) -> Hash {
    let commands: Vec<String> = definition
        .ci
        .iter()
        .map(|(stage, argv)| format!("{}\0{}", stage.as_str(), argv.join("\0")))
        .collect();
    Hash::of(format!("{}\0{}", found.text, commands.join("\0")))
}

/// A run combined from both documents.
pub(crate) struct Lifted {
    run: Run<Position>,
    /// The plain form of its own file, which does not yet reflect a pause that a person removed
    /// from `STATE.md`.
    own: Plain,
}

/// Combines a run's own file with the state in `STATE.md`.
pub(crate) fn lift(
    plain: &Plain,
    definition: &Definition,
    state: &LoopState,
) -> Result<Lifted, Unreadable> {
    let mut plain = plain.clone();
    let fields = Fields::of(&plain)?;
    let asked: bool = fields.get(ASKED)?;
    let refunded: Vec<Name> = fields.get("refunded")?;
    let attempts: Vec<sprag_core::Attempt> = fields.get("attempts")?;
    let mut spent = BTreeMap::<Name, u32>::new();
    for name in attempts.iter().flat_map(sprag_core::Attempt::spent) {
        *spent.entry(name.clone()).or_default() += 1;
    }
    put(&mut plain, "bounds", bounds(definition, state, &refunded, &spent));
    if let Some(position) = at(&mut plain, "position") {
        put(position, "stage", stage(state).lower());
        put(position, "history", state.history.lower());
    }
    let mut run = Run::<Position>::lift(&plain)?;
    let mut own = lower(&run, asked, kept(&plain)?.as_ref());
    if state.awaiting.is_none() {
        // If a person removed a wait from the document, the wait is over.
        put(&mut plain, "attempts", without_waits(&attempts));
        run = Run::lift(&plain)?;
    }
    let run = match foreign_pause(definition, &run, state) {
        None => answered(definition, run, state, asked),
        Some(why) => {
            let hold = Hold::of_pause(why);
            put(&mut plain, "hold", hold.lower());
            // The first release stored only the words, and reading them changes nothing.
            if !matches!(hold, Hold::Person { .. }) {
                put(&mut own, "hold", hold.lower());
            }
            Run::lift(&plain)?
        }
    };
    Ok(Lifted { run, own })
}

/// Reads the fields that agents may not decide from `run.yaml`.
fn kept(plain: &Plain) -> Result<Option<LoopBaseline>, Unreadable> {
    Fields::of(plain)?.get(KEPT)
}

fn stage(state: &LoopState) -> Stage {
    match (state.completed, state.kind) {
        (true, _) => Stage::Done,
        (false, LoopKind::Verify) => Stage::Verify,
        (false, LoopKind::Execute | LoopKind::Other) => Stage::Execute,
    }
}

/// Builds the counters from those in `STATE.md`.
fn bounds(
    definition: &Definition,
    state: &LoopState,
    refunded: &[Name],
    spent: &BTreeMap<Name, u32>,
) -> Plain {
    let counted = |name: &Name, task: Option<&str>| match (task, stage(state)) {
        (Some(task), _) => Some((state.retries(task), None)),
        (None, Stage::Execute) if *name == Definition::EXECUTE => {
            Some((state.iteration, Some(state.max_iterations)))
        }
        (None, Stage::Verify | Stage::Done) if *name == Definition::VERIFY => {
            Some((state.iteration, Some(state.max_iterations)))
        }
        (None, Stage::Execute | Stage::Verify | Stage::Done) => None,
    };
    let tasks = definition.plan.tasks.iter();
    let tasks: BTreeMap<Name, &str> =
        tasks.map(|task| (Definition::retries(task), task.id.as_str())).collect();
    let limits = <PlanMachine as sprag_core::Machine>::limits(definition).into_iter();
    let unknown = spent.keys().map(|name| (name.clone(), 0));
    let mut entries = BTreeMap::new();
    for (name, max) in unknown.chain(limits) {
        let (used, limit) = counted(&name, tasks.get(&name).copied()).unwrap_or((0, None));
        // Units in progress were charged, even if the document has a lower count.
        let used = used.max(spent.get(&name).copied().unwrap_or(0));
        let max = limit.unwrap_or(max);
        // A count above the maximum means exhausted.
        let (used, max) =
            if used > max && limit.is_some() { (max, max) } else { (used, max.max(used)) };
        let flags = [
            ("used", used.lower()),
            ("max", max.lower()),
            ("refunded", refunded.contains(&name).lower()),
        ];
        entries.insert(name.to_string(), Plain::map(flags));
    }
    Plain::Map(entries.into_iter().collect())
}

/// Returns why `STATE.md` holds the run, if nothing in the run itself does.
fn foreign_pause(
    definition: &Definition,
    run: &Run<Position>,
    state: &LoopState,
) -> Option<String> {
    let stands = next::<PlanMachine>(definition, run, &early());
    let held = is_held(&stands) || matches!(stands, Next::Done | Next::Cancelled);
    if held || (!state.paused && state.active) {
        return None;
    }
    let said = state.pause_reason.clone().filter(|_| state.paused);
    Some(said.unwrap_or_else(|| "the loop is not active in STATE.md".to_owned()))
}

/// Resumes a run whose pause or question a person removed from `STATE.md`. If no question was
/// `asked` there, none was removed.
fn answered(
    definition: &Definition,
    run: Run<Position>,
    state: &LoopState,
    asked: bool,
) -> Run<Position> {
    if !state.active || state.paused || state.completed {
        return run;
    }
    let facts = early();
    let stands = next::<PlanMachine>(definition, &run, &facts);
    // An exhausted counter is in the document itself, so the count must be lowered and not the
    // pause removed. And after a change of the plan, this document may be changed as well.
    let stays = matches!(stands, Next::Held(Hold::Exhausted { .. } | Hold::Changed { .. }));
    let held = is_held(&stands) && !stays;
    let asks = |run: &Run<Position>| {
        let open = waiting::<PlanMachine>(definition, run, &facts);
        open.iter().any(|one| matches!(one.hold, Hold::Asked { .. }))
    };
    let signal = if held {
        Signal::Resume
    } else if asked && state.awaiting.is_none() && asks(&run) {
        Signal::Answered { text: String::new() }
    } else {
        return run;
    };
    step::<PlanMachine>(definition, &run, &signal, &facts).map_or(run, |stepped| stepped.run)
}

/// Describes that a plan differs from the one that the run began with or a person last accepted.
fn drifted(recorded: &Recorded) -> Changes {
    let how = "or its commands changed since the run began".to_owned();
    Changes::new([recorded.path.clone()], how)
}

/// Holds a run whose plan changed, because everything that begins or is judged uses the current
/// text.
fn changed_hold(
    definition: &Definition,
    run: &Run<Position>,
    recorded: &Recorded,
) -> Run<Position> {
    let facts = early();
    if run.standing_hold(facts.now).is_some_and(|hold| hold.is_change_of(&recorded.path)) {
        return run.clone();
    }
    let pause = Signal::Pause { hold: Hold::Changed { what: drifted(recorded) } };
    // Nothing of a finished run is judged any more.
    step::<PlanMachine>(definition, run, &pause, &facts)
        .map_or_else(|_| run.clone(), |after| after.run)
}

/// Returns whether the run is held, other than by a question.
fn is_held(next: &Next) -> bool {
    matches!(next, Next::Held(hold) if !matches!(hold, Hold::Asked { .. }))
}

/// Facts at time zero, when no wait has ended and no time limit has passed: a hold then has another
/// cause.
fn early() -> Facts {
    Facts::new(Time::from_millis(0), Seq(0), Hash::of(""))
}

fn without_waits(attempts: &[sprag_core::Attempt]) -> Plain {
    let is_wait =
        |attempt: &&sprag_core::Attempt| matches!(attempt.hold(), Some(Hold::Until { .. }));
    let waits: Vec<_> = attempts.iter().filter(is_wait).map(sprag_core::Attempt::fence).collect();
    let mut list = Vec::new();
    for attempt in attempts {
        let mut plain = attempt.lower();
        if waits.contains(&attempt.fence()) {
            put(&mut plain, "hold", Plain::Null);
        }
        list.push(plain);
    }
    Plain::List(list)
}

/// Returns the plain form for `run.yaml`: all values without a place in `STATE.md`, or everything
/// for a finished run, whose place there the next one takes. `asked` records an open question
/// there, and `kept` the fields that agents may not decide while one has the turn.
pub(super) fn lower(run: &Run<Position>, asked: bool, kept: Option<&LoopBaseline>) -> Plain {
    let mut plain = run.lower();
    let refunded: Vec<Name> = run
        .bounds()
        .iter()
        .filter(|(_, bound)| bound.refunded())
        .map(|(name, _)| name.clone())
        .collect();
    let is_over = run.is_cancelled() || run.position().stage() == Stage::Done;
    put(&mut plain, "refunded", refunded.lower());
    let is_person = at(&mut plain, "hold")
        .is_some_and(|hold| matches!(Hold::lift(hold), Ok(Hold::Person { .. })));
    if is_person {
        put(&mut plain, "hold", Plain::Null);
    }
    if is_over {
        return plain;
    }
    put(&mut plain, ASKED, asked.then_some(true).lower());
    if let Some(kept) = kept {
        put(&mut plain, KEPT, kept.lower());
    }
    put(&mut plain, "bounds", Plain::Null);
    if let Some(position) = at(&mut plain, "position") {
        put(position, "stage", Plain::Null);
        put(position, "history", Plain::Null);
    }
    plain
}

pub(super) fn at<'a>(plain: &'a mut Plain, key: &str) -> Option<&'a mut Plain> {
    let Plain::Map(entries) = plain else { return None };
    entries.iter_mut().find(|(known, _)| known == key).map(|(_, value)| value)
}

/// Sets a value of a map.
pub(super) fn put(plain: &mut Plain, key: &str, value: Plain) {
    if let Some(found) = at(plain, key) {
        *found = value;
    } else if let Plain::Map(entries) = plain {
        entries.push((key.to_owned(), value));
    }
}
