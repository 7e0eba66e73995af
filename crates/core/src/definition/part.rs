use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::Hash;

/// Stands between a path and a part: neither holds a control character.
const BETWEEN: char = '\n';

/// Names a part: a path below the project's root, or `path#part` where only that part counts.
///
/// A name may hold a `#` itself, so the two are kept apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartKey(String);

impl PartKey {
    /// Names a whole file.
    pub fn file(path: &str) -> Self {
        Self(path.to_owned())
    }

    /// Names a part of a file.
    pub fn part(path: &str, part: &str) -> Self {
        Self(format!("{path}{BETWEEN}{part}"))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &str {
        self.0.split_once('\n').map_or(&self.0, |(path, _)| path)
    }

    /// Returns the part of the file; nothing where the whole counts.
    pub fn part_name(&self) -> Option<&str> {
        self.0.split_once('\n').map(|(_, part)| part)
    }
}

impl std::fmt::Display for PartKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.part_name() {
            None => out.write_str(self.path()),
            Some(part) => write!(out, "{}#{part}", self.path()),
        }
    }
}

/// The use of a part in a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartRole {
    /// A definition: a script of a manifest, a recipe, the configuration of a runner or checker.
    Runner,
    /// A file of the project that is run.
    Script,
    /// A program that lies in the project, also an ignored one.
    Program,
}

/// A fact about the project, kept with its definition so that a later one can be compared with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KnownThen {
    /// This folder was a member of the workspace.
    Member(String),
    /// There were tests in or below this folder; `""` is the root.
    Tests(String),
    /// This target existed without being written down, by the name of its file.
    Target(PartKey),
    /// A program or module of this name was found outside the project.
    Elsewhere(String),
    /// This folder of programs was not there: nothing was installed yet.
    Missing(String),
}

/// What it means that a part is there now and was not then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhenNew {
    /// It may change the verdict.
    Doubted,
    /// It adds something to be judged, and takes nothing away.
    Free,
    /// It is doubted if this was known then, and free otherwise.
    DoubtedIf(KnownThen),
}

/// One part of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinedPart {
    /// What it is to the gate.
    pub role: PartRole,
    /// The hash of this part alone.
    pub hash: Hash,
    /// What it means if only the later definition has it.
    pub when_new: WhenNew,
    /// The parts that lead to this one; none where the command itself does.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub via: BTreeSet<PartKey>,
    /// The name by which a program or module was called.
    pub program: Option<String>,
    /// The lock files that belong to a program, with their hashes: it may change with one of them.
    pub locks: BTreeMap<String, Hash>,
    /// Whether one of its lock files came later than it, so that an installation replaces it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_stale: bool,
    /// How much a setting asks for, where that can be told; a part that asks for nothing has 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
}

impl DefinedPart {
    /// A part that the command itself leads to and whose arrival is doubted.
    pub const fn new(role: PartRole, hash: Hash) -> Self {
        Self {
            role,
            hash,
            when_new: WhenNew::Doubted,
            via: BTreeSet::new(),
            program: None,
            locks: BTreeMap::new(),
            is_stale: false,
            level: None,
        }
    }
}

/// Everything that defines a gate's command, as the files were at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateDefinition {
    /// The parts by key.
    pub parts: BTreeMap<PartKey, DefinedPart>,
    /// Parts that an earlier definition of the same command had: one that is there again is no new one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub earlier: BTreeMap<PartKey, DefinedPart>,
    /// What a later definition is compared with, beside the parts.
    pub known: BTreeSet<KnownThen>,
    /// Whether it may pass because of what tests say: not all that it runs only looks or builds.
    pub rests_on_tests: bool,
    /// Whether a limit was reached, so that more files may count than are here.
    pub is_cut: bool,
}

impl GateDefinition {
    /// Takes in what defines another command of the same gate.
    pub fn join(&mut self, other: Self) {
        for (key, part) in other.parts {
            self.parts.entry(key).or_insert(part);
        }
        for (key, part) in other.earlier {
            self.earlier.entry(key).or_insert(part);
        }
        self.known.extend(other.known);
        self.rests_on_tests |= other.rests_on_tests;
        self.is_cut |= other.is_cut;
    }

    /// Takes note of the parts that an earlier definition of the same command had.
    pub fn recall(&mut self, before: &Self) {
        for (key, part) in before.parts.iter().chain(&before.earlier) {
            if !self.parts.contains_key(key) {
                self.earlier.entry(key.clone()).or_insert_with(|| part.clone());
            }
        }
        self.known.extend(before.known.iter().cloned());
    }

    /// Makes a part what it was before it came into doubt; nothing where it was not there.
    pub fn put_back(&mut self, key: PartKey, role: PartRole, was: Option<Hash>) {
        let known = self.earlier.remove(&key);
        let Some(hash) = was else {
            self.parts.remove(&key);
            return;
        };
        let fresh = || known.unwrap_or_else(|| DefinedPart::new(role, hash));
        let part = self.parts.entry(key).or_insert_with(fresh);
        // Only the text is remembered, so how much it asked for is unknown.
        (part.hash, part.level) = (hash, None);
    }
}
