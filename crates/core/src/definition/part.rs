use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ScriptLines;
use crate::{Glob, Hash};

/// Separates a path from a part: neither contains a control character.
const BETWEEN: char = '\n';

/// The key of a part: a path below the project's root, or `path#part` if only that part counts.
///
/// A path may itself contain a `#`, so the two are stored separately.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartKey(String);

impl PartKey {
    pub fn file(path: &str) -> Self {
        Self(path.to_owned())
    }

    pub fn part(path: &str, part: &str) -> Self {
        Self(format!("{path}{BETWEEN}{part}"))
    }

    pub fn path(&self) -> &str {
        self.0.split_once('\n').map_or(&self.0, |(path, _)| path)
    }

    /// Returns the part of the file; `None` if the whole file counts.
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
    /// A file of the project that the command runs.
    Script,
    /// A program inside the project, even an ignored one.
    Program,
}

/// A fact about the project, stored with a definition for comparison with a later one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KnownThen {
    /// This folder was a member of the workspace.
    Member(String),
    /// There were tests in or below this folder; `""` is the root.
    Tests(String),
    /// This file is a test, or data that the command compares with, although neither its name nor git
    /// shows it.
    CountsAsTest(String),
    /// A `conftest.py` had a fixture of this name.
    Fixture(String),
    /// This target, given by its file, existed without being declared.
    Target(PartKey),
    /// A program or module of this name was found outside the project.
    Elsewhere(String),
    /// This folder of programs did not exist: nothing was installed yet.
    Missing(String),
    /// A command names its tests by these paths and patterns.
    Names(NamedTests),
}

/// The paths and patterns by which a command names tests, below the project's root.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedTests {
    /// Files, folders and patterns that it runs; `""` is the root.
    pub runs: BTreeSet<String>,
    /// Those that it leaves out.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub leaves_out: BTreeSet<String>,
}

impl NamedTests {
    /// Returns whether the command runs this test.
    pub fn has(&self, test: &str) -> bool {
        let is_in = |names: &BTreeSet<String>| names.iter().any(|name| covers(name, test));
        is_in(&self.runs) && !is_in(&self.leaves_out)
    }
}

/// Returns whether a file, a folder or a pattern stands for a path.
fn covers(name: &str, path: &str) -> bool {
    let is_below = path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    let matches = || Glob::parse(name).is_ok_and(|glob| glob.matches(path.as_bytes()));
    name.is_empty() || name == path || is_below || name.contains(['*', '?', '[', '{']) && matches()
}

/// How to judge a part that only the later definition has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhenNew {
    /// It may change the verdict.
    Doubted,
    /// It adds something to be judged and removes nothing.
    Free,
    /// It is doubted if this fact was known earlier, and free otherwise.
    DoubtedIf(KnownThen),
    /// It is doubted if both facts were known earlier, and free otherwise.
    DoubtedIfBoth(KnownThen, KnownThen),
    /// It is doubted if its file is new as well, which only the reader of the files knows.
    WithFile,
    /// It runs inside its caller, as a sourced file does. It may change what an unchanged caller
    /// does after it.
    InCaller,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinedPart {
    /// The role of the part in the gate.
    pub role: PartRole,
    /// The hash of this part alone.
    pub hash: Hash,
    /// How to judge the part if only the later definition has it.
    pub when_new: WhenNew,
    /// The parts that lead to this one; empty if the command itself does.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub via: BTreeSet<PartKey>,
    /// The name under which a program or module was invoked.
    pub program: Option<String>,
    /// The lock files that belong to a program, with their hashes: it may change with one of them.
    pub locks: BTreeMap<String, Hash>,
    /// Whether a lock file is newer than the program, so that an installation replaces the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_stale: bool,
    /// How much a setting asks for, if known; a part that asks for nothing has 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// The lines of a shell script, if they can be told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<ScriptLines>,
}

impl DefinedPart {
    /// Creates a part that the command itself leads to and whose arrival is doubted.
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
            lines: None,
        }
    }
}

/// Everything that defines a gate's command, for one state of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateDefinition {
    pub parts: BTreeMap<PartKey, DefinedPart>,
    /// Parts that an earlier definition of the same command had: such a part is not new when it
    /// returns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub earlier: BTreeMap<PartKey, DefinedPart>,
    /// Facts, besides the parts, that a later definition is compared with.
    pub known: BTreeSet<KnownThen>,
    /// Whether its verdict may depend on tests: it runs more than inspections and builds.
    pub rests_on_tests: bool,
    /// Whether a limit was reached, so more files may count than are listed.
    pub is_cut: bool,
}

impl GateDefinition {
    /// Merges the definition of another command of the same gate.
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

    /// Returns the files that count as tests although neither their names nor git show it.
    pub fn counted_as_tests(&self) -> impl Iterator<Item = &str> {
        self.known.iter().filter_map(|fact| match fact {
            KnownThen::CountsAsTest(path) => Some(path.as_str()),
            KnownThen::Member(_)
            | KnownThen::Tests(_)
            | KnownThen::Fixture(_)
            | KnownThen::Target(_)
            | KnownThen::Elsewhere(_)
            | KnownThen::Missing(_)
            | KnownThen::Names(_) => None,
        })
    }

    /// Returns whether every command that names one test also names another one.
    pub fn names_as_well(&self, test: &str, other: &str) -> bool {
        self.known.iter().all(|fact| match fact {
            KnownThen::Names(named) => !named.has(test) || named.has(other),
            KnownThen::Member(_)
            | KnownThen::Tests(_)
            | KnownThen::CountsAsTest(_)
            | KnownThen::Fixture(_)
            | KnownThen::Target(_)
            | KnownThen::Elsewhere(_)
            | KnownThen::Missing(_) => true,
        })
    }

    /// Records the parts that an earlier definition of the same command had.
    pub fn recall(&mut self, before: &Self) {
        for (key, part) in before.parts.iter().chain(&before.earlier) {
            if !self.parts.contains_key(key) {
                self.earlier.entry(key.clone()).or_insert_with(|| part.clone());
            }
        }
        self.known.extend(before.known.iter().cloned());
    }

    /// Restores a part to its state before it came into doubt; removes it if it did not exist.
    pub fn put_back(&mut self, key: PartKey, role: PartRole, was: Option<Hash>) {
        let known = self.earlier.remove(&key);
        let Some(hash) = was else {
            self.parts.remove(&key);
            return;
        };
        let fresh = || known.unwrap_or_else(|| DefinedPart::new(role, hash));
        let part = self.parts.entry(key).or_insert_with(fresh);
        // Only the hash is known, so the level is not.
        if part.hash != hash {
            (part.hash, part.level, part.lines) = (hash, None, None);
        }
    }
}
