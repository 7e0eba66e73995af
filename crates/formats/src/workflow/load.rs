//! Reads workflows from several tiers, and keeps the valid ones.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::Hash;
use sprag_core::workflow::draft::{Invalid, WorkflowPart};
use sprag_core::workflow::graph::{cycles, dangling, duplicates};
use sprag_core::workflow::{Definition, Definitions};

use super::file::{self, File};
use super::problem::{Problem, ProblemList, ProblemPosition, Weight};
use super::source::WorkflowSource;
use super::tier::Folder;

/// The valid workflows, and the problems of all workflows that were found.
#[derive(Debug, Default)]
pub struct Loaded {
    pub definitions: Definitions,
    /// The source of each workflow.
    pub sources: BTreeMap<String, WorkflowSource>,
    /// The problems, in the order in which they were found.
    pub problems: Vec<Problem>,
}

/// Workflows that are valid individually, before their references are checked.
#[derive(Debug, Default)]
pub struct ReadWorkflows<'t> {
    pub definitions: Definitions,
    /// The problems found so far.
    pub problems: Vec<Problem>,
    files: BTreeMap<String, File<'t>>,
}

/// Some workflows of one tier, each read on its own. Reading takes most of the time, and several
/// shares can be read in parallel.
#[derive(Debug, Default)]
pub struct Share<'t> {
    found: Vec<ValidatedWorkflow<'t>>,
    problems: Vec<Problem>,
}

/// A workflow with the result of its validation.
#[derive(Debug)]
struct ValidatedWorkflow<'t> {
    key: String,
    file: File<'t>,
    checked: Result<Definition, Vec<Invalid>>,
}

/// Reads the workflows of a tier with these keys.
pub fn read_share<'t>(tier: &'t dyn Folder, keys: &Result<Vec<String>, String>) -> Share<'t> {
    let mut share = Share::default();
    match keys {
        Ok(keys) => {
            for key in keys {
                share.take(tier, key);
            }
        }
        Err(why) => {
            let text = format!("cannot list the workflows in it: {why}");
            share.problems.push(ProblemPosition::top(tier.path()).problem(Weight::Rejects, text));
        }
    }
    share
}

/// Reads the workflows of all tiers, lowest first. A workflow of a higher tier replaces one with
/// the same key.
pub fn read<F: Folder>(tiers: &[F]) -> ReadWorkflows<'_> {
    ReadWorkflows::of(tiers.iter().map(|tier| read_share(tier, &tier.keys())))
}

/// Reads the workflows of all tiers and removes those in reference cycles or with dangling
/// references.
pub fn load<F: Folder>(tiers: &[F]) -> Loaded {
    read(tiers).into_loaded()
}

/// Like [`load`], with shares that were already read, lowest tier first.
pub fn load_shares<'t>(shares: impl IntoIterator<Item = Share<'t>>) -> Loaded {
    ReadWorkflows::of(shares).into_loaded()
}

/// Reads one workflow and those that it refers to, but no others.
pub fn load_one<F: Folder>(tiers: &[F], key: &str) -> Loaded {
    let mut share = Share::default();
    let mut wanted = vec![key.to_owned()];
    let mut seen = BTreeSet::from([key.to_owned()]);
    while let Some(key) = wanted.pop() {
        // The highest tier with a readable workflow wins.
        let read = tiers.iter().rev().any(|tier| tier.has(&key) && share.take(tier, &key));
        if let Some(found) = share.found.last().filter(|_| read) {
            let targets = found.file.targets.iter().filter(|target| seen.insert((*target).clone()));
            wanted.extend(targets.cloned());
        }
    }
    load_shares([share])
}

impl Loaded {
    /// A digest of a workflow's files and those of all workflows that it refers to.
    pub fn digest(&self, key: &str) -> Option<Hash> {
        let mut digests = String::new();
        let mut keys = self.definitions.reached(key);
        keys.sort_unstable();
        for key in keys {
            digests.push_str(&self.sources.get(key)?.own.to_string());
        }
        Some(Hash::of(digests))
    }

    /// The files of a workflow and of all workflows that it refers to.
    pub fn files(&self, key: &str) -> Vec<&str> {
        let reached = self.definitions.reached(key);
        let sources = reached.into_iter().filter_map(|key| self.sources.get(key));
        sources.flat_map(|source| source.files.iter().map(String::as_str)).collect()
    }
}

