//! The snapshot of a `.gsd/` folder on which all decisions here are based.

use super::{
    Closing, Count, MilestoneContext, Paper, Papers, Plan, Preferences, Requirements, Roadmap,
    RuleValues, Setup, Slice, Task,
};
use crate::{DocPath, UnitId};

/// The parsed content of `.gsd/`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The milestones, in the order of the queue.
    pub milestones: Vec<Milestone>,
    pub requirements: Requirements,
    /// How many overrides are waiting to be worked into the documents.
    pub overrides: usize,
    pub preferences: Preferences,
    /// The state of deep planning.
    pub setup: Setup,
    /// Slices that concern a run even if other work is active: `M001/S01`.
    pub watched: Vec<UnitId>,
    /// Documents that the answer needs and that are unreadable.
    pub unreadable: Vec<Unread>,
}

/// An unreadable document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    pub path: DocPath,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Milestone {
    pub id: String,
    pub folder: DocPath,
    /// The names of the files in its folder.
    pub names: Vec<String>,
    pub papers: Papers,
    /// The roadmap; `None` if it is missing or empty.
    pub roadmap: Option<Roadmap>,
    pub context: Option<MilestoneContext>,
    pub draft: Option<MilestoneContext>,
    /// The content of its summary.
    pub summary: Option<Closing>,
    /// The verdict of its validation.
    pub verdict: Option<String>,
    /// Whether it is being worked on in a worktree.
    pub worktree: bool,
    /// Whether one of its slices has a plan.
    pub planned: bool,
    /// The folders of its slices; read only where the answer needs them.
    pub slices: Vec<SliceFolder>,
    /// The values that rules keep with it.
    pub kept: Option<RuleValues>,
}

/// The content of a slice's folder.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceFolder {
    pub id: String,
    pub folder: DocPath,
    /// The names of the files in it.
    pub names: Vec<String>,
    pub papers: Papers,
    /// The plan; `None` if it is missing or empty.
    pub plan: Option<Plan>,
    pub tasks: Option<TaskFolder>,
    /// Whether work was interrupted here.
    pub interrupted: bool,
    /// Whether its summary has content.
    pub summarised: bool,
    /// The result of its UAT.
    pub uat: Uat,
    /// The values that rules keep with it.
    pub kept: Option<RuleValues>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFolder {
    pub folder: DocPath,
    /// The names of the files in it.
    pub names: Vec<String>,
}

/// How a slice is tried out (UAT), and the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uat {
    /// Whether its document contains instructions.
    pub written: bool,
    /// The kind of UAT, if the document names one.
    pub mode: Option<String>,
    /// Whether a document has a verdict, even if only in its text.
    pub judged: bool,
    pub verdict: Option<String>,
    /// Whether an assessment has content.
    pub assessed: bool,
}

impl Milestone {
    /// Creates a milestone with nothing but its folder.
    pub fn new(id: &str, folder: DocPath) -> Self {
        Self {
            id: id.to_owned(),
            folder,
            names: Vec::new(),
            papers: Papers::default(),
            roadmap: None,
            context: None,
            draft: None,
            summary: None,
            verdict: None,
            worktree: false,
            planned: false,
            slices: Vec::new(),
            kept: None,
        }
    }

    /// Returns the existing or future path of a document.
    pub fn place(&self, paper: Paper) -> Option<DocPath> {
        place(&self.papers, &self.folder, &self.id, paper)
    }

    pub fn slice(&self, id: &str) -> Option<&SliceFolder> {
        self.slices.iter().find(|slice| slice.id == id)
    }

    /// Returns whether its summary ends the milestone.
    pub fn is_closed(&self) -> bool {
        self.summary.as_ref().is_some_and(|summary| summary.terminal)
    }

    /// Returns the slices of its roadmap; empty without one.
    pub fn roadmap_slices(&self) -> &[Slice] {
        self.roadmap.as_ref().map_or(&[], |roadmap| &roadmap.slices)
    }
}

impl SliceFolder {
    /// Creates a slice with nothing but its folder.
    pub fn new(id: &str, folder: DocPath) -> Self {
        Self {
            id: id.to_owned(),
            folder,
            names: Vec::new(),
            papers: Papers::default(),
            plan: None,
            tasks: None,
            interrupted: false,
            summarised: false,
            uat: Uat::default(),
            kept: None,
        }
    }

