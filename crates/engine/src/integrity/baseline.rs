//! The inputs of a unit's verdicts, as they were when the unit first began.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sprag_core::basis::{InputKey, rests_on_tests, rust_tests};
use sprag_core::definition::{GateDefinition, PartKey};
use sprag_core::{GateSpec, Glob, Hash};
use sprag_formats::definition::{ProjectFiles, definition};
use sprag_world::gates::protect;
use sprag_world::git::KnownUncommitted;
use sprag_world::tree::{File, Tree};

use super::files::{self, FilesNow};
use super::law::{LawText, PROJECT, TakenLaw};
use super::refs::Tips;
use super::texts;
use super::watched::{self, is_watched};
use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::{gate, usual_checks};

const VERSION: u32 = 1;
/// The part name for the tests inside a source file.
pub(crate) const TESTS: &str = "tests";
/// How many texts of one baseline are kept.
const TEXTS: usize = 200;
/// How many usual checks of a project are watched, and how many commands of other gates with them.
const USUAL: usize = 3;
const UNASKED: usize = 20;
/// How many uncommitted files are listed.
const UNCOMMITTED: usize = 1_000;

/// The inputs of verdicts at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    v: u32,
    /// The commit that was checked out.
    pub(crate) commit: Option<String>,
    /// The tips of branches and remotes, which may bring texts that the agent did not make.
    #[serde(default)]
    pub(crate) refs: Tips,
    /// Tests, protected files, and sources that may contain tests, with their hashes in the tree.
    pub(crate) files: BTreeMap<String, Hash>,
    /// The files that count as tests although their names do not show it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) unnamed: BTreeSet<String>,
    /// Those of the files that differed from the commit, with the name of the stored text if any.
    #[serde(default)]
    pub(crate) loose: BTreeMap<String, Option<Hash>>,
    /// All files that differed from the commit, with their hashes in the tree; `None` if there were
    /// too many.
    #[serde(default)]
    pub(crate) uncommitted: Option<BTreeMap<String, Hash>>,
    /// What git said about the uncommitted files, and of which files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    git_said: Option<KnownUncommitted>,
    /// The definitions of the gates' commands.
    pub(crate) gates: BTreeMap<String, GateBaseline>,
    /// Commands that no gate of this unit asks for and that a later unit may be judged by: its run's
    /// other gates, and the usual checks of the project.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) unasked: BTreeMap<String, GateBaseline>,
    /// The documents that the unit is judged by.
    #[serde(default, skip_serializing_if = "TakenLaw::is_unknown")]
    pub(crate) law: TakenLaw,
}

/// The definition of one gate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GateBaseline {
    pub(crate) commands: Vec<Vec<String>>,
    /// Whether its result depends on tests.
    pub(crate) tests: bool,
    /// The globs of protected files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    protect: Vec<String>,
    /// The definition of its commands.
    pub(crate) definition: GateDefinition,
}

impl GateBaseline {
    fn of(spec: &GateSpec, files: &FilesNow<'_>) -> Self {
        let commands = gate::commands(&spec.gate.check).into_iter().map(<[String]>::to_vec);
        let commands: Vec<Vec<String>> = commands.collect();
        let protect = spec.protect.iter().map(|glob| glob.as_str().to_owned()).collect();
        let definition = defined(&commands, files);
        let is_compared = definition.counted_as_tests().next().is_some();
        let tests = is_compared || rests_on_tests(&spec.gate.check) && definition.rests_on_tests;
        Self { commands, tests, protect, definition }
    }

    pub(crate) fn protect(&self) -> Vec<Glob> {
        self.protect.iter().filter_map(|text| Glob::parse(text).ok()).collect()
    }
}

