//! Writes a plan's run to the documents of opti-gsd: `STATE.md` as it proceeds, the summary when
//! the tasks are done, the lists and the roadmap when everything is verified.

use sprag_core::event::FieldsPutBack;
use sprag_core::plan::{
    Awaiting, Beside, CheckDecision, Definition, LoopBaseline, LoopState, PlanCheck, Stage, Task,
    TaskState, shown,
};
use sprag_core::{Attempt, Bound, Hold, Name, Plain, Stored as _};
use sprag_formats::plan::roadmap;
use sprag_formats::plan::state::{TopKeys, initial, splices};
use sprag_formats::plan::summary::{PhaseSummary, SummaryTask, write};
use sprag_store::Edit;

use super::docs::{PlanDocs, ROADMAP, STATE, path};
use super::lens::{self, owner};
use crate::kinds::plan::PlanRun;
use crate::kinds::plan::in_session::LoopRun;
use crate::run_file::Unusable;

/// Returns the edits that bring a plan's documents up to date with its run.
pub(crate) fn edits(held: &PlanRun) -> Result<Vec<Edit>, Unusable> {
    let PlanRun { definition, run, docs, .. } = held;
    if docs.elsewhere {
        return Ok(Vec::new());
    }
    let after = written(held);
    let stage = definition.stage(run.position());
    let (top, _) = top_keys(held, stage);
    let mut edits = Vec::new();
    edits.extend(state(docs.state.as_deref(), &docs.read, &after, &top)?);
    if docs.stage == Stage::Execute && stage != Stage::Execute {
        let doc = path(&format!("{}/summary.md", docs.folder))?;
        edits.push(Edit::Write { doc, text: summary_of(held) });
    }
    let complete = docs.stage != Stage::Done && stage == Stage::Done;
    if let Some(text) = docs.roadmap.as_ref().filter(|_| complete) {
        let splices = roadmap::set_status(text, &definition.plan.phase, "COMPLETE");
        if !splices.is_empty() {
            edits.push(Edit::Splice { doc: path(ROADMAP)?, splices });
        }
    }
    Ok(edits)
}

/// Returns the loop's state for `STATE.md`.
pub(crate) fn written(held: &PlanRun) -> LoopState {
    let PlanRun { definition, run, docs, .. } = held;
    let mut after = shown(definition, run, &docs.base, docs.at);
    after.session_id = Some(owner(run.id().as_str()));
    after
}

/// Returns the plain form for `run.yaml`.
pub(crate) fn lower(held: &PlanRun) -> Plain {
    let asks = match written(held).awaiting {
        Some(Awaiting::User | Awaiting::Checkpoint) => true,
        Some(Awaiting::RateLimit) | None => false,
    };
    let mut plain = lens::lower(&held.run, asks, kept(held).as_ref());
    let drifted = held.docs.drifted.as_ref().map(Hold::lower);
    if drifted.is_some() && lens::at(&mut plain, "hold").cloned() == drifted {
        let stood = lens::at(&mut held.docs.own.clone(), "hold").cloned();
        lens::put(&mut plain, "hold", stood.unwrap_or(Plain::Null));
    }
    plain
}

/// Returns the fields of `STATE.md` that agents may not decide, while one has the turn.
fn kept(held: &PlanRun) -> Option<LoopBaseline> {
    let PlanRun { run, docs, .. } = held;
    let works = |attempt: &Attempt| attempt.hold().is_none();
    // The person who held the run because of a change may correct it there.
    let is_stopped = run.standing_hold(docs.at).is_some_and(|hold| hold.is_change());
    let is_open = docs.turn.is_open && !is_stopped && run.attempts().iter().any(works);
    is_open.then(|| written_all(held))
}

/// Returns the loop's state for `STATE.md` together with the document's other values.
fn written_all(held: &PlanRun) -> LoopBaseline {
    let (_, beside) = top_keys(held, held.definition.stage(held.run.position()));
    LoopBaseline { state: written(held), beside }
}

