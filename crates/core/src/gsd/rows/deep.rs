//! Rows about the project as a whole, used by deep planning first.

use crate::gsd::case::{ActiveTree, Tried, no};
use crate::gsd::{DispatchOutcome, Phase, Research, StopSeverity};

/// Fails unless deep planning is on and the phase is early enough.
fn asked(case: &ActiveTree<'_>) -> Result<(), std::borrow::Cow<'static, str>> {
    if !case.tree.preferences.deep {
        return Err("planning_depth is not deep".into());
    }
    match case.state.phase {
        Phase::PrePlanning | Phase::NeedsDiscussion => Ok(()),
        Phase::Planning
        | Phase::Executing
        | Phase::Summarizing
        | Phase::Validating
        | Phase::Completing
        | Phase::Replanning
        | Phase::Complete
        | Phase::Blocked => Err(format!("the phase is {}", case.state.phase).into()),
    }
}

/// Returns whether deep planning still needs facts about the project.
pub(super) fn is_pending(case: &ActiveTree<'_>) -> bool {
    let setup = case.tree.setup;
    let ready = setup.project && setup.requirements && setup.research == Research::Settled;
    case.tree.preferences.deep && !ready
}

/// The original writes its defaults here and continues; sprag leaves the file to the person.
pub(super) fn preferences(case: &ActiveTree<'_>) -> Tried {
    asked(case)?;
    no("it never dispatches anything")
}

pub(super) fn project(case: &ActiveTree<'_>) -> Tried {
    asked(case)?;
    if case.tree.setup.project {
        return no("PROJECT.md has its sections");
    }
    Ok(case.on("discuss-project", "PROJECT"))
}

pub(super) fn requirements(case: &ActiveTree<'_>) -> Tried {
    asked(case)?;
    if case.tree.setup.requirements {
        return no("REQUIREMENTS.md has its sections");
    }
    Ok(case.on("discuss-requirements", "REQUIREMENTS"))
}

/// The original repairs a missing decision to "skip", so the question is never asked again.
pub(super) fn decision(case: &ActiveTree<'_>) -> Tried {
    asked(case)?;
    no("without a decision the research is skipped")
}

pub(super) fn research(case: &ActiveTree<'_>) -> Tried {
    asked(case)?;
    match case.tree.setup.research {
        Research::Settled => no("it is not wanted, or it is there"),
        Research::Wanted => Ok(case.on("research-project", "RESEARCH-PROJECT")),
        Research::Running => Ok(DispatchOutcome::stop(
            StopSeverity::Info,
            "Project research is already in progress. Wait for it to finish, or clear \
             `.gsd/runtime/research-project-inflight` if the prior run crashed.",
        )),
        Research::Blocked => Ok(DispatchOutcome::stop(
            StopSeverity::Warning,
            "Project research wrote PROJECT-RESEARCH-BLOCKER.md, so no verified research exists. \
             Fix the blocker cause, delete the blocker, and rerun auto.",
        )),
    }
}
