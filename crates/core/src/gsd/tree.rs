//! The snapshot of a `.gsd/` folder that everything here is decided by.

use super::{
    Closing, Context, Count, Kept, Paper, Papers, Plan, Preferences, Requirements, Roadmap, Setup,
    Slice, Task,
};
use crate::{DocPath, UnitId};

/// What was read of `.gsd/`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The milestones, in the order of the queue.
    pub milestones: Vec<Milestone>,
    /// How many requirements there are.
    pub requirements: Requirements,
    /// How many overrides wait to be worked into the documents.
    pub overrides: usize,
    /// What the person prefers.
    pub preferences: Preferences,
    /// What the deep way of planning asks for.
    pub setup: Setup,
    /// The slices that a run has to do with wherever work is: `M001/S01`.
    pub watched: Vec<UnitId>,
    /// What the answer needs and cannot be read.
    pub unreadable: Vec<Unread>,
}

/// A document that is there and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Which one.
    pub path: DocPath,
    /// Why not.
    pub why: String,
}

/// A milestone.
#[derive(Clone, Debug, PartialEq)]
pub struct Milestone {
    /// Its id.
    pub id: String,
    /// Its folder.
    pub folder: DocPath,
    /// The names in its folder.
    pub names: Vec<String>,
    /// Its documents.
    pub papers: Papers,
    /// Its slices, unless nothing is written there.
    pub roadmap: Option<Roadmap>,
    /// Its context.
    pub context: Option<Context>,
    /// The draft of its context.
    pub draft: Option<Context>,
    /// Its end.
    pub summary: Option<Closing>,
    /// What its validation says.
    pub verdict: Option<String>,
    /// Whether somebody works on it in a worktree.
    pub worktree: bool,
    /// Whether one of its slices has a plan.
    pub planned: bool,
    /// The folders of its slices; read only where the answer needs them.
    pub slices: Vec<SliceFolder>,
    /// What rules keep with it.
    pub kept: Option<Kept>,
}

/// What stands in the folder of a slice.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceFolder {
    /// The slice's id.
    pub id: String,
    /// The folder.
    pub folder: DocPath,
    /// The names in it.
    pub names: Vec<String>,
    /// Its documents.
    pub papers: Papers,
    /// Its tasks, unless nothing is written there.
    pub plan: Option<Plan>,
    /// The folder of its tasks.
    pub tasks: Option<TaskFolder>,
    /// Whether work was interrupted here.
    pub interrupted: bool,
    /// Whether its summary says something.
    pub summarised: bool,
    /// What came of trying it out.
    pub uat: Uat,
    /// What rules keep with it.
    pub kept: Option<Kept>,
}

/// The folder of a slice's tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFolder {
    /// The folder.
    pub folder: DocPath,
    /// The names in it.
    pub names: Vec<String>,
}

/// How a slice is tried out, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uat {
    /// Whether the paper says how to try it out.
    pub written: bool,
    /// Which kind of trying it is; where the paper names none, nothing.
    pub mode: Option<String>,
    /// Whether one of the papers has a verdict, be it in its text.
    pub judged: bool,
    /// The verdict.
    pub verdict: Option<String>,
    /// Whether an assessment says something.
    pub assessed: bool,
}

impl Milestone {
    /// Makes a milestone of which nothing is known but its folder.
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

    /// Returns where a document is, or would be.
    pub fn place(&self, paper: Paper) -> Option<DocPath> {
        place(&self.papers, &self.folder, &self.id, paper)
    }

    /// Returns the folder of a slice.
    pub fn slice(&self, id: &str) -> Option<&SliceFolder> {
        self.slices.iter().find(|slice| slice.id == id)
    }

    /// Returns whether its summary ends it.
    pub fn is_closed(&self) -> bool {
        self.summary.as_ref().is_some_and(|summary| summary.terminal)
    }

    /// Returns the slices its roadmap has.
    pub fn roadmap_slices(&self) -> &[Slice] {
        self.roadmap.as_ref().map_or(&[], |roadmap| &roadmap.slices)
    }
}

impl SliceFolder {
    /// Makes the folder of a slice of which nothing is known.
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

    /// Returns where a document is, or would be.
    pub fn place(&self, paper: Paper) -> Option<DocPath> {
        place(&self.papers, &self.folder, &self.id, paper)
    }

    /// Returns where a document of a task is, or would be.
    pub fn task_place(&self, task: &Task, paper: Paper) -> Option<DocPath> {
        let folder = match &self.tasks {
            Some(tasks) => tasks.folder.clone(),
            None => self.folder.join("tasks").ok()?,
        };
        place(&task.papers, &folder, &task.id, paper)
    }

    /// Returns the tasks its plan has.
    pub fn tasks(&self) -> &[Task] {
        self.plan.as_ref().map_or(&[], |plan| &plan.tasks)
    }
}

fn place(papers: &Papers, folder: &DocPath, id: &str, paper: Paper) -> Option<DocPath> {
    let new = || folder.join(&format!("{id}-{}.md", paper.suffix())).ok();
    papers.path(paper).cloned().or_else(new)
}

impl Tree {
    /// Returns a milestone.
    pub fn milestone(&self, id: &str) -> Option<&Milestone> {
        self.milestones.iter().find(|milestone| milestone.id == id)
    }

    /// Returns the folder of a slice.
    pub fn slice(&self, milestone: &str, slice: &str) -> Option<&SliceFolder> {
        self.milestone(milestone)?.slice(slice)
    }

    /// Returns a task.
    pub fn task(&self, milestone: &str, slice: &str, task: &str) -> Option<&Task> {
        self.slice(milestone, slice)?.tasks().iter().find(|known| known.id == task)
    }

    /// Returns the ids of all tasks that were read: `M001/S01/T01`.
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

    /// Returns the names of the files beside a milestone, slice or task: those in its folder, and
    /// of a task's files those that begin with its id, without the id.
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

    /// Returns where a file of this name stands beside a milestone, slice or task.
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
