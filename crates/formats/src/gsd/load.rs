//! Reads a tree: the milestones first, and below them only the needed parts.

use std::borrow::Cow;

use sprag_core::gsd::{Layer, Milestone, Phase, Reading, Setup, Tree, Unread, active, derive_as};
use sprag_core::{DocPath, UnitId};

use super::files::{EntryType, Files, FolderEntry};
use super::names;
use super::problems::{Noted, Problems};
use super::project::{self, Texts};
use super::{overrides, preferences, queue, requirements};
use crate::workflow::{Problem, Weight};

/// How much of a tree is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Enough to determine the current position and the next step.
    Answer,
    /// Every slice of every milestone.
    Everything,
}

/// A tree, with the findings from reading it.
#[derive(Debug)]
pub struct Loaded {
    pub tree: Tree,
    /// Errors, and texts with two readings.
    pub problems: Vec<Problem>,
    /// The places where the original's reading differs.
    pub noted: Vec<Noted>,
    /// The project's preferences: the file and its text.
    pub preferences: Option<(String, String)>,
}

/// The folder of a tree in its project.
const ROOT: &str = ".gsd";
/// The path of the person's own preferences, for messages.
const PERSON: &str = "~/.gsd/PREFERENCES.md";

/// Reads a tree; `person` is the text of the person's own preferences.
pub fn load(files: &dyn Files, person: Option<&str>, depth: Depth, reading: Reading) -> Loaded {
    Loader { files, depth, also: &[], problems: Problems::new(reading) }.load(person)
}

/// Reads a tree for a run: enough for the next step, and the run's own slices, even if the current
/// position is elsewhere by now.
pub fn load_for(files: &dyn Files, person: Option<&str>, also: &[UnitId]) -> Loaded {
    let problems = Problems::new(Reading::Ours);
    Loader { files, depth: Depth::Answer, also, problems }.load(person)
}

pub(super) struct Loader<'f> {
    files: &'f dyn Files,
    pub(super) depth: Depth,
    /// Slices that are always read: `M001/S01`.
    also: &'f [UnitId],
    pub(super) problems: Problems,
}

impl<'f> Loader<'f> {
    fn load(mut self, person: Option<&str>) -> Loaded {
        let mut tree = Tree { watched: self.also.to_vec(), ..Tree::default() };
        let root = self.names("");
        let preferences = self.preferences(&root, person, &mut tree);
        if let Some((_, text)) = self.root_file(&root, "REQUIREMENTS.md") {
            tree.requirements = requirements(&text);
        }
        if let Some((_, text)) = self.root_file(&root, "OVERRIDES.md") {
            tree.overrides = overrides(&text);
        }
        if tree.preferences.deep {
            tree.setup = self.setup(&root);
        }
        tree.milestones = self.milestones(&root);
        self.below(&mut tree);
        let Problems { all, noted, unreadable, .. } = self.problems;
        tree.unreadable = unreadable;
        Loaded { tree, problems: all, noted, preferences }
    }

    /// Returns whether a slice is always read.
    pub(super) fn is_wanted(&self, milestone: &str, slice: &str) -> bool {
        let wanted = |at: &UnitId| at.as_str().split_once('/') == Some((milestone, slice));
        self.also.iter().any(wanted)
    }

    /// Lists a folder. Returns `None` if it does not exist or cannot be read.
    pub(super) fn entries(&mut self, folder: &str) -> Option<Vec<FolderEntry>> {
        match self.files.list(folder) {
            Ok(entries) => entries,
            Err(why) => {
                self.problems.unread(&below_root(folder), &why);
                None
            }
        }
    }

    /// The names of the files in a folder.
    pub(super) fn names(&mut self, folder: &str) -> Vec<String> {
        let entries = self.entries(folder).unwrap_or_default();
        let files = entries.into_iter().filter(|entry| entry.found != EntryType::Folder);
        files.map(|entry| entry.name).collect()
    }

    /// The names of the folders in a folder. Reports a link in place of a folder.
    pub(super) fn folders(&mut self, folder: &str, is_ours: fn(&str) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        for entry in self.entries(folder).unwrap_or_default() {
            match entry.found {
                EntryType::Folder if is_ours(&entry.name) => found.push(entry.name),
                EntryType::Other if is_ours(&entry.name) => {
                    let path = below_root(&format!("{folder}/{}", entry.name));
                    self.problems.unread(&path, "it is a link, and those are not followed");
                }
                EntryType::Folder | EntryType::File | EntryType::Other => {}
            }
        }
        found
    }