/// Records the commands that none of these gates runs: those of other gates, and the usual checks of
/// the project. Each is known by its words.
fn unasked<'g>(
    gates: &BTreeMap<String, GateBaseline>,
    others: impl IntoIterator<Item = &'g GateSpec>,
    engine: &Engine<'_>,
    files: &FilesNow<'_>,
) -> BTreeMap<String, GateBaseline> {
    let of_others = others.into_iter().flat_map(|spec| gate::commands(&spec.gate.check));
    let mut commands: Vec<Vec<String>> = of_others.map(<[String]>::to_vec).collect();
    let usual = usual_checks::find(&engine.files.root).into_iter().take(USUAL);
    commands.extend(usual.map(|candidate| candidate.argv));
    let is_asked = |argv: &Vec<String>| gates.values().any(|gate| gate.commands.contains(argv));
    let mut unasked = BTreeMap::new();
    for argv in commands.into_iter().filter(|argv| !is_asked(argv)) {
        let name = format!("unasked: {}", argv.join(" "));
        unasked.entry(name).or_insert_with(|| {
            let commands = vec![argv];
            let definition = defined(&commands, files);
            GateBaseline {
                tests: definition.rests_on_tests,
                commands,
                protect: Vec::new(),
                definition,
            }
        });
        if unasked.len() == UNASKED {
            break;
        }
    }
    unasked
}

/// Resolves the definition of these commands in the current files.
pub(crate) fn defined(commands: &[Vec<String>], files: &dyn ProjectFiles) -> GateDefinition {
    let mut all = GateDefinition::default();
    for argv in commands {
        all.join(definition(argv, files));
    }
    all
}

/// Returns the names of the gates whose commands run more than is compared.
pub(crate) fn unfollowed<'g>(
    now: &Now<'_>,
    specs: impl IntoIterator<Item = &'g GateSpec>,
) -> Vec<String> {
    let Ok(tree) = now.tree() else { return Vec::new() };
    let files = files_now(now.engine, tree);
    let is_cut = |spec: &&GateSpec| GateBaseline::of(spec, &files).definition.is_cut;
    specs.into_iter().filter(is_cut).map(|spec| spec.gate.name.to_string()).collect()
}