/// Lists the fields of `STATE.md` that an agent set and that are restored.
pub(crate) fn put_back(held: &PlanRun) -> Option<FieldsPutBack> {
    let PlanDocs { turn, read, elsewhere, .. } = &held.docs;
    let before = turn.kept.as_ref().filter(|_| !elsewhere)?;
    let set = LoopBaseline { state: read.clone(), beside: turn.beside.clone() };
    let fields = sprag_core::plan::put_back(before, &set, &written_all(held));
    let ends = read.completed || !read.active;
    let why = ends.then(|| "the gates of its units decide that".to_owned());
    (!fields.is_empty()).then(|| FieldsPutBack { doc: STATE.to_owned(), fields, why })
}

/// Returns the edit that brings `STATE.md` up to date with a session's loop.
pub(crate) fn loop_edits(held: &LoopRun) -> Result<Vec<Edit>, Unusable> {
    if held.elsewhere {
        return Ok(Vec::new());
    }
    let edit = state(held.state.as_deref(), &held.read, &held.written(), &held.top_keys())?;
    Ok(edit.into_iter().collect())
}

fn state(
    text: Option<&str>,
    before: &LoopState,
    after: &LoopState,
    top: &TopKeys,
) -> Result<Option<Edit>, Unusable> {
    let doc = path(STATE)?;
    let Some(text) = text else {
        return Ok(Some(Edit::Write { doc, text: initial(after, top) }));
    };
    let splices = splices(text, before, after, top)
        .map_err(|fault| Unusable::Wrong(Box::new(fault.in_file(STATE))))?;
    Ok((!splices.is_empty()).then_some(Edit::Splice { doc, splices }))
}

/// Returns the changed values besides the loop's, and the resulting values.
fn top_keys(held: &PlanRun, stage: Stage) -> (TopKeys, Beside) {
    let PlanRun { definition, run, docs, .. } = held;
    let (done, all) = (run.position().done(), definition.plan.tasks.len());
    let is_new = docs.base.session_id != Some(owner(run.id().as_str()));
    let moved = is_new || done != docs.done || stage != docs.stage;
    let phase = &definition.plan.phase;
    let mut beside = docs.turn.counted_beside().clone();
    let (mut of_phase, mut last_active) = (None, None);
    if moved {
        of_phase = Some(phase.clone());
        beside.task = Some(format!("{done}/{all}"));
        last_active = docs.at.to_string().get(..10).map(str::to_owned);
    }
    if is_new || stage != docs.stage {
        move_phase(&mut beside, phase, stage);
    }
    let top = TopKeys::back(&docs.turn.beside, &beside);
    (TopKeys { phase: of_phase, last_active, ..top }, beside)
}

/// Moves a phase to the list that fits its stage.
fn move_phase(lists: &mut Beside, phase: &str, stage: Stage) {
    let all = [&lists.complete, &lists.in_progress, &lists.pending].into_iter();
    let known = all.flatten().find(|known| roadmap::is_same(known, phase)).cloned();
    for list in [&mut lists.complete, &mut lists.in_progress, &mut lists.pending] {
        list.retain(|known| !roadmap::is_same(known, phase));
    }
    let written = known.unwrap_or_else(|| phase.to_owned());
    match stage {
        Stage::Execute | Stage::Verify => lists.in_progress.push(written),
        Stage::Done => lists.complete.push(written),
    }
}

/// Builds the summary of the tasks, separating proven from claimed results.
fn summary_of(held: &PlanRun) -> String {
    let PlanRun { definition, run, docs, .. } = held;
    let plan = &definition.plan;
    let counted = |name: &Name| run.bounds().get(name).map_or(0, Bound::used);
    let row = |task: &Task| {
        let is_ours = |check: &&PlanCheck| matches!(check.decision, CheckDecision::Gate(_));
        let state = run.position().task(&task.id);
        // A task that was only claimed has proven nothing yet.
        let ours = task.checks.iter().filter(is_ours).count();
        let proven = if state == Some(TaskState::Claimed) { 0 } else { ours };
        SummaryTask {
            id: task.id.clone(),
            done: task.done.clone(),
            skipped: state == Some(TaskState::Skipped),
            proven,
            claimed: task.checks.len() - proven,
            retries: counted(&Definition::retries(task)),
        }
    };
    write(&PhaseSummary {
        phase: plan.phase.clone(),
        title: plan.title.clone(),
        completed: docs.at.to_string(),
        iterations: counted(&Definition::EXECUTE),
        tasks: plan.tasks.iter().map(row).collect(),
    })
}
