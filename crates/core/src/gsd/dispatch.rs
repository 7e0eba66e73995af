//! Evaluates the table and then the guards.

use super::case::ActiveTree;
use super::rows::ROWS;
use super::{DispatchOutcome, Dispatched, Passed, Phase, State, StopSeverity, Tree, guards};
use crate::{Name, UnitId};

/// Returns the rule that skips a unit, if any.
pub type Skipped<'a> = &'a dyn Fn(&Name, &UnitId) -> Option<String>;

/// A [`Skipped`] that skips no unit.
pub fn nothing_skipped(_: &Name, _: &UnitId) -> Option<String> {
    None
}

/// Returns the decision of the table, unless a guard rejects it.
pub fn dispatch(tree: &Tree, state: &State, skipped: Skipped<'_>) -> Dispatched {
    let found = table(tree, state, skipped);
    let DispatchOutcome::Dispatch { kind, at } = &found.decision else { return found };
    match guards::prior_slice(tree, kind, at) {
        None => found,
        Some(why) => {
            let mut above = found.above;
            above.push(Passed { row: found.row, why: "a guard speaks against it".to_owned() });
            Dispatched {
                decision: DispatchOutcome::stop(StopSeverity::Error, why),
                row: PRIOR_SLICE,
                above,
            }
        }
    }
}

const UNREADABLE: &str = "before the table: unreadable";
const NO_MILESTONE: &str = "before the table: no active milestone";
const COMPLETE: &str = "before the table: complete";
const BLOCKED: &str = "before the table: blocked";
const PRIOR_SLICE: &str = "guard: prior slice";
const NO_MATCH: &str = "<no-match>";

/// Evaluates the table without the guards.
pub fn table(tree: &Tree, state: &State, skipped: Skipped<'_>) -> Dispatched {
    if let Some(ended) = before(tree, state) {
        return ended;
    }
    let active = state.milestone.as_ref().and_then(|active| tree.milestone(&active.id));
    let Some(milestone) = active else {
        return only(NO_MILESTONE, StopSeverity::Warning, &state.next_action);
    };
    let case = ActiveTree { tree, state, milestone };
    let mut above = Vec::new();
    let mut last_skipped = None;
    for (row, tries) in ROWS {
        let why = match tries(&case) {
            Err(why) => why.into_owned(),
            Ok(decision) => match allowed(&case, decision, skipped) {
                Ok(decision) => return Dispatched { decision, row, above },
                Err(by) => {
                    last_skipped = Some(by.clone());
                    by
                }
            },
        };
        above.push(Passed { row, why });
    }
    let unhandled =
        || format!("Unhandled phase \"{}\" — run /gsd doctor to diagnose.", state.phase);
    let why = last_skipped.map_or_else(unhandled, |by| format!("Nothing is left to do: {by}."));
    Dispatched { decision: DispatchOutcome::stop(StopSeverity::Warning, why), row: NO_MATCH, above }
}

/// Handles the states for which the table is not consulted.
fn before(tree: &Tree, state: &State) -> Option<Dispatched> {
    if let Some(unread) = tree.unreadable.first() {
        let why = format!("{} cannot be read: {}", unread.path, unread.why);
        return Some(only(UNREADABLE, StopSeverity::Error, &why));
    }
    match state.phase {
        Phase::Complete => Some(only(COMPLETE, StopSeverity::Info, &state.next_action)),
        Phase::Blocked => {
            let why = match state.blockers.as_slice() {
                [] => state.next_action.clone(),
                some => format!("{} {}", some.join("; "), state.next_action),
            };
            Some(only(BLOCKED, StopSeverity::Warning, &why))
        }
        Phase::PrePlanning
        | Phase::NeedsDiscussion
        | Phase::Planning
        | Phase::Executing
        | Phase::Summarizing
        | Phase::Validating
        | Phase::Completing
        | Phase::Replanning => None,
    }
}

fn only(row: &'static str, level: StopSeverity, why: &str) -> Dispatched {
    Dispatched { decision: DispatchOutcome::stop(level, why), row, above: vec![] }
}

/// Returns the decision if no rule skips its unit. If a task is skipped, the next open task of its
/// slice replaces it.
fn allowed(
    case: &ActiveTree<'_>,
    decision: DispatchOutcome,
    skipped: Skipped<'_>,
) -> Result<DispatchOutcome, String> {
    let DispatchOutcome::Dispatch { kind, at } = &decision else { return Ok(decision) };
    let Some(by) = skipped(kind, at) else { return Ok(decision) };
    if kind.as_str() == "execute-task" {
        let slice = case.slice();
        let open = slice.iter().flat_map(|slice| slice.tasks()).filter(|task| !task.is_done());
        for task in open {
            let other = case.on_slice_task(&task.id);
            match &other {
                DispatchOutcome::Dispatch { kind, at } if skipped(kind, at).is_none() => {
                    return Ok(other);
                }
                DispatchOutcome::Dispatch { .. }
                | DispatchOutcome::Stop { .. }
                | DispatchOutcome::Skip { .. } => {}
            }
        }
    }
    Err(format!("{kind} {at} is skipped by {by}"))
}
