//! Reads workflows of several tiers, and keeps those that can be used.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::Hash;
use sprag_core::workflow::draft::{Invalid, Part};
use sprag_core::workflow::graph::{cycles, dangling, duplicates};
use sprag_core::workflow::{Definition, Definitions};

use super::file::{self, File};
use super::problem::{Problem, Report, Spot, Weight};
use super::source::Source;
use super::tier::Folder;

/// The workflows that can be used, and everything wrong with all that were found.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The workflows.
    pub definitions: Definitions,
    /// Where each of them was read from.
    pub sources: BTreeMap<String, Source>,
    /// The problems, in the order in which they were found.
    pub problems: Vec<Problem>,
}

/// Workflows that are valid each for itself.
#[derive(Debug, Default)]
pub struct Read<'t> {
    /// The workflows.
    pub definitions: Definitions,
    /// The problems found so far.
    pub problems: Vec<Problem>,
    files: BTreeMap<String, File<'t>>,
}

/// Some workflows of one tier, each read for itself. Reading is what takes long, and shares can be
/// read at the same time.
#[derive(Debug, Default)]
pub struct Share<'t> {
    found: Vec<Found<'t>>,
    problems: Vec<Problem>,
}

/// A workflow and what came of its validation.
#[derive(Debug)]
struct Found<'t> {
    key: String,
    file: File<'t>,
    checked: Result<Definition, Vec<Invalid>>,
}

/// Reads the workflows of a tier that have these keys.
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
            share.problems.push(Spot::top(tier.path()).problem(Weight::Rejects, text));
        }
    }
    share
}

/// Reads the workflows of all tiers, lowest first; one of a higher tier takes the place of one
/// with the same key.
pub fn read<F: Folder>(tiers: &[F]) -> Read<'_> {
    Read::of(tiers.iter().map(|tier| read_share(tier, &tier.keys())))
}

/// Reads the workflows of all tiers and takes out those that refer to themselves or to nothing.
pub fn load<F: Folder>(tiers: &[F]) -> Loaded {
    read(tiers).into_loaded()
}

/// Does the same with workflows that were read before, lowest tier first.
pub fn load_shares<'t>(shares: impl IntoIterator<Item = Share<'t>>) -> Loaded {
    Read::of(shares).into_loaded()
}

/// Reads one workflow and those that it refers to, and no others, however many there are.
pub fn load_one<F: Folder>(tiers: &[F], key: &str) -> Loaded {
    let mut share = Share::default();
    let mut wanted = vec![key.to_owned()];
    let mut seen = BTreeSet::from([key.to_owned()]);
    while let Some(key) = wanted.pop() {
        // The highest that can be read is the one.
        let read = tiers.iter().rev().any(|tier| tier.has(&key) && share.take(tier, &key));
        if let Some(found) = share.found.last().filter(|_| read) {
            let targets = found.file.targets.iter().filter(|target| seen.insert((*target).clone()));
            wanted.extend(targets.cloned());
        }
    }
    load_shares([share])
}

impl Loaded {
    /// Returns what stands for a workflow: for its files and those of all it refers to.
    pub fn digest(&self, key: &str) -> Option<Hash> {
        let mut digests = String::new();
        let mut keys = self.definitions.reached(key);
        keys.sort_unstable();
        for key in keys {
            digests.push_str(&self.sources.get(key)?.own.to_string());
        }
        Some(Hash::of(digests))
    }

    /// Returns the files of a workflow and of all it refers to.
    pub fn files(&self, key: &str) -> Vec<&str> {
        let reached = self.definitions.reached(key);
        let sources = reached.into_iter().filter_map(|key| self.sources.get(key));
        sources.flat_map(|source| source.files.iter().map(String::as_str)).collect()
    }
}

impl<'t> Share<'t> {
    /// Reads a workflow of a tier; says whether there is one that can be read.
    fn take(&mut self, tier: &'t dyn Folder, key: &str) -> bool {
        let mut report = Report::default();
        let read = file::read(tier, key, &mut report);
        self.problems.append(&mut report.problems);
        let Some((file, draft)) = read else { return false };
        let invalid = draft.validate(key);
        let checked = if invalid.is_empty() { Ok(draft.finish()) } else { Err(invalid) };
        self.found.push(Found { key: key.to_owned(), file, checked });
        true
    }
}

impl<'t> Read<'t> {
    fn of(shares: impl IntoIterator<Item = Share<'t>>) -> Self {
        let (mut read, mut invalid) = (Self::default(), BTreeMap::new());
        for mut share in shares {
            read.problems.append(&mut share.problems);
            // One that could not be read does not hide the one below it.
            for Found { key, file, checked } in share.found {
                invalid.remove(&key);
                let definition = checked.unwrap_or_else(|found| {
                    invalid.insert(key.clone(), found);
                    // Keeps its place in the order until all are read.
                    Definition::default()
                });
                read.definitions.insert(key.clone(), definition);
                read.files.insert(key, file);
            }
        }
        read.drop_invalid(&invalid);
        read
    }

    /// Takes out every workflow that is wrong in itself.
    fn drop_invalid(&mut self, invalid: &BTreeMap<String, Vec<Invalid>>) {
        let wrong = |(key, _): (&str, &Definition)| Some((key.to_owned(), invalid.get(key)?));
        let wrong: Vec<_> = self.definitions.iter().filter_map(wrong).collect();
        for (key, found) in wrong {
            let Some(file) = self.files.get(&key) else { continue };
            let mut report = Report::default();
            file.complain(&key, found, &mut report);
            self.problems.append(&mut report.problems);
            self.definitions.remove(&key);
        }
    }

    /// Takes out every workflow that is part of a cycle.
    pub fn drop_cycles(&mut self) {
        let found = cycles(&self.definitions);
        if let Some(first) = found.others.first() {
            let text = format!("{} more workflows are part of cycles", found.others.len());
            self.say(first, Part::Key("phases"), Weight::Rejects, text);
        }
        for key in &found.others {
            self.definitions.remove(key);
        }
        for cycle in found.told {
            let last = cycle.keys.last().cloned().unwrap_or_default();
            self.say(&last, Part::Entry(cycle.entry), Weight::Rejects, cycle.to_string());
            for key in &cycle.keys {
                self.definitions.remove(key);
            }
        }
    }

    /// Takes out every workflow that refers to one that is not there; says whether there was one.
    pub fn drop_dangling(&mut self) -> bool {
        let found = dangling(&self.definitions);
        for reference in &found {
            let part = Part::Entry(reference.entry);
            self.say(&reference.key, part, Weight::Rejects, reference.to_string());
            self.definitions.remove(&reference.key);
        }
        !found.is_empty()
    }

    /// Warns about commands that start another workflow than the one they stand in.
    pub fn warn_duplicates(&mut self) {
        for (_, second, text) in duplicates(&self.definitions) {
            self.say(&second, Part::Key("commandName"), Weight::Warns, text);
        }
    }

    fn say(&mut self, key: &str, part: Part, weight: Weight, text: String) {
        let Some(file) = self.files.get(key) else { return };
        self.problems.push(file.spot_of(part).problem(weight, text));
    }

    fn into_loaded(mut self) -> Loaded {
        self.drop_cycles();
        // What refers to a workflow taken out refers to nothing, and so on.
        while self.drop_dangling() {}
        self.warn_duplicates();
        let Self { definitions, problems, files } = self;
        let used = files.into_iter().filter(|(key, _)| definitions.get(key).is_some());
        let sources = used.map(|(key, file)| (key, file.into_source())).collect();
        Loaded { definitions, sources, problems }
    }
}
