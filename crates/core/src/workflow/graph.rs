//! References between workflows: cycles, dangling references, duplicate commands.

use std::collections::{BTreeMap, BTreeSet};

use super::{Definitions, OrderEntry};

/// A path from a workflow back to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The keys on the path; the last refers to the first.
    pub keys: Vec<String>,
    /// The index of the entry of the last key that closes the cycle.
    pub entry: usize,
}

impl std::fmt::Display for Cycle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let first = self.keys.first().map_or("", String::as_str);
        let way = self.keys.join(" → ");
        write!(out, "Cycle detected: {way} → {first}. Skipping workflow \"{first}\".")
    }
}

/// A reference to a missing workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// The referring workflow.
    pub key: String,
    /// The missing workflow.
    pub target: String,
    /// The index of the entry.
    pub entry: usize,
}

impl std::fmt::Display for Dangling {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { key, target, .. } = self;
        write!(
            out,
            "Workflow \"{key}\" references non-existent subworkflow \"{target}\". Skipping."
        )
    }
}

/// Maximum number of cycles that are listed: a hostile folder can have millions.
const TOLD: usize = 100;

/// The cycles among workflows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// The first of them.
    pub told: Vec<Cycle>,
    /// The keys on all others.
    pub others: BTreeSet<String>,
}

impl Cycles {
    fn add<'k>(&mut self, keys: impl Iterator<Item = &'k str>, entry: usize) {
        if self.told.len() < TOLD {
            self.told.push(Cycle { keys: keys.map(str::to_owned).collect(), entry });
            return;
        }
        for key in keys {
            if !self.others.contains(key) {
                self.others.insert(key.to_owned());
            }
        }
    }
}

/// The progress of the walk at a workflow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WalkState {
    /// It is on the current path.
    Open,
    /// It and everything below it was visited.
    Seen,
}

/// Returns every cycle that a walk through all workflows closes.
///
/// The walk keeps its own stack and enters each workflow once, so it ends on every graph; the
/// original does not on a→b, b→c, c→[b, a].
pub fn cycles(definitions: &Definitions) -> Cycles {
    let mut found = Cycles::default();
    let mut marks = BTreeMap::new();
    for (start, _) in definitions.iter() {
        if !marks.contains_key(start) {
            walk(definitions, start, &mut marks, &mut found);
        }
    }
    found
}

fn walk<'d>(
    definitions: &'d Definitions,
    start: &'d str,
    marks: &mut BTreeMap<&'d str, WalkState>,
    found: &mut Cycles,
) {
    marks.insert(start, WalkState::Open);
    let mut way = vec![(start, 0)];
    while let Some((key, at)) = way.last_mut() {
        let (key, entry) = (*key, *at);
        *at += 1;
        let phases = definitions.get(key).map_or(&[][..], |known| &known.phases);
        match phases.get(entry) {
            None => {
                marks.insert(key, WalkState::Seen);
                way.pop();
            }
            Some(OrderEntry::Workflow(target)) if definitions.get(target).is_some() => {
                match marks.get(target.as_str()) {
                    Some(WalkState::Seen) => {}
                    Some(WalkState::Open) => {
                        let on = way.iter().map(|(known, _)| *known);
                        found.add(on.skip_while(|known| known != target), entry);
                    }
                    None => {
                        marks.insert(target, WalkState::Open);
                        way.push((target, 0));
                    }
                }
            }
            Some(OrderEntry::Workflow(_) | OrderEntry::Phase(_)) => {}
        }
    }
}

/// Returns the first dangling reference of each workflow that has one.
pub fn dangling(definitions: &Definitions) -> Vec<Dangling> {
    let first = |key: &str, phases: &[OrderEntry]| {
        phases.iter().enumerate().find_map(|(at, entry)| match entry {
            OrderEntry::Workflow(target) if definitions.get(target).is_none() => {
                Some(Dangling { key: key.to_owned(), target: target.clone(), entry: at })
            }
            OrderEntry::Workflow(_) | OrderEntry::Phase(_) => None,
        })
    };
    definitions.iter().filter_map(|(key, known)| first(key, &known.phases)).collect()
}

/// Returns each duplicate command: the keys of the first and the second workflow, and the
/// original's message.
pub fn duplicates(definitions: &Definitions) -> Vec<(String, String, String)> {
    let mut first = BTreeMap::<&str, &str>::new();
    let mut found = Vec::new();
    for (key, known) in definitions.iter().filter(|(_, known)| !known.command.is_empty()) {
        let command = known.command.as_str();
        match first.get(command) {
            None => {
                first.insert(command, key);
            }
            Some(&other) => {
                let text = format!(
                    "Duplicate commandName \"{command}\" in workflows \"{other}\" and \"{key}\". The first one found will be used."
                );
                found.push((other.to_owned(), key.to_owned(), text));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflow::Definition;

    fn graph(edges: &[(&str, Vec<&str>)]) -> Definitions {
        let to = |target: &&str| OrderEntry::Workflow((*target).to_owned());
        let one = |(key, targets): &(&str, Vec<&str>)| {
            let phases = targets.iter().map(to).collect();
            ((*key).to_owned(), Definition { phases, ..Definition::default() })
        };
        edges.iter().map(one).collect()
    }

    #[test]
    fn more_cycles_than_anybody_reads_are_not_told_but_found() {
        let cycles = cycles(&graph(&[("a", vec!["a"; 5000]), ("b", vec!["b"])]));
        assert_eq!(cycles.told.len(), TOLD);
        assert_eq!(cycles.others, ["a", "b"].map(str::to_owned).into());
    }

    #[test]
    fn the_graph_that_hangs_the_original_ends_with_both_cycles() {
        let definitions = graph(&[("a", vec!["b"]), ("b", vec!["c"]), ("c", vec!["b", "a"])]);
        let said: Vec<_> = cycles(&definitions).told.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "Cycle detected: b → c → b. Skipping workflow \"b\".",
                "Cycle detected: a → b → c → a. Skipping workflow \"a\".",
            ]
        );
    }
}