    /// Returns the text of a document, or `None` if it does not exist or cannot be read.
    pub(super) fn text(&mut self, path: &str) -> Option<Cow<'f, str>> {
        match self.files.read(path) {
            Ok(text) => text,
            Err(why) => {
                self.problems.unread(&below_root(path), &why);
                None
            }
        }
    }

    /// Returns a document of the project by its name, or by the same name in lower case.
    fn root_file(&mut self, names: &[String], name: &str) -> Option<(String, Cow<'f, str>)> {
        let lower = name.to_lowercase();
        let has = |name: &str| names.iter().any(|known| known == name);
        let found = [name, &lower].into_iter().find(|name| has(name))?;
        Some((below_root(found), self.text(found)?))
    }

    fn preferences(
        &mut self,
        root: &[String],
        person: Option<&str>,
        tree: &mut Tree,
    ) -> Option<(String, String)> {
        let below = person.map(|text| self.preference(PERSON, text)).unwrap_or_default();
        let Some((path, text)) = self.root_file(root, "PREFERENCES.md") else {
            tree.preferences = below.resolve();
            return None;
        };
        tree.preferences = self.preference(&path, &text).over(below).resolve();
        Some((path, text.into_owned()))
    }

    /// Reads one file of preferences. An invalid file is Unknown, never empty.
    fn preference(&mut self, file: &str, text: &str) -> Layer {
        let faults = match preferences(text) {
            Ok(layer) => return layer,
            Err(faults) => faults,
        };
        for fault in &faults {
            self.problems.fault(file, text, fault, Weight::Rejects);
        }
        let why = faults.first().map(|first| format!("line {first}")).unwrap_or_default();
        let path = DocPath::parse(file);
        self.problems.unreadable.extend(path.map(|path| Unread { path, why }));
        Layer::default()
    }

    fn setup(&mut self, root: &[String]) -> Setup {
        let project = self.root_file(root, "PROJECT.md").map(|(_, text)| text);
        let requirements = self.root_file(root, "REQUIREMENTS.md").map(|(_, text)| text);
        let decision = self.text("runtime/research-decision.json");
        let research = self.names("research");
        let running = self.names("runtime").iter().any(|name| name == "research-project-inflight");
        project::setup(&Texts {
            project: project.as_deref(),
            requirements: requirements.as_deref(),
            decision: decision.as_deref(),
            research,
            running,
        })
    }

    fn milestones(&mut self, root: &[String]) -> Vec<Milestone> {
        let folders = self.folders("milestones", |name| names::milestone_id(name).is_some());
        let ids = folders.iter().filter_map(|name| names::milestone_id(name));
        let ids: Vec<String> = ids.map(str::to_owned).collect();
        let queued = root.iter().any(|name| name == "QUEUE-ORDER.json");
        let text = if queued { self.text("QUEUE-ORDER.json") } else { None };
        let order = text.as_deref().and_then(queue::order);
        if let (Some(text), None) = (&text, &order) {
            let what = "it names no order, so milestones come by their numbers".to_owned();
            self.problems.warn(&below_root("QUEUE-ORDER.json"), text, 0, what);
        }
        let place = below_root("milestones");
        if self.depth == Depth::Everything {
            self.odd_milestones(&ids, order.is_some());
        }
        let ids =
            self.problems.names(&place, |reader| queue::sorted(ids, order.as_deref(), reader));
        let worktrees = self.entries("worktrees").unwrap_or_default();
        let is_worked_on = |id: &str| worktrees.iter().any(|entry| entry.name == id);
        let mut found = Vec::new();
        for id in ids {
            let Some(folder) = names::folder(&folders, &id) else { continue };
            let read = self.milestone(&id, &format!("milestones/{folder}"));
            found.extend(read.map(|read| Milestone { worktree: is_worked_on(&id), ..read }));
        }
        found
    }

    /// Reports folders that only look like milestones, and milestones in a surprising order.
    fn odd_milestones(&mut self, ids: &[String], is_ordered: bool) {
        let all = self.entries("milestones").unwrap_or_default();
        let folders = all.into_iter().filter(|entry| entry.found == EntryType::Folder);
        for FolderEntry { name, .. } in
            folders.filter(|entry| names::is_nearly_milestone(&entry.name))
        {
            let what = "its name begins with a small `m`, so it is no milestone".to_owned();
            self.problems.warn(&below_root(&format!("milestones/{name}")), "", 0, what);
        }
        for id in ids.iter().filter(|id| !is_ordered && names::milestone_order(id) == 0) {
            let what = format!("{id} has not three digits, so it comes before all others");
            self.problems.warn(&below_root(&format!("milestones/{id}")), "", 0, what);
        }
    }

    /// Reads the parts below the milestones that are needed.
    fn below(&mut self, tree: &mut Tree) {
        let reading = self.problems.reading;
        let next = active(tree, reading)
            .map(|(milestone, slice)| (milestone.id.clone(), slice.map(|slice| slice.id.clone())));
        let preferences = tree.preferences;
        for milestone in &mut tree.milestones {
            let (is_active, slice) = match &next {
                Some((id, slice)) if *id == milestone.id => (true, slice.as_deref()),
                Some(_) | None => (false, None),
            };
            let has_to_do = |at: &UnitId| at.as_str().split('/').next() == Some(&*milestone.id);
            let is_needed = is_active || self.also.iter().any(has_to_do);
            if is_needed || self.depth == Depth::Everything {
                self.problems.needed = is_needed;
                self.slices(milestone, slice, preferences);
                self.problems.needed = true;
            }
        }
        let ends = derive_as(tree, reading).state.phase == Phase::Completing;
        if ends && preferences.uat_dispatch {
            let active = next.and_then(|(id, _)| {
                tree.milestones.iter_mut().find(|milestone| milestone.id == id)
            });
            for slice in active.into_iter().flat_map(|active| &mut active.slices) {
                self.trial(slice);
            }
        }
    }
}

/// Returns the project path for a path below `.gsd`.
pub(super) fn below_root(path: &str) -> String {
    if path.is_empty() { ROOT.to_owned() } else { format!("{ROOT}/{path}") }
}