    /// Returns the existing or future path of a document.
    pub fn place(&self, paper: Paper) -> Option<DocPath> {
        place(&self.papers, &self.folder, &self.id, paper)
    }

    /// Returns the existing or future path of a document of a task.
    pub fn task_place(&self, task: &Task, paper: Paper) -> Option<DocPath> {
        let folder = match &self.tasks {
            Some(tasks) => tasks.folder.clone(),
            None => self.folder.join("tasks").ok()?,
        };
        place(&task.papers, &folder, &task.id, paper)
    }

    /// Returns the tasks of its plan; empty without one.
    pub fn tasks(&self) -> &[Task] {
        self.plan.as_ref().map_or(&[], |plan| &plan.tasks)
    }
}

fn place(papers: &Papers, folder: &DocPath, id: &str, paper: Paper) -> Option<DocPath> {
    let new = || folder.join(&format!("{id}-{}.md", paper.suffix())).ok();
    papers.path(paper).cloned().or_else(new)
}

impl Tree {
    pub fn milestone(&self, id: &str) -> Option<&Milestone> {
        self.milestones.iter().find(|milestone| milestone.id == id)
    }

    pub fn slice(&self, milestone: &str, slice: &str) -> Option<&SliceFolder> {
        self.milestone(milestone)?.slice(slice)
    }

    pub fn task(&self, milestone: &str, slice: &str, task: &str) -> Option<&Task> {
        self.slice(milestone, slice)?.tasks().iter().find(|known| known.id == task)
    }

    /// Returns the ids of all tasks in plans that were read: `M001/S01/T01`.
    pub fn tasks(&self) -> impl Iterator<Item = UnitId> {
        self.milestones.iter().flat_map(|milestone| {
            milestone.slices.iter().flat_map(move |slice| {
                let id = move |task: &Task| format!("{}/{}/{}", milestone.id, slice.id, task.id);
                slice.tasks().iter().filter_map(move |task| UnitId::parse(&id(task)).ok())
            })
        })
    }

    /// Counts the slices of all roadmaps.
    pub fn count_slices(&self) -> Count {
        let all = self.milestones.iter().flat_map(Milestone::roadmap_slices);
        Count::of(&all.collect::<Vec<_>>(), |slice| slice.done)
    }

    /// Counts the tasks of all plans that were read.
    pub fn count_tasks(&self) -> Count {
        let slices = self.milestones.iter().flat_map(|milestone| &milestone.slices);
        let all = slices.flat_map(SliceFolder::tasks);
        Count::of(&all.collect::<Vec<_>>(), |task| task.is_done())
    }

    /// Returns the names of the files that belong to a milestone, slice or task: those in its
    /// folder, or for a task those that begin with its id, without the id.
    pub fn names(&self, at: &UnitId) -> Vec<String> {
        let parts: Vec<&str> = at.as_str().split('/').collect();
        let found = match parts[..] {
            [milestone] => self.milestone(milestone).map(|known| known.names.clone()),
            [milestone, slice] => self.slice(milestone, slice).map(|known| known.names.clone()),
            [milestone, slice, task] => self.slice(milestone, slice).and_then(|known| {
                let own = format!("{task}-");
                let names = known.tasks.as_ref()?.names.iter();
                Some(names.filter_map(|name| Some(name.strip_prefix(&own)?.to_owned())).collect())
            }),
            _ => None,
        };
        found.unwrap_or_default()
    }

    /// Returns the path of a file with this name next to a milestone, slice or task.
    pub fn beside(&self, at: &UnitId, name: &str) -> Option<DocPath> {
        let parts: Vec<&str> = at.as_str().split('/').collect();
        match parts[..] {
            [milestone] => self.milestone(milestone)?.folder.join(name).ok(),
            [milestone, slice] => self.slice(milestone, slice)?.folder.join(name).ok(),
            [milestone, slice, task] => {
                let folder = self.slice(milestone, slice)?.folder.join("tasks").ok()?;
                folder.join(&format!("{task}-{name}")).ok()
            }
            _ => None,
        }
    }
}
