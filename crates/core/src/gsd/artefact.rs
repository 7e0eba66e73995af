//! The artefacts that a unit must leave behind, as kernel checks.

use super::rows::to_research;
use super::{Milestone, Paper, SliceFolder, SliceNotation, Task, Tree};
use crate::{Check, DocPath, Name, UnitId};

/// Returns the checks of a finished unit; empty if only a person or an agent can judge it.
pub fn artefacts(kind: &Name, at: &UnitId, tree: &Tree) -> Vec<Check> {
    let parts: Vec<&str> = at.as_str().split('/').collect();
    let found = match parts[..] {
        [id] => tree.milestone(id).and_then(|known| of_milestone(kind.as_str(), known)),
        [id, "parallel-research"] => tree.milestone(id).and_then(of_research),
        [id, slice] => tree
            .milestone(id)
            .and_then(|known| of_slice(kind.as_str(), known, known.slice(slice), slice)),
        [id, slice, task] => {
            tree.slice(id, slice).and_then(|known| of_task(kind.as_str(), known, task))
        }
        _ => None,
    };
    found.unwrap_or_default()
}

fn of_milestone(kind: &str, milestone: &Milestone) -> Option<Vec<Check>> {
    let file = |paper| milestone.place(paper).map(|path| Check::File { path });
    Some(match kind {
        "discuss-milestone" => vec![file(Paper::Context)?],
        "research-milestone" => vec![file(Paper::Research)?],
        "plan-milestone" => {
            let path = milestone.place(Paper::Roadmap)?;
            vec![file(Paper::Roadmap)?, any(&path, &["**S", "| S", "Slice S", "# S"])]
        }
        "validate-milestone" => {
            let path = milestone.place(Paper::Validation)?;
            vec![file(Paper::Validation)?, any(&path, &["verdict:", "**Verdict"])]
        }
        "complete-milestone" => vec![file(Paper::Summary)?],
        _ => return None,
    })
}

fn of_research(milestone: &Milestone) -> Option<Vec<Check>> {
    let place = |id: &str| match milestone.slice(id) {
        Some(slice) => slice.place(Paper::Research),
        None => slice_file(milestone, id, Paper::Research),
    };
    let files = to_research(milestone).into_iter().map(|id| Some(Check::File { path: place(id)? }));
    files.collect()
}

fn slice_file(milestone: &Milestone, id: &str, paper: Paper) -> Option<DocPath> {
    milestone.folder.join(&format!("slices/{id}/{id}-{}.md", paper.suffix())).ok()
}

fn of_slice(
    kind: &str,
    milestone: &Milestone,
    folder: Option<&SliceFolder>,
    id: &str,
) -> Option<Vec<Check>> {
    let place = |paper| match folder {
        Some(folder) => folder.place(paper),
        None => slice_file(milestone, id, paper),
    };
    let file = |paper| place(paper).map(|path| Check::File { path });
    Some(match kind {
        "research-slice" => vec![file(Paper::Research)?],
        "plan-slice" => {
            let mut checks = vec![file(Paper::Plan)?, any(&place(Paper::Plan)?, &["**T", "# T"])];
            let open = folder.into_iter().flat_map(SliceFolder::tasks).filter(|t| !t.is_done());
            let plans = open.filter_map(|task| folder?.task_place(task, Paper::Plan));
            checks.extend(plans.map(|path| Check::File { path }));
            checks
        }
        "replan-slice" => vec![file(Paper::Replan)?],
        "reassess-roadmap" => vec![file(Paper::Assessment)?],
        "run-uat" => {
            let path = place(Paper::Assessment)?;
            vec![file(Paper::Assessment)?, any(&path, &["verdict:", "**Verdict"])]
        }
        "complete-slice" => {
            let mut checks = vec![file(Paper::Summary)?, file(Paper::Uat)?];
            let boxes = milestone
                .roadmap
                .as_ref()
                .is_some_and(|roadmap| roadmap.form == SliceNotation::Boxes);
            checks
                .extend(milestone.place(Paper::Roadmap).filter(|_| boxes).map(|p| ticked(&p, id)));
            checks
        }
        _ => return None,
    })
}

fn of_task(kind: &str, slice: &SliceFolder, task: &str) -> Option<Vec<Check>> {
    let known = |id: &str| slice.tasks().iter().find(|task| task.id == id);
    let summary =
        |task: &Task| slice.task_place(task, Paper::Summary).map(|path| Check::File { path });
    match (kind, task.strip_prefix("reactive+")) {
        ("reactive-execute", Some(batch)) => {
            batch.split(',').map(|id| summary(known(id)?)).collect()
        }
        ("execute-task", None) => {
            let task = known(task)?;
            let plan = slice.papers.path(Paper::Plan).filter(|_| task.boxed);
            let mut checks = vec![summary(task)?];
            checks.extend(plan.map(|path| ticked(path, &task.id)));
            Some(checks)
        }
        _ => None,
    }
}

fn ticked(path: &DocPath, id: &str) -> Check {
    any(path, &[&format!("[x] **{id}:"), &format!("[X] **{id}:")])
}

fn any(path: &DocPath, texts: &[&str]) -> Check {
    let content = |has: &&str| Check::Content { path: path.clone(), has: (*has).to_owned() };
    Check::Any { of: texts.iter().map(content).collect() }
}
