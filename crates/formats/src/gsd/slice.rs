//! Reads the levels below a milestone: the folders of its slices, and the tasks in them.

use sprag_core::DocPath;
use sprag_core::gsd::{Milestone, Paper, Plan, Preferences, SliceFolder, Task, TaskFolder, Uat};

use super::load::{Depth, Loader, below_root};
use super::names::{self, Bare};
use super::{Summary, lint, plan, task_files, uat, verdict};

impl Loader<'_> {
    /// Reads the slices of a milestone, but the plan only of the active one, unless everything is
    /// read.
    pub(super) fn slices(
        &mut self,
        milestone: &mut Milestone,
        active: Option<&str>,
        preferences: Preferences,
    ) {
        let homes = [Paper::Context, Paper::Roadmap];
        milestone.kept = self.kept(&milestone.id, &milestone.papers, &homes);
        let Some(place) = milestone.folder.as_str().strip_prefix(".gsd/") else { return };
        let all = format!("{place}/slices");
        let folders = self.folders(&all, |_| true);
        for folder in &folders {
            let names = self.names(&format!("{all}/{folder}"));
            milestone.planned |= names.contains(&format!("{folder}-PLAN.md"));
            let wanted = milestone.roadmap_slices().iter();
            let ids = wanted.filter(|slice| names::folder(&folders, &slice.id) == Some(folder));
            let ids: Vec<String> = ids.map(|slice| slice.id.clone()).collect();
            for id in ids {
                let read = self.slice(&id, &format!("{all}/{folder}"), &names);
                milestone.slices.extend(read);
            }
        }
        let last = milestone.roadmap.as_ref().and_then(|roadmap| roadmap.last_done());
        let last = last.map(|slice| slice.id.clone());
        let needed = self.problems.needed;
        for slice in &mut milestone.slices {
            let is_active = active == Some(slice.id.as_str());
            let is_needed = is_active || self.is_wanted(&milestone.id, &slice.id);
            if is_needed || self.depth == Depth::Everything {
                self.problems.needed = needed && is_needed;
                self.tasks(&milestone.id, slice);
                self.problems.needed = needed;
            }
            let asked = preferences.uat_dispatch || preferences.reassess;
            if asked && last.as_ref() == Some(&slice.id) {
                self.trial(slice);
            }
        }
    }

    fn slice(&mut self, id: &str, folder: &str, names: &[String]) -> Option<SliceFolder> {
        let path = DocPath::parse(&below_root(folder)).ok()?;
        let papers = self.papers(names, id, folder, Paper::OF_SLICE, Bare::Counts);
        Some(SliceFolder { names: names.to_vec(), papers, ..SliceFolder::new(id, path) })
    }

    /// Reads the plan of a slice and the documents beside its tasks.
    fn tasks(&mut self, milestone: &str, slice: &mut SliceFolder) {
        let Some(place) = slice.folder.as_str().strip_prefix(".gsd/").map(str::to_owned) else {
            return;
        };
        slice.kept = self.kept(&format!("{milestone}/{}", slice.id), &slice.papers, &[Paper::Plan]);
        slice.interrupted = self.says(&slice.papers, Paper::Continue);
        let folder = format!("{place}/tasks");
        let names = self
            .entries(&folder)
            .map(|entries| entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>());
        let path = DocPath::parse(&below_root(&folder)).ok();
        slice.tasks = names.zip(path).map(|(names, folder)| TaskFolder { folder, names });
        let Some((file, text)) = self.paper(&slice.papers, Paper::Plan) else { return };
        if text.is_empty() {
            return self.warn_empty(&file);
        }
        let mut read: Plan = self.problems.read(&file, &text, plan);
        let beside = slice.tasks.as_ref().map_or(&[][..], |tasks| &tasks.names).to_vec();
        if self.depth == Depth::Everything {
            for (at, what) in lint::plan(&text, &read, &beside) {
                self.problems.warn(&file, &text, at, what);
            }
        }
        for task in &mut read.tasks {
            self.task(&format!("{milestone}/{}/{}", slice.id, task.id), &folder, &beside, task);
        }
        slice.plan = Some(read);
    }

    fn task(&mut self, at: &str, folder: &str, names: &[String], task: &mut Task) {
        task.papers = self.papers(names, &task.id, folder, Paper::OF_TASK, Bare::Shared);
        if let Some((_, text)) = self.paper(&task.papers, Paper::Plan) {
            let files = task_files(&text);
            (task.inputs, task.outputs) = (files.inputs, files.outputs);
        }
        if let Some((file, text)) = self.paper(&task.papers, Paper::Summary) {
            task.blocker = self.problems.read(&file, &text, Summary::read).blocker_discovered;
        }
        task.kept = self.kept(at, &task.papers, Paper::OF_TASK);
    }

    /// Reads how a slice was tried out.
    pub(super) fn trial(&mut self, slice: &mut SliceFolder) {
        let paper = self.paper(&slice.papers, Paper::Uat);
        let written = paper.as_ref().is_some_and(|(_, text)| !text.is_empty());
        let (_, said) = paper.unwrap_or_default();
        let assessment = self.paper(&slice.papers, Paper::Assessment);
        let assessed = assessment.as_ref().is_some_and(|(_, text)| !text.is_empty());
        let mut found = Uat { written, assessed, ..Uat::default() };
        found.mode = uat::mode(&said).map(str::to_owned);
        found.judged = verdict::is_judged(&said);
        if let Some((file, text)) = assessment {
            found.judged |= verdict::is_judged(&text);
            found.verdict = self.problems.read(&file, &text, verdict::verdict);
            found.mode = found.mode.or(uat::mode(&text).map(str::to_owned));
        }
        if let (None, Some(path)) = (&found.verdict, slice.papers.path(Paper::Uat)) {
            let file = path.as_str().to_owned();
            found.verdict = self.problems.read(&file, &said, verdict::verdict);
        }
        slice.summarised = self.says(&slice.papers, Paper::Summary);
        slice.uat = found;
    }
}
