//! What the verdicts of one unit rest on, as it was when the unit first began.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sprag_core::basis::{InputKey, is_test, rests_on_tests, rust_tests};
use sprag_core::definition::{GateDefinition, PartKey};
use sprag_core::{GateSpec, Glob, Hash};
use sprag_formats::definition::definition;

use super::files::{self, FilesNow};
use super::law::{LawText, PROJECT, TakenLaw};
use super::refs::Tips;
use super::texts;
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::sitting::Now;
use crate::tree::{File, Tree};

const VERSION: u32 = 1;
/// The part of a source file that holds its tests.
pub(super) const TESTS: &str = "tests";
/// How many texts of one baseline are kept.
const TEXTS: usize = 200;
/// How many uncommitted files are listed.
const UNCOMMITTED: usize = 1_000;

/// The inputs of verdicts at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    v: u32,
    /// The commit that was checked out.
    pub(super) commit: Option<String>,
    /// Where branches and remotes stood: a text that one of them held was not made by the agent.
    #[serde(default)]
    pub(super) refs: Tips,
    /// Tests, protected files, and sources that may hold tests, each with its hash in the tree.
    pub(super) files: BTreeMap<String, Hash>,
    /// Those that were not as in the commit, with the name of their kept text where there is one.
    #[serde(default)]
    pub(super) loose: BTreeMap<String, Option<Hash>>,
    /// Every file that was not as in the commit, with its hash in the tree; nothing where there were
    /// too many.
    #[serde(default)]
    pub(super) uncommitted: Option<BTreeMap<String, Hash>>,
    /// What defines the command of each gate.
    pub(super) gates: BTreeMap<String, GateBaseline>,
    /// The documents that say what the unit is judged by.
    #[serde(default, skip_serializing_if = "TakenLaw::is_unknown")]
    pub(super) law: TakenLaw,
}

/// What is known of one gate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GateBaseline {
    /// Its commands.
    pub(super) commands: Vec<Vec<String>>,
    /// Whether it may pass because of what tests say.
    pub(super) tests: bool,
    /// The files that a person protects, as globs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    protect: Vec<String>,
    /// What defines its commands.
    pub(super) definition: GateDefinition,
}

impl GateBaseline {
    fn of(spec: &GateSpec, files: &FilesNow<'_>) -> Self {
        let commands = gate::commands(&spec.gate.check).into_iter().map(<[String]>::to_vec);
        let commands: Vec<Vec<String>> = commands.collect();
        let protect = spec.protect.iter().map(|glob| glob.as_str().to_owned()).collect();
        let definition = defined(&commands, files);
        let tests = rests_on_tests(&spec.gate.check) && definition.rests_on_tests;
        Self { commands, tests, protect, definition }
    }

    pub(super) fn protect(&self) -> Vec<Glob> {
        self.protect.iter().filter_map(|text| Glob::parse(text).ok()).collect()
    }
}

/// Returns what defines some commands, as the files are now.
pub(super) fn defined(commands: &[Vec<String>], files: &FilesNow<'_>) -> GateDefinition {
    let mut all = GateDefinition::default();
    for argv in commands {
        all.join(definition(argv, files));
    }
    all
}

