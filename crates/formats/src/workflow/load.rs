//! Reads every workflow of every tier, and keeps those that can be used.

use std::collections::BTreeMap;

use sprag_core::workflow::Definitions;
use sprag_core::workflow::draft::Part;
use sprag_core::workflow::graph::{cycles, dangling, duplicates};

use super::file::{self, File};
use super::problem::{Problem, Report, Weight};
use super::tier::Tier;

/// The workflows that can be used, and everything wrong with all that were found.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The workflows.
    pub definitions: Definitions,
    /// The problems, in the order in which they were found.
    pub problems: Vec<Problem>,
}

/// Workflows that are valid each for itself.
#[derive(Debug, Default)]
pub struct Read {
    /// The workflows.
    pub definitions: Definitions,
    /// The problems found so far.
    pub problems: Vec<Problem>,
    files: BTreeMap<String, File>,
}

/// Reads the workflows of all tiers, lowest first; one of a higher tier takes the place of one
/// with the same key.
pub fn read(tiers: &[Tier]) -> Read {
    let mut read = Read::default();
    for tier in tiers {
        for key in tier.keys() {
            let mut report = Report::default();
            let file = file::read(tier, key, &mut report);
            read.problems.append(&mut report.problems);
            // One that cannot be read does not hide the one below it.
            if let Some(file) = file {
                read.definitions.insert(key.to_owned(), file.draft.clone().finish());
                read.files.insert(key.to_owned(), file);
            }
        }
    }
    let keys: Vec<_> = read.definitions.iter().map(|(key, _)| key.to_owned()).collect();
    for key in keys {
        let Some(file) = read.files.get(&key) else { continue };
        let found = file.draft.validate(&key);
        if !found.is_empty() {
            let mut report = Report::default();
            file.complain(&key, &found, &mut report);
            read.problems.append(&mut report.problems);
            read.definitions.remove(&key);
        }
    }
    read
}

/// Reads the workflows of all tiers and takes out those that refer to themselves or to nothing.
pub fn load(tiers: &[Tier]) -> Loaded {
    let mut read = read(tiers);
    read.drop_cycles();
    // What refers to a workflow taken out refers to nothing, and so on.
    while read.drop_dangling() {}
    read.warn_duplicates();
    Loaded { definitions: read.definitions, problems: read.problems }
}

impl Read {
    /// Takes out every workflow that is part of a cycle.
    pub fn drop_cycles(&mut self) {
        for cycle in cycles(&self.definitions) {
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
        let (path, place) = file.place_of(part);
        self.problems.push(Problem { file: path.to_owned(), place, text, weight });
    }
}
