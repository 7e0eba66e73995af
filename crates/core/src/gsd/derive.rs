//! Derives the state of the work from a snapshot alone.

use super::registry::{Registry, registry};
use super::{
    Count, Milestone, MilestoneStatus, Paper, Phase, Quirk, QuirkReader, Reading, Ref, Roadmap,
    RuleValues, Slice, SliceFolder, State, Task, TaskCounts, Tree,
};

/// A state, and the quirks by which the two readings of the tree differ on the way to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    pub state: State,
    /// The quirks that mattered, each with its milestone.
    pub noted: Vec<(Quirk, String)>,
}

pub fn derive(tree: &Tree) -> State {
    derive_as(tree, Reading::Ours).state
}

/// Derives the state by the rules of a reading.
pub fn derive_as(tree: &Tree, reading: Reading) -> Derived {
    let mut reader = QuirkReader::new(reading);
    let found = registry(tree, &mut reader);
    let state = state(tree, found);
    Derived { state, noted: reader.into_notes() }
}

/// Returns the active milestone and its active slice, as far as the roadmaps show: the parts that
/// must be read for more detail.
pub fn active(tree: &Tree, reading: Reading) -> Option<(&Milestone, Option<&Slice>)> {
    let milestone = registry(tree, &mut QuirkReader::new(reading)).active?;
    Some((milestone, milestone.roadmap.as_ref().and_then(Roadmap::eligible)))
}

/// The decision about a milestone; the rest of a state is the same for all.
struct MilestoneVerdict {
    phase: Phase,
    next: String,
    blockers: Vec<String>,
    slice: Option<Ref>,
    task: Option<Ref>,
    slices: Option<Count>,
    tasks: Option<Count>,
}

impl MilestoneVerdict {
    fn new(phase: Phase, next: String) -> Self {
        let blockers = Vec::new();
        Self { phase, next, blockers, slice: None, task: None, slices: None, tasks: None }
    }

    fn blocked(mut self, by: impl Into<String>) -> Self {
        self.blockers.push(by.into());
        self
    }
}

fn state(tree: &Tree, found: Registry<'_>) -> State {
    let said = match found.active {
        None => idle(tree, &found),
        Some(milestone) => of_milestone(milestone, &found),
    };
    let milestone = found.active.and_then(|active| {
        let row = found.rows.iter().find(|row| row.id == active.id)?;
        Some(Ref { id: row.id.clone(), title: row.title.clone() })
    });
    let last = (said.phase == Phase::Complete).then(|| found.rows.last()).flatten();
    let last_completed = last.map(|row| Ref { id: row.id.clone(), title: row.title.clone() });
    let extensions = kept(tree, found.active, said.slice.as_ref());
    let milestones = Count::of(&found.rows, |row| row.status == MilestoneStatus::Complete);
    State {
        milestone,
        slice: said.slice,
        task: said.task,
        phase: said.phase,
        recent_decisions: [],
        blockers: said.blockers,
        next_action: said.next,
        registry: found.rows,
        requirements: tree.requirements,
        progress: TaskCounts { milestones, slices: said.slices, tasks: said.tasks },
        last_completed,
        extensions,
    }
}

/// Returns the values that rules keep in the active milestone and slice, and in the slices that a
/// run still watches.
fn kept(tree: &Tree, active: Option<&Milestone>, slice: Option<&Ref>) -> Vec<RuleValues> {
    let worked_on = active.zip(slice).and_then(|(active, slice)| active.slice(&slice.id));
    let watched = tree.watched.iter().filter_map(|at| {
        let (milestone, slice) = at.as_str().split_once('/')?;
        tree.slice(milestone, slice)
    });
    let mut all: Vec<RuleValues> =
        active.and_then(|active| active.kept.clone()).into_iter().collect();
    for slice in worked_on.into_iter().chain(watched) {
        let tasks = slice.tasks().iter().filter_map(|task| task.kept.as_ref());
        for kept in slice.kept.iter().chain(tasks) {
            if !all.iter().any(|known| known.at == kept.at) {
                all.push(kept.clone());
            }
        }
    }
    all
}

/// Decides the state when no milestone is active.
fn idle(tree: &Tree, found: &Registry<'_>) -> MilestoneVerdict {
    let of = |status: MilestoneStatus| found.rows.iter().filter(move |row| row.status == status);
    if found.rows.is_empty() {
        let next = "No milestones found. Run /gsd to create one.".to_owned();
        return MilestoneVerdict::new(Phase::PrePlanning, next);
    }
    if of(MilestoneStatus::Pending).next().is_some() {
        let next = "Resolve milestone dependencies before proceeding.".to_owned();
        let waiting = of(MilestoneStatus::Pending).filter(|row| !row.depends_on.is_empty());
        let mut blockers: Vec<_> = waiting
            .map(|row| {
                format!("{} is waiting on unmet deps: {}", row.id, row.depends_on.join(", "))
            })
            .collect();
        if blockers.is_empty() {
            let none = "All remaining milestones are dep-blocked but no deps listed — \
                        check CONTEXT.md files";
            blockers.push(none.to_owned());
        }
        return MilestoneVerdict { blockers, ..MilestoneVerdict::new(Phase::Blocked, next) };
    }
    let parked: Vec<_> = of(MilestoneStatus::Parked).map(|row| row.id.as_str()).collect();
    if !parked.is_empty() {
        let next = format!(
            "All remaining milestones are parked ({}). Run /gsd unpark <id> or create a new \
             milestone.",
            parked.join(", ")
        );
        return MilestoneVerdict::new(Phase::PrePlanning, next);
    }
    MilestoneVerdict::new(Phase::Complete, complete(tree.requirements.active))
}

