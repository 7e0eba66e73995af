//! What the verdicts of one unit rest on, as it was when the unit first began.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sprag_core::basis::{is_test, rests_on_tests};
use sprag_core::definition::GateDefinition;
use sprag_core::{GateSpec, Glob, Hash};
use sprag_formats::definition::definition;

use super::files::{self, FilesNow};
use super::{refs, texts};
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::sitting::Now;
use crate::tree::{File, Tree};

const VERSION: u32 = 1;
/// How many texts of one baseline are kept.
const TEXTS: usize = 200;

/// The inputs of verdicts at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    v: u32,
    /// The commit that was checked out.
    pub(super) commit: Option<String>,
    /// The tips of branches and remotes: a text that one of them holds was not made by the agent.
    #[serde(default)]
    pub(super) refs: BTreeSet<String>,
    /// Tests, protected files, and sources that may hold tests, each with its hash in the tree.
    pub(super) files: BTreeMap<String, Hash>,
    /// Those that were not as in the commit, with the name of their kept text where there is one.
    #[serde(default)]
    pub(super) loose: BTreeMap<String, Option<Hash>>,
    /// What defines the command of each gate.
    pub(super) gates: BTreeMap<String, GateBaseline>,
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
        Self { commands, tests: rests_on_tests(&spec.gate.check), protect, definition }
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
    /// Takes what these gates rest on as it is now.
    pub(crate) fn take<'g>(
        now: &Now<'_>,
        gates: impl IntoIterator<Item = &'g GateSpec>,
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
            refs: refs::tips(engine),
            files,
            loose: BTreeMap::new(),
            gates,
        };
        taken.keep_loose(now, tree);
        Ok(taken)
    }

    /// Keeps the texts that no commit has: the diff and the way back need them.
    fn keep_loose(&mut self, now: &Now<'_>, tree: &Tree) {
        let (engine, root) = (now.engine, &now.engine.files.root);
        let defined = self.gates.values().flat_map(|gate| gate.definition.parts.keys());
        let mut defined: BTreeSet<String> = defined.map(|key| key.path().to_owned()).collect();
        let mut others: BTreeSet<String> = self.files.keys().cloned().collect();
        if self.commit.is_some() {
            let (loose, edited) = engine.git_at_hand().uncommitted();
            let own: BTreeSet<String> = loose.into_iter().chain(edited).collect();
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
        let read: Self = serde_json::from_slice(&texts::kept(engine.place, name)?).ok()?;
        (read.v <= VERSION).then_some(read)
    }

    /// Returns the text of a file as it was then, where it is known.
    pub(super) fn text(&self, engine: &Engine<'_>, path: &str) -> Option<Vec<u8>> {
        match self.loose.get(path) {
            Some(kept) => texts::kept(engine.place, (*kept)?),
            None => engine.committed_text(self.commit.as_deref()?, path),
        }
    }

    /// Takes over the earlier texts of another baseline for these paths and gates, so that a unit
    /// does not begin from what another agent made of them.
    pub(super) fn inherit(&mut self, other: &Self, changed: &BTreeSet<String>) {
        self.take_over(other, changed);
        for (name, gate) in &mut self.gates {
            let Some(then) = other.gates.get(name) else { continue };
            for (key, part) in &then.definition.parts {
                if changed.contains(key.path()) {
                    gate.definition.parts.insert(key.clone(), part.clone());
                }
            }
            let gone = |key: &sprag_core::definition::PartKey| {
                changed.contains(key.path()) && !then.definition.parts.contains_key(key)
            };
            gate.definition.parts.retain(|key, _| !gone(key));
            gate.definition.recall(&then.definition);
        }
    }

    /// Takes over the texts of these files from another baseline.
    fn take_over<'p>(&mut self, other: &Self, paths: impl IntoIterator<Item = &'p String>) {
        for path in paths {
            match other.files.get(path) {
                Some(was) => drop(self.files.insert(path.clone(), *was)),
                None => drop(self.files.remove(path)),
            }
            match other.loose.get(path) {
                Some(kept) => drop(self.loose.insert(path.clone(), *kept)),
                // The commits may differ, so the text of then is kept by itself.
                None if self.commit == other.commit => drop(self.loose.remove(path)),
                None => drop(self.loose.insert(path.clone(), None)),
            }
        }
    }

    /// Takes a person's texts for the ones that a unit is compared with.
    pub(super) fn advance(&mut self, now: &Self, changed: &BTreeSet<String>) {
        let (commit, loose) = (now.commit.clone(), now.loose.clone());
        let before = std::mem::take(&mut self.loose);
        self.inherit(&Self { loose, ..now.clone() }, changed);
        for (path, kept) in before {
            self.loose.entry(path).or_insert(kept);
        }
        if self.commit.is_none() {
            self.commit = commit;
        }
    }

    /// Returns which files it lists wherever there are such.
    fn scope(&self) -> impl Fn(&str) -> bool + use<> {
        let protect = self.protected();
        move |path| is_watched(path) || protect.iter().any(|glob| glob.matches(path.as_bytes()))
    }

    /// Adds the gates that are not yet known, as they are in another baseline, with the files that
    /// only they protect.
    pub(super) fn add_gates(&mut self, now: &Self) {
        let is_listed = self.scope();
        let others = now.files.keys().filter(|path| !is_listed(path));
        self.take_over(now, others);
        for (name, gate) in &now.gates {
            self.gates.entry(name.clone()).or_insert_with(|| gate.clone());
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

    /// Returns the files that it knows.
    pub(crate) fn protected(&self) -> Vec<Glob> {
        self.gates.values().flat_map(GateBaseline::protect).collect()
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
