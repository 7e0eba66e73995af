//! How workflows refer to each other: cycles, references to nothing, commands that stand twice.

use std::collections::BTreeMap;

use super::{Definitions, Entry};

/// A way from a workflow back to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The keys on the way; the last refers to the first.
    pub keys: Vec<String>,
    /// Which entry of the last key closes the circle.
    pub entry: usize,
}

impl std::fmt::Display for Cycle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let first = self.keys.first().map_or("", String::as_str);
        let way = self.keys.join(" → ");
        write!(out, "Cycle detected: {way} → {first}. Skipping workflow \"{first}\".")
    }
}

/// A reference to a workflow that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// Whose reference it is.
    pub key: String,
    /// What it refers to.
    pub target: String,
    /// Which entry it is.
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

/// How far the walk has come with a workflow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// It is on the way.
    Open,
    /// It and everything below it was seen.
    Seen,
}

/// Returns every cycle that a walk through all workflows closes.
///
/// The walk keeps its own stack and enters each workflow once, so it ends on every graph; the
/// original does not on a→b, b→c, c→[b, a].
pub fn cycles(definitions: &Definitions) -> Vec<Cycle> {
    let mut found = Vec::new();
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
    marks: &mut BTreeMap<&'d str, Mark>,
    found: &mut Vec<Cycle>,
) {
    marks.insert(start, Mark::Open);
    let mut way = vec![(start, 0)];
    while let Some((key, at)) = way.last_mut() {
        let (key, entry) = (*key, *at);
        *at += 1;
        let phases = definitions.get(key).map_or(&[][..], |known| &known.phases);
        match phases.get(entry) {
            None => {
                marks.insert(key, Mark::Seen);
                way.pop();
            }
            Some(Entry::Workflow(target)) if definitions.get(target).is_some() => {
                match marks.get(target.as_str()) {
                    Some(Mark::Seen) => {}
                    Some(Mark::Open) => {
                        let on = way.iter().map(|(known, _)| *known);
                        let keys = on.skip_while(|known| known != target).map(str::to_owned);
                        found.push(Cycle { keys: keys.collect(), entry });
                    }
                    None => {
                        marks.insert(target, Mark::Open);
                        way.push((target, 0));
                    }
                }
            }
            Some(Entry::Workflow(_) | Entry::Phase(_)) => {}
        }
    }
}

/// Returns the first dangling reference of each workflow that has one.
pub fn dangling(definitions: &Definitions) -> Vec<Dangling> {
    let first = |key: &str, phases: &[Entry]| {
        phases.iter().enumerate().find_map(|(at, entry)| match entry {
            Entry::Workflow(target) if definitions.get(target).is_none() => {
                Some(Dangling { key: key.to_owned(), target: target.clone(), entry: at })
            }
            Entry::Workflow(_) | Entry::Phase(_) => None,
        })
    };
    definitions.iter().filter_map(|(key, known)| first(key, &known.phases)).collect()
}

/// Returns each command that a second workflow has too: the key of the first, of the second, and
/// the original's words.
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

    #[test]
    fn the_graph_that_hangs_the_original_ends_with_both_cycles() {
        let graph = [("a", vec!["b"]), ("b", vec!["c"]), ("c", vec!["b", "a"])];
        let definitions: Definitions = graph
            .into_iter()
            .map(|(key, targets)| {
                let phases =
                    targets.into_iter().map(|target| Entry::Workflow(target.to_owned())).collect();
                (key.to_owned(), Definition { phases, ..Definition::default() })
            })
            .collect();
        let said: Vec<_> = cycles(&definitions).iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "Cycle detected: b → c → b. Skipping workflow \"b\".",
                "Cycle detected: a → b → c → a. Skipping workflow \"a\".",
            ]
        );
    }
}