fn complete(unmapped: usize) -> String {
    let more = match unmapped {
        0 => String::new(),
        1 => " 1 active requirement in REQUIREMENTS.md has not been mapped to a milestone."
            .to_owned(),
        many => format!(
            " {many} active requirements in REQUIREMENTS.md have not been mapped to a milestone."
        ),
    };
    format!("All milestones complete.{more}")
}

fn of_milestone(milestone: &Milestone, found: &Registry<'_>) -> MilestoneVerdict {
    let id = &milestone.id;
    let Some(roadmap) = &milestone.roadmap else {
        return if found.draft {
            let next = format!("Discuss draft context for milestone {id}.");
            MilestoneVerdict::new(Phase::NeedsDiscussion, next)
        } else {
            MilestoneVerdict::new(Phase::PrePlanning, format!("Plan milestone {id}."))
        };
    };
    let slices = Some(Count::of(&roadmap.slices, |slice| slice.done));
    let said = if roadmap.slices.is_empty() {
        let next = format!(
            "Milestone {id} has a roadmap but no slices defined. Add slices to the roadmap."
        );
        MilestoneVerdict::new(Phase::PrePlanning, next)
    } else if roadmap.is_done() {
        closing(milestone)
    } else if let Some(slice) = roadmap.eligible() {
        of_slice(slice, milestone.slice(&slice.id))
    } else {
        let next = "Resolve dependency blockers or plan next slice.".to_owned();
        MilestoneVerdict::new(Phase::Blocked, next)
            .blocked("No slice eligible — check dependency ordering")
    };
    MilestoneVerdict { slices, ..said }
}

/// Decides the state when all slices are done.
fn closing(milestone: &Milestone) -> MilestoneVerdict {
    let id = &milestone.id;
    match milestone.verdict.as_deref() {
        None => {
            let next = format!("Validate milestone {id} before completion.");
            MilestoneVerdict::new(Phase::Validating, next)
        }
        Some("needs-remediation") => {
            let next = format!("Resolve {id} remediation before proceeding.");
            MilestoneVerdict::new(Phase::Blocked, next).blocked(format!(
                "Milestone {id} validation verdict is needs-remediation but all slices are \
                 complete. Add remediation slices via gsd_reassess_roadmap, or run `/gsd verdict \
                 pass --rationale \"...\"` to override."
            ))
        }
        Some(_) => {
            let next = format!("All slices complete in {id}. Write milestone summary.");
            MilestoneVerdict::new(Phase::Completing, next)
        }
    }
}

fn of_slice(slice: &Slice, folder: Option<&SliceFolder>) -> MilestoneVerdict {
    let id = &slice.id;
    let active = Some(Ref { id: id.clone(), title: slice.title.clone() });
    let Some((folder, plan)) = folder.and_then(|folder| Some((folder, folder.plan.as_ref()?)))
    else {
        let next = format!("Plan slice {id} ({}).", slice.title);
        return MilestoneVerdict { slice: active, ..MilestoneVerdict::new(Phase::Planning, next) };
    };
    let tasks = Some(Count::of(&plan.tasks, Task::is_done));
    let open = plan.tasks.iter().find(|task| !task.is_done());
    let said = match open {
        Some(task) => of_task(id, folder, task),
        None if plan.tasks.is_empty() => {
            let next = format!("Slice {id} has a plan file but no tasks. Add tasks to the plan.");
            MilestoneVerdict::new(Phase::Planning, next)
        }
        None => {
            let next = format!("All tasks done in {id}. Write slice summary and complete slice.");
            MilestoneVerdict::new(Phase::Summarizing, next)
        }
    };
    MilestoneVerdict { slice: active, tasks, ..said }
}

fn of_task(slice: &str, folder: &SliceFolder, task: &Task) -> MilestoneVerdict {
    let is_paper = |name: &String| name.strip_suffix(".md").is_some();
    if folder.tasks.as_ref().is_some_and(|tasks| !tasks.names.iter().any(is_paper)) {
        let next =
            format!("Task plan files missing for {slice}. Run plan-slice to generate task plans.");
        return MilestoneVerdict::new(Phase::Planning, next);
    }
    let active = Some(Ref { id: task.id.clone(), title: task.title.clone() });
    MilestoneVerdict { task: active, ..executing(slice, folder, task) }
}

fn executing(slice: &str, folder: &SliceFolder, task: &Task) -> MilestoneVerdict {
    let has = |paper| folder.papers.has(paper);
    let blocked = folder.tasks().iter().find(|task| task.is_done() && task.blocker);
    match blocked {
        Some(Task { id, .. }) if !has(Paper::Replan) => {
            let next = format!(
                "Task {id} reported blocker_discovered. Replan slice {slice} before continuing."
            );
            let by = format!("Task {id} discovered a blocker requiring slice replan");
            return MilestoneVerdict::new(Phase::Replanning, next).blocked(by);
        }
        None if has(Paper::ReplanTrigger) && !has(Paper::Replan) => {
            let next =
                format!("Triage replan triggered for slice {slice}. Replan before continuing.");
            let by = "Triage replan trigger detected — slice replan required";
            return MilestoneVerdict::new(Phase::Replanning, next).blocked(by);
        }
        Some(_) | None => {}
    }
    let Task { id, title, .. } = task;
    let next = if folder.interrupted {
        format!(
            "Resume interrupted work on {id}: {title} in slice {slice}. Read continue.md first."
        )
    } else {
        format!("Execute {id}: {title} in slice {slice}.")
    };
    MilestoneVerdict::new(Phase::Executing, next)
}
