//! Reads a tree: the milestones first, and below them only what the answer needs.

use std::borrow::Cow;

use sprag_core::DocPath;
use sprag_core::gsd::{Layer, Milestone, Phase, Reading, Setup, Tree, Unread, active, derive_as};

use super::files::{Entry, Files, Found};
use super::names;
use super::problems::{Noted, Problems};
use super::project::{self, Texts};
use super::{overrides, preferences, queue, requirements};
use crate::workflow::{Problem, Weight};

/// How much of a tree is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What is needed to say where the work stands and what comes next.
    Answer,
    /// Every slice of every milestone.
    Everything,
}

/// A tree, and what was found while it was read.
#[derive(Debug)]
pub struct Loaded {
    /// The tree.
    pub tree: Tree,
    /// What is wrong with it, or read in two ways.
    pub problems: Vec<Problem>,
    /// Where the original reads something else.
    pub noted: Vec<Noted>,
    /// The preferences of the project: the file and its text.
    pub preferences: Option<(String, String)>,
}

/// Where a tree stands in its project.
const ROOT: &str = ".gsd";
/// How the person's own preferences are called.
const PERSON: &str = "~/.gsd/PREFERENCES.md";

/// Reads a tree; `person` is the text of the person's own preferences.
pub fn load(files: &dyn Files, person: Option<&str>, depth: Depth, reading: Reading) -> Loaded {
    let mut loader = Loader { files, depth, problems: Problems::new(reading) };
    let mut tree = Tree::default();
    let root = loader.names("");
    let preferences = loader.preferences(&root, person, &mut tree);
    if let Some((_, text)) = loader.root_file(&root, "REQUIREMENTS.md") {
        tree.requirements = requirements(&text);
    }
    if let Some((_, text)) = loader.root_file(&root, "OVERRIDES.md") {
        tree.overrides = overrides(&text);
    }
    if tree.preferences.deep {
        tree.setup = loader.setup(&root);
    }
    tree.milestones = loader.milestones(&root);
    loader.below(&mut tree);
    let Problems { all, noted, unreadable, .. } = loader.problems;
    tree.unreadable = unreadable;
    Loaded { tree, problems: all, noted, preferences }
}

pub(super) struct Loader<'f> {
    files: &'f dyn Files,
    pub(super) depth: Depth,
    pub(super) problems: Problems,
}

impl<'f> Loader<'f> {
    /// Returns what is in a folder; nothing where it is not there, or cannot be read.
    pub(super) fn entries(&mut self, folder: &str) -> Option<Vec<Entry>> {
        match self.files.list(folder) {
            Ok(entries) => entries,
            Err(why) => {
                self.problems.unread(&below_root(folder), &why);
                None
            }
        }
    }

    /// Returns the names of the files in a folder.
    pub(super) fn names(&mut self, folder: &str) -> Vec<String> {
        let entries = self.entries(folder).unwrap_or_default();
        let files = entries.into_iter().filter(|entry| entry.found != Found::Folder);
        files.map(|entry| entry.name).collect()
    }

    /// Returns the names of the folders in a folder; a link in their place is complained about.
    pub(super) fn folders(&mut self, folder: &str, is_ours: fn(&str) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        for entry in self.entries(folder).unwrap_or_default() {
            match entry.found {
                Found::Folder if is_ours(&entry.name) => found.push(entry.name),
                Found::Other if is_ours(&entry.name) => {
                    let path = below_root(&format!("{folder}/{}", entry.name));
                    self.problems.unread(&path, "it is a link, and those are not followed");
                }
                Found::Folder | Found::File | Found::Other => {}
            }
        }
        found
    }

    /// Returns the text of a document; nothing where it is not there, or cannot be read.
    pub(super) fn text(&mut self, path: &str) -> Option<Cow<'f, str>> {
        match self.files.read(path) {
            Ok(text) => text,
            Err(why) => {
                self.problems.unread(&below_root(path), &why);
                None
            }
        }
    }

    /// Returns a document of the project by its name, or by that in lower case.
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

    /// Reads one file of preferences; what cannot be understood is Unknown, and never nothing.
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
        let ids = ids.map(str::to_owned).collect();
        let queued = root.iter().any(|name| name == "QUEUE-ORDER.json");
        let text = if queued { self.text("QUEUE-ORDER.json") } else { None };
        let order = text.as_deref().and_then(queue::order);
        if let (Some(text), None) = (&text, &order) {
            let what = "it names no order, so milestones come by their numbers".to_owned();
            self.problems.warn(&below_root("QUEUE-ORDER.json"), text, 0, what);
        }
        let place = below_root("milestones");
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

    /// Reads what is below the milestones, as far as it is needed.
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
            if is_active || self.depth == Depth::Everything {
                self.problems.needed = is_active;
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

/// Returns where a path below `.gsd` is in the project.
pub(super) fn below_root(path: &str) -> String {
    if path.is_empty() { ROOT.to_owned() } else { format!("{ROOT}/{path}") }
}
