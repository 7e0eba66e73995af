//! Builds the kernel's unit for the table's choice.

use super::{Milestone, Paper, SliceFolder, Task, Tree, artefacts};
use crate::{Check, Closes, Gate, Name, Unit, UnitId};

/// Returns the kernel's id of a unit: several kinds of work share one id in the tree.
pub fn kernel_id(kind: &Name, at: &UnitId) -> UnitId {
    UnitId::parse(&format!("{kind} {at}")).unwrap_or_else(|_| at.clone())
}

/// Builds the kernel's unit for any kind of work on a part of the tree; `None` if the tree has no
/// such part.
pub fn unit(kind: &Name, at: &UnitId, tree: &Tree) -> Option<Unit> {
    TreePart::of(at, tree)?;
    let mut unit = Unit::new(kernel_id(kind, at), kind.clone(), Name::literal("retry"));
    let checks = artefacts(kind, at, tree);
    unit.closes = if checks.is_empty() { Closes::Claim } else { Closes::Stop };
    let gate = |of| Gate { name: Name::literal("artefact"), check: Check::All { of } };
    unit.gates = Some(checks).filter(|checks| !checks.is_empty()).map(gate).into_iter().collect();
    // Summaries, verdicts and ticked boxes are the agent's own words.
    unit.papers = true;
    unit.locks = lock(at).into_iter().collect();
    Some(unit)
}

/// Locks the slice, because two units of one slice would write the same plan.
fn lock(at: &UnitId) -> Option<Name> {
    let mut parts = at.as_str().split('/');
    let (milestone, slice) = (parts.next()?, parts.next());
    let lock = slice.map_or_else(|| milestone.to_owned(), |slice| format!("{milestone}/{slice}"));
    Name::parse(&lock).ok()
}

/// Returns the instruction for any kind of work on a part of the tree, with the relevant documents;
/// `None` if the tree has no such part.
pub fn instruction(kind: &Name, at: &UnitId, tree: &Tree) -> Option<String> {
    let said = TreePart::of(at, tree)?.said(kind.as_str());
    let mut text = format!("{kind} {at}: {said}");
    let checks = artefacts(kind, at, tree);
    let mut files: Vec<&str> = Vec::new();
    for check in &checks {
        if let Check::File { path } = check {
            files.push(path.as_str());
        }
    }
    if !files.is_empty() {
        text.push_str("\nIt is done when this is written: ");
        text.push_str(&files.join(", "));
    }
    Some(text)
}

/// The part of a tree that a unit works on.
enum TreePart<'t> {
    Project,
    Milestone(&'t Milestone),
    /// All open slices of a milestone.
    Research,
    Slice {
        title: &'t str,
        folder: Option<&'t SliceFolder>,
    },
    /// Tasks that are executed in parallel.
    Batch(&'t str),
    Task {
        slice: &'t SliceFolder,
        task: &'t Task,
    },
}

impl<'t> TreePart<'t> {
    /// Finds the part that `at` names; `None` if the tree has no such part.
    fn of(at: &'t UnitId, tree: &'t Tree) -> Option<Self> {
        let parts: Vec<&str> = at.as_str().split('/').collect();
        Some(match parts[..] {
            ["PROJECT" | "REQUIREMENTS" | "RESEARCH-PROJECT" | "RESEARCH-DECISION"] => {
                Self::Project
            }
            [id] => Self::Milestone(tree.milestone(id)?),
            [id, "parallel-research"] => {
                tree.milestone(id)?;
                Self::Research
            }
            [id, slice] => {
                let known = tree.milestone(id)?;
                let title = &known.roadmap.as_ref()?.slice(slice)?.title;
                Self::Slice { title, folder: known.slice(slice) }
            }
            [id, slice, task] => {
                let slice = tree.slice(id, slice)?;
                if let Some(batch) = task.strip_prefix("reactive+") {
                    Self::Batch(batch)
                } else {
                    let task = slice.tasks().iter().find(|known| known.id == task)?;
                    Self::Task { slice, task }
                }
            }
            _ => return None,
        })
    }

    /// Returns the instruction, with the relevant documents.
    fn said(&self, kind: &str) -> String {
        match self {
            Self::Project => of_project(kind).to_owned(),
            Self::Milestone(milestone) => of_milestone(kind, milestone),
            Self::Research => "find out what each open slice needs, one after another.".to_owned(),
            Self::Slice { title, folder } => of_slice(kind, title, *folder),
            Self::Batch(batch) => {
                format!("do these tasks at the same time: {}.", batch.replace(',', ", "))
            }
            Self::Task { slice, task } => of_task(kind, slice, task),
        }
    }
}

impl Tree {
    /// Returns whether the tree has the part that `at` names.
    pub(super) fn has(&self, at: &UnitId) -> bool {
        TreePart::of(at, self).is_some()
    }
}

fn of_project(kind: &str) -> &'static str {
    match kind {
        "discuss-project" => "ask the person what the project is, and write .gsd/PROJECT.md.",
        "discuss-requirements" => {
            "ask the person what is required, and write .gsd/REQUIREMENTS.md."
        }
        _ => "find out what the project builds on, and write it to .gsd/research/.",
    }
}

