//! The documents that work is judged by, as they were when it began.
//!
//! They are the configuration, a workflow, a plan and its settings, preferences, the scripts of
//! rules and set-ups, and the prompts of reviewers. Their texts are always stored: they are small,
//! git may ignore them, and the earlier text stays in force if an agent changes one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sprag_core::{DocPath, Hash, Name, scripts};
use sprag_store::{Doc, MAX_DOCUMENT, Place, View};
use sprag_world::tree;

use super::in_force::{Base, InForce};
use super::{files, texts};
use crate::definition_copy::EarlierTexts;
use crate::engine::kind::Kind;
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::run_file::RunFile;
use crate::{definition_copy, run_file};

/// The part name for a document of the project, if the work is done in another folder.
pub(crate) const PROJECT: &str = "project";
/// The folder of GitHub's CI definitions.
/// The configuration of a project.
pub(crate) const CONFIG: &str = ".sprag/config.yaml";

const WORKFLOWS: &str = ".github/workflows";
/// How many documents are stored.
const MOST: usize = 200;

/// A text of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LawText {
    /// The file's content hash in a tree.
    pub(crate) content: Hash,
    /// The name of the stored text.
    pub(crate) text: Hash,
}

/// The documents of one folder by path; `None` for one that did not exist.
pub(crate) type LawTexts = BTreeMap<String, Option<LawText>>;

/// The documents that a unit or session is judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TakenLaw {
    /// Those in the folder of the work.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) here: LawTexts,
    /// Those of the main worktree, if the work is done in a linked one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) project: LawTexts,
    /// Those `here` that judged an earlier run, and do not judge this work. A change of theirs comes
    /// into doubt for the next run that they judge.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) later: BTreeSet<String>,
}

impl TakenLaw {
    /// Records the texts in force of these documents. Those of a branch are taken as they are,
    /// because only we write there.
    pub(crate) fn take(
        view: &View<'_>,
        now: &Now<'_>,
        docs: &BTreeSet<String>,
        in_force: &InForce,
    ) -> Self {
        let Engine { place, files, .. } = now.engine;
        let in_force = |path: &String, root: &Path, base: Base| {
            let earlier = in_force.earlier(view, path, base);
            (path.clone(), earlier.unwrap_or_else(|| present(place, root, path)))
        };
        if files != place {
            let text = |path: &String| (path.clone(), present(place, &files.root, path));
            return Self { here: docs.iter().take(MOST).map(text).collect(), ..Self::default() };
        }
        let mut later = in_force_before(view, place);
        later.retain(|path| !docs.contains(path));
        let docs = docs.iter().take(MOST).chain(later.iter().take(MOST));
        let configuration = place.worktree.iter().map(|_| CONFIG.to_owned());
        let project = configuration.map(|path| in_force(&path, &place.state, Base::Main));
        let here = docs.map(|path| in_force(path, &place.root, Base::Here));
        Self { here: here.collect(), project: project.collect(), later: later.clone() }
    }

    /// Records the current texts of the same documents, regardless of their authors.
    pub(crate) fn as_it_is(&self, engine: &Engine<'_>) -> Self {
        let texts = |root: &Path, docs: &LawTexts| {
            docs.keys().map(|path| (path.clone(), present(engine.place, root, path))).collect()
        };
        let project = project_of(engine);
        let here = texts(&engine.files.root, &self.here);
        Self { here, project: texts(project, &self.project), later: self.later.clone() }
    }

    /// Converts to the view from another folder: the documents here become the project's.
    pub(crate) fn seen_from_a_branch(self) -> Self {
        let Self { here, later, .. } = self;
        let project = here.into_iter().filter(|(path, _)| !later.contains(path)).collect();
        Self { project, ..Self::default() }
    }

    /// Returns true if nothing was recorded, as by an older version.
    pub(crate) fn is_unknown(&self) -> bool {
        self.here.is_empty() && self.project.is_empty()
    }
}

/// Returns the project's folder, for work in another folder.
pub(crate) fn project_of<'e>(engine: &'e Engine<'_>) -> &'e Path {
    if engine.files == engine.place { &engine.place.state } else { &engine.place.root }
}

/// Stores the current text of a document; `None` if it is missing or cannot be read.
pub(crate) fn present(place: &Place, root: &Path, path: &str) -> Option<LawText> {
    let content = tree::content(root, path)?;
    let bytes = files::text(root, path).filter(|bytes| bytes.len() <= MAX_DOCUMENT)?;
    Some(LawText { content, text: texts::keep(place, &bytes)? })
}

/// Returns whether a new document of this kind only adds requirements. Only a plan does.
pub(crate) fn asks_for_more(path: &str) -> bool {
    path.ends_with("/plan.md")
}

/// Returns the documents that these runs are judged by, and the configuration.
pub(crate) fn documents<'r>(
    view: &View<'_>,
    place: &Place,
    runs: impl Iterator<Item = &'r RunFile>,
) -> Result<BTreeSet<String>, EngineError> {
    let mut docs = BTreeSet::from([CONFIG.to_owned()]);
    for run in runs.filter(|run| run.header.ended.is_none()) {
        docs.extend(run.live.judged_by(view, place)?);
    }
    Ok(docs)
}