impl Baseline {
    /// Takes what these gates rest on as it is now. No text is anybody else's because a commit that an
    /// agent `made` has it.
    pub(crate) fn take<'g>(
        now: &Now<'_>,
        gates: impl IntoIterator<Item = &'g GateSpec>,
        made: &[String],
    ) -> Result<Self, EngineError> {
        let (engine, tree) = (now.engine, now.tree()?);
        let reader = files_now(engine, tree);
        let gates = gates.into_iter();
        let gates: BTreeMap<String, GateBaseline> = gates
            .map(|spec| (spec.gate.name.to_string(), GateBaseline::of(spec, &reader)))
            .collect();
        let protect: Vec<Glob> = gates.values().flat_map(GateBaseline::protect).collect();
        let counts = |file: &&File| {
            str::from_utf8(&file.path).is_ok_and(|path| {
                is_watched(path) || protect.iter().any(|glob| glob.matches(&file.path))
            })
        };
        let named = |file: &File| (String::from_utf8_lossy(&file.path).into_owned(), file.content);
        let files: BTreeMap<String, Hash> = tree.files().iter().filter(counts).map(named).collect();
        let mut taken = Self {
            v: VERSION,
            commit: engine.checked_out_here(),
            refs: Tips::of(engine, made),
            files,
            loose: BTreeMap::new(),
            uncommitted: None,
            gates,
            law: TakenLaw::default(),
        };
        taken.keep_loose(now, tree);
        Ok(taken)
    }

    /// Takes nothing but what a unit is judged by: no gate asks for more.
    pub(crate) fn of_law(law: TakenLaw) -> Self {
        Self { v: VERSION, law, ..Self::default() }
    }

    /// Returns it with what the unit is judged by.
    #[must_use]
    pub(crate) fn under(self, law: TakenLaw) -> Self {
        Self { law, ..self }
    }

    /// Returns the text of a document that the unit is judged by; nothing where there was none, or it
    /// is none of these.
    pub(super) fn law_text(&self, key: &InputKey) -> Option<LawText> {
        let texts = match key.part_name() {
            None => &self.law.here,
            Some(PROJECT) => &self.law.project,
            Some(_) => return None,
        };
        texts.get(key.path()).copied().flatten()
    }

    /// Keeps the texts that no commit has: the diff and the way back need them.
    fn keep_loose(&mut self, now: &Now<'_>, tree: &Tree) {
        let (engine, root) = (now.engine, &now.engine.files.root);
        let defined = self.gates.values().flat_map(|gate| gate.definition.parts.keys());
        let mut defined: BTreeSet<String> = defined.map(|key| key.path().to_owned()).collect();
        let mut others: BTreeSet<String> = self.files.keys().cloned().collect();
        if self.commit.is_some() {
            let (loose, edited) = engine.git_of_files().uncommitted();
            let own: BTreeSet<String> = loose.into_iter().chain(edited).collect();
            self.uncommitted = (own.len() <= UNCOMMITTED).then(|| hashes(tree, &own));
            let mut ignored = defined.clone();
            for path in tree.files().iter().filter_map(|file| str::from_utf8(&file.path).ok()) {
                ignored.remove(path);
            }
            // A commit has of a link only where it leads.
            let is_link = |path: &str| root.join(path).is_symlink();
            defined.retain(|path| own.contains(path) || ignored.contains(path) || is_link(path));
            others.retain(|path| own.contains(path));
        }
        others.retain(|path| !defined.contains(path));
        for path in defined {
            self.keep_one(engine, path, files::linked_text);
        }
        for path in others {
            self.keep_one(engine, path, files::text);
        }
    }

    /// Keeps the text of one file, if there is room.
    fn keep_one(
        &mut self,
        engine: &Engine<'_>,
        path: String,
        read: fn(&Path, &str) -> Option<Vec<u8>>,
    ) {
        let room = self.loose.values().flatten().count() < TEXTS;
        let bytes = Some(()).filter(|()| room).and_then(|()| read(&engine.files.root, &path));
        let kept = bytes.filter(|bytes| bytes.len() <= texts::LARGEST);
        let kept = kept.and_then(|bytes| texts::keep(engine.place, &bytes));
        self.loose.insert(path, kept);
    }

    /// Keeps the baseline; returns its name. One that cannot be kept is missing when its unit ends,
    /// and then nothing is proven.
    pub(crate) fn keep(&self, engine: &Engine<'_>) -> Option<Hash> {
        let bytes = serde_json::to_vec(self).ok()?;
        Some(texts::keep(engine.place, &bytes).unwrap_or_else(|| Hash::of(&bytes)))
    }

    /// Reads a baseline that was kept; nothing where it is gone or changed.
    pub(crate) fn kept(engine: &Engine<'_>, name: Hash) -> Option<Self> {
        Self::read(&texts::kept(engine.place, name)?)
    }

    /// Reads what [`Baseline::keep`] wrote.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let read: Self = serde_json::from_slice(bytes).ok()?;
        (read.v <= VERSION).then_some(read)
    }

    /// Returns the text of a file as it was then, where it is known.
    pub(super) fn text(&self, engine: &Engine<'_>, path: &str) -> Option<Vec<u8>> {
        match self.loose.get(path) {
            Some(kept) => texts::kept(engine.place, (*kept)?),
            None => engine.committed_text(self.commit.as_deref()?, path),
        }
    }

    /// Returns which files it lists wherever there are such.
    fn scope(&self) -> impl Fn(&str) -> bool + use<> {
        let protect = self.protected();
        move |path| is_watched(path) || protect.iter().any(|glob| glob.matches(path.as_bytes()))
    }

    /// Takes the texts that these paths have in a later baseline for the ones that a unit is compared
    /// with: a person changed them. Gates that are new come with the files that only they protect.
    pub(super) fn advance(&mut self, engine: &Engine<'_>, now: &Self, changed: &BTreeSet<String>) {
        let is_listed = self.scope();
        let others = now.files.keys().filter(|path| !is_listed(path));
        for path in changed.iter().chain(others) {
            match now.files.get(path) {
                Some(hash) => drop(self.files.insert(path.clone(), *hash)),
                None => drop(self.files.remove(path)),
            }
            // The commits may differ, so the text is kept by itself.
            let text = now.text(engine, path).filter(|text| text.len() <= texts::LARGEST);
            let kept = text.and_then(|text| texts::keep(engine.place, &text));
            self.loose.insert(path.clone(), kept);
        }
        for (name, gate) in &mut self.gates {
            let Some(later) = now.gates.get(name) else { continue };
            let (own, later) = (&mut gate.definition, &later.definition);
            own.parts.retain(|key, _| !changed.contains(key.path()));
            let theirs = later.parts.iter().filter(|(key, _)| changed.contains(key.path()));
            own.parts.extend(theirs.map(|(key, part)| (key.clone(), part.clone())));
            own.recall(later);
        }
        for (name, gate) in &now.gates {
            self.gates.entry(name.clone()).or_insert_with(|| gate.clone());
        }
    }

    /// Returns the text of an input as it was then; nothing where it was not there, or is none of these.
    pub(super) fn hash_of(&self, engine: &Engine<'_>, key: &InputKey) -> Option<Hash> {
        let path = key.path();
        match key.part_name() {
            None if self.law.here.contains_key(path) => self.law_text(key).map(|text| text.content),
            None if self.files.contains_key(path) => self.files.get(path).copied(),
            Some(TESTS) => self.text(engine, path).as_deref().and_then(rust_tests).map(Hash::of),
            None | Some(_) => {
                let part = part_of(key);
                let gates = self.gates.values();
                let mut parts = gates.filter_map(|gate| gate.definition.parts.get(&part));
                parts.next().map(|part| part.hash)
            }
        }
    }

    /// Returns the paths whose text differs between two baselines.
    pub(super) fn changed(&self, now: &Self) -> BTreeSet<String> {
        let paths = self.files.keys().chain(now.files.keys());
        // A file that only one of them lists may well be the same.
        let (then_lists, now_lists) = (self.scope(), now.scope());
        let other = |path: &&String| {
            self.files.get(*path) != now.files.get(*path) && then_lists(path) && now_lists(path)
        };
        let mut changed: BTreeSet<String> = paths.filter(other).cloned().collect();
        for (name, gate) in &self.gates {
            let Some(later) = now.gates.get(name) else { continue };
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

    /// Returns the commands of its gates.
    pub(super) fn commands(&self) -> Vec<Vec<String>> {
        self.gates.values().flat_map(|gate| gate.commands.iter().cloned()).collect()
    }

    /// Returns the files that persons protect.
    pub(crate) fn protected(&self) -> Vec<Glob> {
        self.gates.values().flat_map(GateBaseline::protect).collect()
    }
}

/// Returns the hashes of these files in a tree.
fn hashes(tree: &Tree, paths: &BTreeSet<String>) -> BTreeMap<String, Hash> {
    let named = |file: &File| Some((String::from_utf8(file.path.clone()).ok()?, file.content));
    tree.files().iter().filter_map(named).filter(|(path, _)| paths.contains(path)).collect()
}

/// Returns the key of an input as the definition of a gate has it.
pub(super) fn part_of(key: &InputKey) -> PartKey {
    match key.part_name() {
        Some(part) => PartKey::part(key.path(), part),
        None => PartKey::file(key.path()),
    }
}

/// Returns whether a path may hold tests.
pub(super) fn is_watched(path: &str) -> bool {
    is_test(path) || is_rust(path)
}

/// Returns whether a file is Rust source, which may hold tests beside the code.
pub(super) fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Returns the files of a project as they are now.
pub(super) fn files_now<'a>(engine: &'a Engine<'a>, tree: &'a Tree) -> FilesNow<'a> {
    FilesNow { root: &engine.files.root, tree, environment: engine.environment }
}
