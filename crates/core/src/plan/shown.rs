//! Writes a run to `STATE.md`: the values that are stored there, and those derived from the run.

use super::{Awaiting, Definition, LoopKind, LoopState, PlanMachine, Position, Stage};
use super::{execute, question::bound};
use crate::prompt::{evidence, short};
use crate::{Facts, Hash, Hold, Next, Run, Seq, Time, next, waiting};

/// Maximum length of a text in `STATE.md`, in characters.
pub(super) const TEXT: usize = 500;

/// Returns the new content of `STATE.md` for `run`, given the content `before`.
pub fn shown(
    definition: &Definition,
    run: &Run<Position>,
    before: &LoopState,
    now: Time,
) -> LoopState {
    let mut state = before.clone();
    let position = run.position();
    let counted = match definition.stage(position) {
        Stage::Execute => {
            state.kind = LoopKind::Execute;
            bound(run, &Definition::EXECUTE)
        }
        Stage::Verify | Stage::Done => {
            state.kind = LoopKind::Verify;
            bound(run, &Definition::VERIFY)
        }
    };
    state.phase = Some(definition.plan.phase.clone());
    state.iteration = counted.used();
    state.max_iterations = counted.max();
    retries(definition, run, &mut state);
    state.gaps_remaining = u32::try_from(position.gaps.len()).unwrap_or(u32::MAX);
    state.history.clone_from(&position.history);
    state.last_error = last_error(definition, run);
    // The position of a plan depends neither on the files nor on the place in the journal.
    let facts = Facts::new(now, Seq(0), Hash::of(""));
    let stands = next::<PlanMachine>(definition, run, &facts);
    let open = waiting::<PlanMachine>(definition, run, &facts);
    let asks = open.iter().find(|one| matches!(one.hold, Hold::Asked { .. }));
    let asks = asks.map(|one| match one.fence {
        Some(_) => Awaiting::Checkpoint,
        None => Awaiting::User,
    });
    stand(&mut state, &stands, |hold| reason(definition, run, hold));
    (state.awaiting, state.resume_after) = match (asks, limit(run, now)) {
        (Some(asks), _) => (Some(asks), None),
        (None, Some(at)) => (Some(Awaiting::RateLimit), Some(at)),
        (None, None) => (None, None),
    };
    since(&mut state, before, now);
    state
}

/// Records whether the loop is active, paused or over.
pub(super) fn stand(state: &mut LoopState, next: &Next, reason: impl Fn(&Hold) -> String) {
    let paused = match next {
        Next::Held(Hold::Asked { .. })
        | Next::Units(_)
        | Next::Wait { .. }
        | Next::Ask(_)
        | Next::Done => None,
        Next::Held(hold) => Some(reason(hold)),
        Next::Cancelled => Some("cancelled".to_owned()),
    };
    let done = *next == Next::Done;
    state.active = !done && paused.is_none();
    state.completed = done;
    state.final_iteration = done.then_some(state.iteration);
    state.paused = paused.is_some();
    state.pause_reason = paused.map(|why| line(&why));
}

/// Records when the loop and its last iteration began.
fn since(state: &mut LoopState, before: &LoopState, now: Time) {
    if state.active && state.started.is_none() {
        state.started = Some(now.to_string());
    }
    if state.iteration > before.iteration {
        state.last_iteration = Some(now.to_string());
    }
}

/// Returns when the rate limit that holds an attempt ends.
fn limit(run: &Run<Position>, now: Time) -> Option<Time> {
    let ends = run.attempts().iter().filter_map(|attempt| attempt.hold()?.ends());
    ends.filter(|at| *at > now).max()
}

/// Records the retries under the existing keys, whatever their notation.
fn retries(definition: &Definition, run: &Run<Position>, state: &mut LoopState) {
    for task in &definition.plan.tasks {
        let used = bound(run, &Definition::retries(task)).used();
        let known = state.retry_key(&task.id).map(str::to_owned);
        match (known, used) {
            (None, 0) => {}
            (Some(key), used) => {
                state.task_retries.insert(key, used);
            }
            (None, used) => {
                state.task_retries.insert(task.retry_key(), used);
            }
        }
    }
}

/// Returns the latest failure of an open task on one line.
fn last_error(definition: &Definition, run: &Run<Position>) -> Option<String> {
    let is_open = |id: &str| !run.position().task(id).is_some_and(super::TaskState::is_over);
    let tasks = definition.plan.tasks.iter().filter(|task| is_open(&task.id));
    let reds = tasks.filter_map(|task| run.failed().get(&execute::unit_id(task)));
    let receipt = &reds.max_by_key(|red| red.receipt.at)?.receipt;
    let said = if receipt.tail.trim().is_empty() { &receipt.why } else { &receipt.tail };
    Some(line(&format!("{}: {}", receipt.gate, said.trim())))
}

/// Shortens a text to one line.
pub(super) fn line(text: &str) -> String {
    let clean = evidence(text, TEXT);
    let words: Vec<_> = clean.split_whitespace().collect();
    short(&words.join(" "), TEXT)
}

/// Returns the reason of a pause, in the original's words where it has any.
fn reason(definition: &Definition, run: &Run<Position>, hold: &Hold) -> String {
    let Hold::Exhausted { bound: name, .. } = hold else { return hold.said() };
    let max = bound(run, name).max();
    if *name == Definition::VERIFY {
        return out_of_rounds(max, run.position().gaps.len());
    }
    let of_task = |task: &&super::Task| Definition::retries(task) == *name;
    match definition.plan.tasks.iter().find(of_task) {
        Some(task) => format!("Task {} failed after {max} retries", task.id),
        None => hold.to_string(),
    }
}

/// Returns the original's reason for a loop that is out of rounds.
pub(super) fn out_of_rounds(max: u32, gaps: usize) -> String {
    format!("Max iterations ({max}) reached with {gaps} gaps remaining")
}