/// Returns the workflow files of the project that earlier runs were judged by.
fn in_force_before(view: &View<'_>, place: &Place) -> BTreeSet<String> {
    let folders = [".sprag/workflows", ".pi/workflows"];
    if !folders.iter().any(|folder| place.root.join(folder).is_dir()) {
        return BTreeSet::new();
    }
    let runs = run_file::runs(view).unwrap_or_default();
    let files = runs.iter().filter_map(|run| definition_copy::files_of(view, run).ok());
    let files = files.flat_map(BTreeMap::into_keys).map(|file| below(&place.root, &file));
    let is_own = |path: &String| folders.iter().any(|folder| Path::new(path).starts_with(folder));
    files.filter(is_own).collect()
}

/// Returns the files that define the CI of a forge.
pub(crate) fn ci_files(root: &Path) -> BTreeSet<String> {
    let alone = [".gitlab-ci.yml", ".circleci/config.yml", "azure-pipelines.yml", "Jenkinsfile"];
    let alone = alone.into_iter().filter(|path| root.join(path).is_file()).map(str::to_owned);
    let folder = std::fs::read_dir(root.join(WORKFLOWS)).into_iter().flatten().flatten();
    let names = folder.filter_map(|entry| entry.file_name().into_string().ok());
    let kind = |name: &str| Path::new(name).extension().map(std::ffi::OsStr::to_os_string);
    let workflows =
        names.filter(|name| kind(name).is_some_and(|kind| kind == "yml" || kind == "yaml"));
    let workflows = workflows.map(|name| format!("{WORKFLOWS}/{name}"));
    alone.chain(workflows).take(MOST).collect()
}

/// Stores texts, for the diff and to restore them.
pub(crate) fn keep(place: &Place, all: impl Iterator<Item = String>) {
    for text in all.take(MOST).filter(|text| text.len() <= MAX_DOCUMENT) {
        // If this fails, the text is missing in the diff.
        let _ = texts::keep(place, text.as_bytes());
    }
}

/// Returns the earlier texts in force in place of those that an agent changed, by full path.
pub(crate) fn earlier_texts(view: &View<'_>, now: &Now<'_>) -> Result<EarlierTexts, EngineError> {
    let (in_force, place) = (InForce::begins(view, now, "")?, now.engine.place);
    let root = std::fs::canonicalize(&place.root).unwrap_or_else(|_| place.root.clone());
    let mut earlier = EarlierTexts::new();
    for path in in_force.changed(view) {
        let whole = root.join(&path).to_string_lossy().into_owned();
        match in_force.document(view, &DocPath::parse(&path)?, Base::Here) {
            Doc::Text(text) => drop(earlier.insert(whole, Some(text))),
            Doc::Absent => drop(earlier.insert(whole, None)),
            Doc::Unknown(why) => {
                return Err(EngineError::Unreadable { path, why: why.to_string() });
            }
        }
    }
    Ok(earlier)
}

/// Returns the source files of a run's definition, as they were then.
pub(crate) fn recorded(view: &View<'_>, engine: &Engine<'_>, run: &RunFile) -> TakenLaw {
    let place = engine.place;
    // In a branch, merged work is compared with the branch's earlier state.
    if engine.files != place {
        return TakenLaw::default();
    }
    let files = run.live.copied_from(view);
    let text = |(file, text): (String, Hash)| {
        let path = below(&place.root, &file);
        let [plain, program] = tree::contents_of(text);
        // The executable bit does not matter.
        let is_program = tree::content(&place.root, &path) == Some(program);
        let content = if is_program { program } else { plain };
        (path, Some(LawText { content, text }))
    };
    let here = files.into_iter().take(MOST).map(text).collect();
    TakenLaw { here, ..TakenLaw::default() }
}

/// Returns the files that these commands run.
pub(crate) fn scripts_of<'c>(commands: impl Iterator<Item = &'c [String]>) -> BTreeSet<String> {
    commands.flat_map(scripts).filter(|path| !path.starts_with('/')).collect()
}

/// Returns the project files that rules' commands run, each with its rules.
pub(crate) fn rule_scripts(live: &dyn Kind) -> BTreeMap<String, Vec<Name>> {
    let mut found = BTreeMap::<String, Vec<Name>>::new();
    for rule in live.rules() {
        for path in scripts_of(rule.command_words().into_iter()) {
            found.entry(path).or_default().push(rule.name.clone());
        }
    }
    found
}

/// Returns a file's path relative to the root, or the full path if it is elsewhere.
pub(crate) fn below(root: &Path, file: &str) -> String {
    let real = std::fs::canonicalize(root);
    let roots = [Some(root), real.as_deref().ok()];
    let found =
        roots.into_iter().flatten().find_map(|root| Path::new(file).strip_prefix(root).ok());
    found.and_then(Path::to_str).unwrap_or(file).to_owned()
}
