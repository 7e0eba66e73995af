//! Rows about executing tasks.

use crate::gsd::case::{ActiveTree, Tried, no};
use crate::gsd::{Fill, Paper, Phase, reactive as graph};

/// Matches if work began although the milestone's context was never written.
pub(super) fn without_context(case: &ActiveTree<'_>) -> Tried {
    if !case.state.phase.is_execution() {
        return Err(format!("the phase is {}", case.state.phase).into());
    }
    if !is_strict_id(&case.milestone.id) {
        return no("the milestone's id has another form");
    }
    if case.milestone.planned {
        return no("a slice has a plan");
    }
    let context = case.milestone.context.as_ref();
    if context.is_some_and(|context| context.fill == Fill::Written) {
        return no("the milestone has a context");
    }
    Ok(case.on_milestone("discuss-milestone"))
}

/// Returns whether an id is `M` and three digits, optionally with `-` and six letters or digits.
fn is_strict_id(id: &str) -> bool {
    let bytes = id.as_bytes();
    let number = bytes.len() >= 4 && bytes[0] == b'M' && bytes[1..4].iter().all(u8::is_ascii_digit);
    let more = match bytes.get(4..) {
        Some([]) => true,
        Some([b'-', rest @ ..]) => {
            rest.len() == 6 && rest.iter().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        }
        Some(_) | None => false,
    };
    number && more
}

pub(super) fn reactive(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Executing)?;
    let (Some(slice), Some(_)) = (case.slice(), &case.state.task) else {
        return no("there is no active task");
    };
    let chosen = graph::batch(slice, case.tree.preferences.reactive)?;
    let at = format!("{}/{}/reactive+{}", case.milestone.id, slice.id, chosen.join(","));
    Ok(case.on("reactive-execute", &at))
}

pub(super) fn plan_again(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Executing)?;
    let Some(active) = &case.state.task else { return no("there is no active task") };
    let tasks = case.slice().map_or(&[][..], |slice| slice.tasks());
    let planned = tasks.iter().find(|task| task.id == active.id);
    if planned.is_some_and(|task| task.papers.has(Paper::Plan)) {
        return no("the task has a plan");
    }
    Ok(case.on_slice("plan-slice"))
}

pub(super) fn execute_task(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Executing)?;
    match &case.state.task {
        Some(task) => Ok(case.on_slice_task(&task.id)),
        None => no("there is no active task"),
    }
}