fn of_milestone(kind: &str, milestone: &Milestone) -> String {
    let named = milestone.roadmap.as_ref().map(|roadmap| roadmap.title.clone());
    let title = named.or_else(|| milestone.context.as_ref()?.title.clone());
    let title = title.map(|title| format!(" ({title})")).unwrap_or_default();
    let what = match kind {
        "discuss-milestone" => "talk with the person about the milestone and write its context",
        "research-milestone" => "find out what the milestone needs",
        "plan-milestone" => "write the roadmap of the milestone: its slices, in order",
        "validate-milestone" => "check the milestone against its success criteria, with a verdict",
        "complete-milestone" => "write the summary of the milestone",
        "rewrite-docs" => "work the active overrides of .gsd/OVERRIDES.md into the documents",
        _ => "work on the milestone",
    };
    let by = milestone.papers.path(Paper::Context).or(milestone.papers.path(Paper::Roadmap));
    let by = by.map(|path| format!(" Go by {path}.")).unwrap_or_default();
    format!("{what}{title}.{by}")
}

fn of_slice(kind: &str, title: &str, folder: Option<&SliceFolder>) -> String {
    let what = match kind {
        "research-slice" => "find out what the slice needs",
        "plan-slice" => "write the plan of the slice: its tasks, and a plan for each of them",
        "replan-slice" => "plan the open tasks of the slice again, and say what changed",
        "complete-slice" => {
            "write the summary of the slice and how a person tries it out, and tick its box in the \
             roadmap"
        }
        "run-uat" => "try the slice out, and write what came of it with a verdict",
        "reassess-roadmap" => "look whether the roadmap still holds after the slice",
        "rewrite-docs" => "work the active overrides of .gsd/OVERRIDES.md into the documents",
        _ => "work on the slice",
    };
    let plan = folder.and_then(|folder| folder.papers.path(Paper::Plan));
    let by = plan.map(|path| format!(" Go by {path}.")).unwrap_or_default();
    format!("{what} ({title}).{by}")
}

fn of_task(kind: &str, slice: &SliceFolder, known: &Task) -> String {
    let what = match kind {
        "execute-task" => "do the task, write its summary and tick its box",
        _ => "work on the task",
    };
    let plans = [known.papers.path(Paper::Plan), slice.papers.path(Paper::Plan)];
    let plans: Vec<&str> = plans.into_iter().flatten().map(crate::DocPath::as_str).collect();
    let by = if plans.is_empty() { String::new() } else { format!(" Go by {}.", plans.join(", ")) };
    let verify = known.verify.as_ref().map(|how| format!(" Verify: {how}.")).unwrap_or_default();
    format!("{what} ({}).{by}{verify}", known.title)
}
