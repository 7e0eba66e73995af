//! Rows about planning milestones and slices.

use crate::gsd::case::{ActiveTree, Tried, no};
use crate::gsd::{DispatchOutcome, Fill, Paper, Phase, StopSeverity};

pub(super) fn discuss_draft(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::NeedsDiscussion)?;
    if super::deep::is_pending(case) {
        return no("the project is asked about first");
    }
    Ok(case.on_milestone("discuss-milestone"))
}

pub(super) fn discuss_milestone(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::PrePlanning)?;
    let context = case.milestone.context.as_ref();
    if context.is_some_and(|context| context.fill != Fill::Empty) {
        return no("it has a context");
    }
    if case.tree.preferences.deep {
        return no("the project is asked about first");
    }
    Ok(case.on_milestone("discuss-milestone"))
}

pub(super) fn research_milestone(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::PrePlanning)?;
    if case.tree.preferences.skip_research {
        return no("the preferences skip research");
    }
    if case.milestone.papers.has(Paper::Research) {
        return no("the research is there");
    }
    Ok(case.on_milestone("research-milestone"))
}

pub(super) fn plan_milestone(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::PrePlanning)?;
    Ok(case.on_milestone("plan-milestone"))
}

pub(super) fn discuss_slice(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Planning)?;
    if !case.tree.preferences.require_slice_discussion {
        return no("the preferences do not ask for it");
    }
    let Ok(id) = case.slice_id() else { return no("there is no active slice") };
    if case.slice().is_some_and(|slice| slice.papers.has(Paper::Context)) {
        return no("the slice has a context");
    }
    Ok(DispatchOutcome::stop(
        StopSeverity::Info,
        format!(
            "Slice {id} requires discussion before planning (require_slice_discussion is \
             enabled). Run /gsd discuss to discuss this slice, then /gsd auto to resume."
        ),
    ))
}

/// Returns the slices that are ready for research.
pub(in crate::gsd) fn to_research(milestone: &crate::gsd::Milestone) -> Vec<&str> {
    let has = |id: &str, paper| milestone.slice(id).is_some_and(|slice| slice.papers.has(paper));
    let done_before = milestone.papers.has(Paper::Research);
    let is_known = |id: &str| has(id, Paper::Research) || (done_before && id == "S01");
    let open = milestone.roadmap_slices().iter().filter(|slice| !slice.done);
    let ready = open.filter(|slice| {
        !is_known(&slice.id) && slice.depends.iter().all(|id| has(id, Paper::Summary))
    });
    ready.map(|slice| slice.id.as_str()).collect()
}

pub(super) fn research_all(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Planning)?;
    if skips_research(case) {
        return no("the preferences skip research");
    }
    match to_research(case.milestone).len() {
        0 | 1 => return no("fewer than two slices wait for research"),
        _ if case.milestone.papers.has(Paper::ParallelBlocker) => {
            return no("research of several slices failed before");
        }
        _ => {}
    }
    Ok(case.on("research-slice", &format!("{}/parallel-research", case.milestone.id)))
}

pub(super) fn research_slice(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Planning)?;
    if skips_research(case) {
        return no("the preferences skip research");
    }
    let id = match case.slice_id() {
        Ok(id) => id,
        Err(broken) => return Ok(broken),
    };
    if case.slice().is_some_and(|slice| slice.papers.has(Paper::Research)) {
        return no("the slice has research");
    }
    if id == "S01" && case.milestone.papers.has(Paper::Research) {
        return no("the milestone's research covers S01");
    }
    Ok(case.on_slice("research-slice"))
}

pub(super) fn plan_slice(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Planning)?;
    Ok(case.on_slice("plan-slice"))
}

pub(super) fn replan_slice(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Replanning)?;
    Ok(case.on_slice("replan-slice"))
}

fn skips_research(case: &ActiveTree<'_>) -> bool {
    let preferences = case.tree.preferences;
    preferences.skip_research || preferences.skip_slice_research
}
