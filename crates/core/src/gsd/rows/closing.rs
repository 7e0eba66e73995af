//! Rows for the steps after the tasks: UAT, reassessment, validation, summary.

use crate::gsd::case::{ActiveTree, Tried, no};
use crate::gsd::{DispatchOutcome, Milestone, Paper, Phase, SliceFolder, StopSeverity};

pub(super) fn rewrite_docs(case: &ActiveTree<'_>) -> Tried {
    if case.tree.overrides == 0 {
        return no("no override waits");
    }
    Ok(match &case.state.slice {
        Some(_) => case.on_slice("rewrite-docs"),
        None => case.on_milestone("rewrite-docs"),
    })
}

pub(super) fn complete_slice(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Summarizing)?;
    Ok(case.on_slice("complete-slice"))
}

pub(super) fn run_uat(case: &ActiveTree<'_>) -> Tried {
    if !case.tree.preferences.uat_dispatch {
        return no("uat_dispatch is not set");
    }
    let Some(slice) = last_done(case.milestone) else {
        return no("no slice is done while another is open");
    };
    if !slice.uat.written {
        return no("the last slice has no word about trying it out");
    }
    if slice.uat.judged {
        return no("the last slice was tried out");
    }
    Ok(case.on("run-uat", &format!("{}/{}", case.milestone.id, slice.id)))
}

/// The original has this row, but it never matches.
pub(super) fn uat_verdict(_: &ActiveTree<'_>) -> Tried {
    no("it never matches")
}

pub(super) fn reassess(case: &ActiveTree<'_>) -> Tried {
    if !case.tree.preferences.reassess {
        return no("the preferences do not ask for it");
    }
    let Some(slice) = last_done(case.milestone) else {
        return no("no slice is done while another is open");
    };
    if slice.uat.assessed {
        return no("the last slice was assessed");
    }
    if !slice.summarised {
        return no("the last slice has no summary");
    }
    Ok(case.on("reassess-roadmap", &format!("{}/{}", case.milestone.id, slice.id)))
}

fn last_done(milestone: &Milestone) -> Option<&SliceFolder> {
    milestone.slice(&milestone.roadmap.as_ref()?.last_done()?.id)
}

pub(super) fn validate(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Validating)?;
    if !case.tree.preferences.skip_validation {
        return Ok(case.on_milestone("validate-milestone"));
    }
    let why = "the preferences skip the validation".to_owned();
    let writes = case.milestone.place(Paper::Validation).map(|path| (path, SKIPPED.to_owned()));
    Ok(DispatchOutcome::Skip { why, writes })
}

/// Written instead of a validation that a person opted out of.
const SKIPPED: &str = "---\nverdict: pass\nskip_validation: true\n\
                       skip_validation_reason: preference\nremediation_round: 0\n---\n\n\
                       # Milestone Validation (skipped)\n\nMilestone validation was skipped via \
                       `skip_milestone_validation` preference.";

pub(super) fn complete_milestone(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Completing)?;
    let id = &case.milestone.id;
    let stop = |why: String| {
        Ok(DispatchOutcome::stop(
            StopSeverity::Warning,
            format!("Cannot complete milestone {id}: {why}"),
        ))
    };
    if case.tree.preferences.uat_dispatch
        && let Some(why) = untried(case.milestone)
    {
        return stop(why);
    }
    match case.milestone.verdict.as_deref() {
        Some("pass") | None => Ok(case.on_milestone("complete-milestone")),
        Some(verdict) => stop(format!(
            "VALIDATION verdict is \"{verdict}\". Address the validation findings and re-run \
             validation, or run `/gsd verdict pass --rationale \"...\"` to override."
        )),
    }
}

/// Returns why a finished slice lacks a successful UAT, if one does.
fn untried(milestone: &Milestone) -> Option<String> {
    let wanted = "Manual UAT sign-off (PASS) is required before milestone closure.";
    milestone.roadmap_slices().iter().filter(|slice| slice.done).find_map(|slice| {
        let id = &slice.id;
        let uat = milestone.slice(id).map(|slice| &slice.uat);
        match uat.and_then(|uat| Some((uat.verdict.as_deref()?, uat.mode.as_deref()))) {
            None => Some(format!("missing UAT PASS verdict for {id}. {wanted}")),
            Some(
                ("pass" | "passed", _)
                | ("partial", Some("mixed" | "human-experience" | "live-runtime")),
            ) => None,
            Some((verdict, _)) => Some(format!("UAT verdict for {id} is \"{verdict}\". {wanted}")),
        }
    })
}

pub(super) fn complete(case: &ActiveTree<'_>) -> Tried {
    case.in_phase(Phase::Complete)?;
    Ok(DispatchOutcome::stop(StopSeverity::Info, "All milestones complete."))
}