impl<'t> Share<'t> {
    /// Reads a workflow of a tier. Returns whether there is a readable one.
    fn take(&mut self, tier: &'t dyn Folder, key: &str) -> bool {
        let mut report = ProblemList::default();
        let read = file::read(tier, key, &mut report);
        self.problems.append(&mut report.problems);
        let Some((file, draft)) = read else { return false };
        let invalid = draft.validate(key);
        let checked = if invalid.is_empty() { Ok(draft.finish()) } else { Err(invalid) };
        self.found.push(ValidatedWorkflow { key: key.to_owned(), file, checked });
        true
    }
}

impl<'t> ReadWorkflows<'t> {
    fn of(shares: impl IntoIterator<Item = Share<'t>>) -> Self {
        let (mut read, mut invalid) = (Self::default(), BTreeMap::new());
        for mut share in shares {
            read.problems.append(&mut share.problems);
            // An unreadable workflow does not hide the one in a lower tier.
            for ValidatedWorkflow { key, file, checked } in share.found {
                invalid.remove(&key);
                let definition = checked.unwrap_or_else(|found| {
                    invalid.insert(key.clone(), found);
                    // A placeholder, to keep its position in the order until all are read.
                    Definition::default()
                });
                read.definitions.insert(key.clone(), definition);
                read.files.insert(key, file);
            }
        }
        read.drop_invalid(&invalid);
        read
    }

    /// Removes every workflow that is invalid by itself.
    fn drop_invalid(&mut self, invalid: &BTreeMap<String, Vec<Invalid>>) {
        let wrong = |(key, _): (&str, &Definition)| Some((key.to_owned(), invalid.get(key)?));
        let wrong: Vec<_> = self.definitions.iter().filter_map(wrong).collect();
        for (key, found) in wrong {
            let Some(file) = self.files.get(&key) else { continue };
            let mut report = ProblemList::default();
            file.complain(&key, found, &mut report);
            self.problems.append(&mut report.problems);
            self.definitions.remove(&key);
        }
    }

    /// Removes every workflow in a cycle.
    pub fn drop_cycles(&mut self) {
        let found = cycles(&self.definitions);
        if let Some(first) = found.others.first() {
            let text = format!("{} more workflows are part of cycles", found.others.len());
            self.say(first, WorkflowPart::Key("phases"), Weight::Rejects, text);
        }
        for key in &found.others {
            self.definitions.remove(key);
        }
        for cycle in found.told {
            let last = cycle.keys.last().cloned().unwrap_or_default();
            self.say(&last, WorkflowPart::Entry(cycle.entry), Weight::Rejects, cycle.to_string());
            for key in &cycle.keys {
                self.definitions.remove(key);
            }
        }
    }

    /// Removes every workflow with a dangling reference. Returns whether there was one.
    pub fn drop_dangling(&mut self) -> bool {
        let found = dangling(&self.definitions);
        for reference in &found {
            let part = WorkflowPart::Entry(reference.entry);
            self.say(&reference.key, part, Weight::Rejects, reference.to_string());
            self.definitions.remove(&reference.key);
        }
        !found.is_empty()
    }

    /// Warns about command names that another workflow also has.
    pub fn warn_duplicates(&mut self) {
        for (_, second, text) in duplicates(&self.definitions) {
            self.say(&second, WorkflowPart::Key("commandName"), Weight::Warns, text);
        }
    }

    fn say(&mut self, key: &str, part: WorkflowPart, weight: Weight, text: String) {
        let Some(file) = self.files.get(key) else { return };
        self.problems.push(file.spot_of(part).problem(weight, text));
    }

    fn into_loaded(mut self) -> Loaded {
        self.drop_cycles();
        // Each removal may leave further references dangling.
        while self.drop_dangling() {}
        self.warn_duplicates();
        let Self { definitions, problems, files } = self;
        let used = files.into_iter().filter(|(key, _)| definitions.get(key).is_some());
        let sources = used.map(|(key, file)| (key, file.into_source())).collect();
        Loaded { definitions, sources, problems }
    }
}