impl Baseline {
    /// Records the current inputs of these gates, and what defines the commands of the others of
    /// their run.
    pub(crate) fn take<'g>(
        now: &Now<'_>,
        gates: impl IntoIterator<Item = &'g GateSpec>,
        others: impl IntoIterator<Item = &'g GateSpec>,
    ) -> Result<Self, EngineError> {
        let (engine, tree) = (now.engine, now.tree()?);
        let reader = files_now(engine, tree);
        let gates = gates.into_iter();
        let gates: BTreeMap<String, GateBaseline> = gates
            .map(|spec| (spec.gate.name.to_string(), GateBaseline::of(spec, &reader)))
            .collect();
        let unasked = unasked(&gates, others, engine, &reader);
        let protect: Vec<Glob> = gates.values().flat_map(GateBaseline::protect).collect();
        let root = &engine.files.root;
        let mut unnamed = watched::unnamed(root, tree, gates.values().chain(unasked.values()));
        unnamed.extend(protect::ignored(root, tree, &protect));
        let is_protected = |path: &str| protect.iter().any(|glob| glob.matches(path.as_bytes()));
        let counts = |path: &str| is_watched(path) || is_protected(path);
        let files = watched::present(root, tree, &unnamed, counts);
        let mut taken = Self {
            v: VERSION,
            commit: engine.checked_out_here(),
            refs: Tips::of(engine, now.at),
            files,
            unnamed,
            loose: BTreeMap::new(),
            uncommitted: None,
            git_said: None,
            gates,
            unasked,
            law: TakenLaw::default(),
        };
        taken.keep_loose(now, tree);
        Ok(taken)
    }

    /// Creates a baseline of documents only, for a unit whose gates need no more.
    pub(crate) fn of_law(law: TakenLaw) -> Self {
        Self { v: VERSION, law, ..Self::default() }
    }

    /// Adds the documents that the unit is judged by.
    #[must_use]
    pub(crate) fn under(self, law: TakenLaw) -> Self {
        Self { law, ..self }
    }

    /// Returns the text of such a document; `None` if it did not exist or is not one of them.
    pub(crate) fn law_text(&self, key: &InputKey) -> Option<LawText> {
        let texts = match key.part_name() {
            None => &self.law.here,
            Some(PROJECT) => &self.law.project,
            Some(_) => return None,
        };
        texts.get(key.path()).copied().flatten()
    }

    /// Stores the texts that no commit has, for the diff and to restore them.
    fn keep_loose(&mut self, now: &Now<'_>, tree: &Tree) {
        let (engine, root) = (now.engine, &now.engine.files.root);
        let defined = self.all_gates().flat_map(|(_, gate)| gate.definition.parts.keys());
        let mut defined: BTreeSet<String> = defined.map(|key| key.path().to_owned()).collect();
        let mut others: BTreeSet<String> = self.files.keys().cloned().collect();
        if self.commit.is_some() {
            let uncommitted = now.uncommitted();
            let own = uncommitted.loose.iter().chain(&uncommitted.edited);
            let own: BTreeSet<String> = own.cloned().collect();
            if own.len() <= UNCOMMITTED {
                self.uncommitted = Some(hashes(tree, &own));
                let commit = self.commit.as_deref();
                self.git_said =
                    commit.and_then(|commit| engine.uncommitted.get(commit, tree.hash()));
            }
            let mut ignored = &defined | &others;
            for path in tree.files().iter().filter_map(|file| str::from_utf8(&file.path).ok()) {
                ignored.remove(path);
            }
            // A commit stores only the target of a link.
            let is_link = |path: &str| root.join(path).is_symlink();
            defined.retain(|path| own.contains(path) || ignored.contains(path) || is_link(path));
            others.retain(|path| own.contains(path) || ignored.contains(path));
        }
        others.retain(|path| !defined.contains(path));
        for path in defined {
            self.keep_one(engine, path, files::linked_text);
        }
        for path in others {
            self.keep_one(engine, path, files::text);
        }
    }

    /// Stores the text of one file, if there is room.
    fn keep_one(
        &mut self,
        engine: &Engine<'_>,
        path: String,
        read: fn(&Path, &str) -> Option<Vec<u8>>,
    ) {
        let text = self.has_room().then(|| read(&engine.files.root, &path)).flatten();
        self.keep_text(engine, path, text);
    }

    fn has_room(&self) -> bool {
        self.loose.values().flatten().count() < TEXTS
    }

    /// Stores a text. One that is unknown or too large has no name, so any change of its file counts.
    fn keep_text(&mut self, engine: &Engine<'_>, path: String, text: Option<Vec<u8>>) {
        let text = text.filter(|text| text.len() <= texts::LARGEST);
        let kept = text.and_then(|text| texts::keep(engine.place, &text));
        self.loose.insert(path, kept);
    }

    /// Stores the baseline and returns its name. If that fails, the baseline is missing at the end
    /// of the unit, and then nothing is proven.
    pub(crate) fn keep(&self, engine: &Engine<'_>) -> Option<Hash> {
        let bytes = serde_json::to_vec(self).ok()?;
        Some(texts::keep(engine.place, &bytes).unwrap_or_else(|| Hash::of(&bytes)))
    }

    /// Loads a stored baseline; `None` if it is missing or was changed.
    pub(crate) fn kept(engine: &Engine<'_>, name: Hash) -> Option<Self> {
        let read = Self::read(&texts::kept(engine.place, name)?)?;
        if let Some(known) = &read.git_said {
            engine.uncommitted.keep(known.clone());
        }
        Some(read)
    }

    /// Parses the form that [`Baseline::keep`] wrote.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let read: Self = serde_json::from_slice(bytes).ok()?;
        (read.v <= VERSION).then_some(read)
    }

    /// Returns the text of a file at that time, if it is known.
    pub(crate) fn text(&self, engine: &Engine<'_>, path: &str) -> Option<Vec<u8>> {
        match self.loose.get(path) {
            Some(kept) => texts::kept(engine.place, (*kept)?),
            None => engine.committed_text(self.commit.as_deref()?, path),
        }
    }

    /// Returns a predicate for the files that the baseline always lists if they exist.
    fn scope(&self) -> impl Fn(&str) -> bool {
        let protect = self.protected();
        move |path| {
            is_watched(path)
                || self.unnamed.contains(path)
                || protect.iter().any(|glob| glob.matches(path.as_bytes()))
        }
    }

    /// Replaces the texts of paths that a person changed with those of a later baseline. Also
    /// adopts the files that only new gates protect.
    pub(crate) fn advance(&mut self, engine: &Engine<'_>, now: &Self, changed: &BTreeSet<String>) {
        let is_listed = self.scope();
        let others = now.files.keys().filter(|path| !is_listed(path));
        let paths: Vec<&String> = changed.iter().chain(others).collect();
        drop(is_listed);
        for path in paths {
            match now.files.get(path) {
                Some(hash) => drop(self.files.insert(path.clone(), *hash)),
                None => drop(self.files.remove(path)),
            }
            // The commits may differ, so the text is stored separately.
            let text = self.has_room().then(|| now.text(engine, path)).flatten();
            self.keep_text(engine, path.clone(), text);
        }
        self.unnamed.extend(now.unnamed.iter().cloned());
        for (name, gate) in self.gates.iter_mut().chain(&mut self.unasked) {
            let Some(later) = now.gate(name) else { continue };
            let (own, later) = (&mut gate.definition, &later.definition);
            own.parts.retain(|key, _| !changed.contains(key.path()));
            let theirs = later.parts.iter().filter(|(key, _)| changed.contains(key.path()));
            own.parts.extend(theirs.map(|(key, part)| (key.clone(), part.clone())));
            own.recall(later);
        }
        for (name, gate) in &now.gates {
            self.gates.entry(name.clone()).or_insert_with(|| gate.clone());
        }
        for (name, gate) in &now.unasked {
            self.unasked.entry(name.clone()).or_insert_with(|| gate.clone());
        }
    }

    /// Returns the hash of an input at that time; `None` if it did not exist or is not one of
    /// these.
    pub(crate) fn hash_of(&self, engine: &Engine<'_>, key: &InputKey) -> Option<Hash> {
        let path = key.path();
        match key.part_name() {
            None if self.law.here.contains_key(path) => self.law_text(key).map(|text| text.content),
            None if self.files.contains_key(path) => self.files.get(path).copied(),
            Some(TESTS) => self.text(engine, path).as_deref().and_then(rust_tests).map(Hash::of),
            None | Some(_) => {
                let part = part_of(key);
                let gates = self.all_gates();
                let mut parts = gates.filter_map(|(_, gate)| gate.definition.parts.get(&part));
                parts.next().map(|part| part.hash)
            }
        }
    }

    /// Returns the paths whose text differs between two baselines.
    pub(crate) fn changed(&self, now: &Self) -> BTreeSet<String> {
        let paths = self.files.keys().chain(now.files.keys());
        // A file that only one of them lists may be unchanged.
        let (then_lists, now_lists) = (self.scope(), now.scope());
        let other = |path: &&String| {
            self.files.get(*path) != now.files.get(*path) && then_lists(path) && now_lists(path)
        };
        let mut changed: BTreeSet<String> = paths.filter(other).cloned().collect();
        for (name, gate) in self.all_gates() {
            let Some(later) = now.gate(name) else { continue };
            let (then, now) = (&gate.definition.parts, &later.definition.parts);
            let hash = |parts: &BTreeMap<_, sprag_core::definition::DefinedPart>, key| {
                parts.get(key).map(|part| part.hash)
            };
            let keys = then.keys().chain(now.keys());
            let other = keys.filter(|key| hash(then, key) != hash(now, key));
            changed.extend(other.map(|key| key.path().to_owned()));
        }
        changed
    }

    pub(crate) fn commands(&self) -> Vec<Vec<String>> {
        self.all_gates().flat_map(|(_, gate)| gate.commands.iter().cloned()).collect()
    }

    /// Returns every command whose definition it records.
    pub(crate) fn all_gates(&self) -> impl Iterator<Item = (&String, &GateBaseline)> {
        self.gates.iter().chain(&self.unasked)
    }

    pub(crate) fn gate(&self, name: &str) -> Option<&GateBaseline> {
        self.gates.get(name).or_else(|| self.unasked.get(name))
    }

    /// Returns the globs of all protected files.
    pub(crate) fn protected(&self) -> Vec<Glob> {
        self.gates.values().flat_map(GateBaseline::protect).collect()
    }
}

fn hashes(tree: &Tree, paths: &BTreeSet<String>) -> BTreeMap<String, Hash> {
    let named = |file: &File| Some((String::from_utf8(file.path.clone()).ok()?, file.content));
    tree.files().iter().filter_map(named).filter(|(path, _)| paths.contains(path)).collect()
}

/// Converts the key of an input to that of a gate's definition.
pub(crate) fn part_of(key: &InputKey) -> PartKey {
    match key.part_name() {
        Some(part) => PartKey::part(key.path(), part),
        None => PartKey::file(key.path()),
    }
}

/// Returns whether a file is Rust source, which may contain tests next to the code.
pub(crate) fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

pub(crate) fn files_now<'a>(engine: &'a Engine<'a>, tree: &'a Tree) -> FilesNow<'a> {
    FilesNow { root: &engine.files.root, tree, environment: engine.environment }
}
