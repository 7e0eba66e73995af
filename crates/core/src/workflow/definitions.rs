use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::javascript::array_index;
use super::{Definition, OrderEntry, Phase, Show};

/// All workflows by key, in the iteration order of the original.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(String, Definition)>", into = "Vec<(String, Definition)>")]
pub struct Definitions {
    known: BTreeMap<String, Definition>,
    /// Keys that look like array indexes in ascending order, then the others in insertion order.
    order: Vec<String>,
}

impl From<Vec<(String, Definition)>> for Definitions {
    fn from(known: Vec<(String, Definition)>) -> Self {
        let mut definitions = Self::default();
        for (key, definition) in known {
            definitions.insert(key, definition);
        }
        definitions
    }
}

impl From<Definitions> for Vec<(String, Definition)> {
    fn from(mut definitions: Definitions) -> Self {
        let known = &mut definitions.known;
        definitions.order.into_iter().filter_map(|key| known.remove_entry(&key)).collect()
    }
}

impl Definitions {
    /// Adds a workflow, or replaces the one with the same key.
    pub fn insert(&mut self, key: String, definition: Definition) {
        if self.known.insert(key.clone(), definition).is_some() {
            return;
        }
        let at = match array_index(&key) {
            None => self.order.len(),
            Some(index) => {
                let before = |other: &String| array_index(other).is_some_and(|known| known < index);
                self.order.iter().take_while(|other| before(other)).count()
            }
        };
        self.order.insert(at, key);
    }

    pub fn remove(&mut self, key: &str) {
        if self.known.remove(key).is_some() {
            self.order.retain(|known| known != key);
        }
    }

    pub fn get(&self, key: &str) -> Option<&Definition> {
        self.known.get(key)
    }

    /// Returns all workflows in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Definition)> {
        self.order.iter().filter_map(|key| Some((key.as_str(), self.known.get(key)?)))
    }

    /// Returns the workflow that a command starts: the first in order with exactly this command.
    pub fn find_command(&self, command: &str) -> Option<(&str, &Definition)> {
        self.iter().find(|(_, definition)| definition.command == command)
    }

    /// Returns the workflows that a person may start.
    pub fn shown(&self) -> impl Iterator<Item = &Definition> {
        self.iter().map(|(_, definition)| definition).filter(|known| known.show == Show::User)
    }

    /// Returns the keys of a workflow and of all that are reachable from it, each once.
    pub fn reached<'d>(&'d self, key: &'d str) -> Vec<&'d str> {
        let mut keys = vec![key];
        let mut seen = BTreeSet::from([key]);
        let mut at = 0;
        while let Some(&key) = keys.get(at) {
            at += 1;
            for entry in self.get(key).map_or(&[][..], |known| &known.phases) {
                match entry {
                    OrderEntry::Workflow(target) if seen.insert(target) => keys.push(target),
                    OrderEntry::Workflow(_) | OrderEntry::Phase(_) => {}
                }
            }
        }
        keys
    }

    /// Returns an entry's name for people; the key for a missing workflow.
    pub fn name_of<'d>(&'d self, entry: &'d OrderEntry) -> &'d str {
        match entry {
            OrderEntry::Phase(phase) => &phase.name,
            OrderEntry::Workflow(key) => self.get(key).map_or(key, |target| &target.name),
        }
    }

    /// Returns the first phase of an entry, following the first entries of other workflows.
    pub fn first_phase<'d>(&'d self, entry: &'d OrderEntry) -> Option<&'d Phase> {
        let mut entry = entry;
        // A chain longer than the number of workflows is a cycle.
        for _ in 0..=self.order.len() {
            match entry {
                OrderEntry::Phase(phase) => return Some(phase),
                OrderEntry::Workflow(key) => entry = self.get(key)?.phases.first()?,
            }
        }
        None
    }
}

impl FromIterator<(String, Definition)> for Definitions {
    fn from_iter<T: IntoIterator<Item = (String, Definition)>>(workflows: T) -> Self {
        let mut all = Self::default();
        for (key, definition) in workflows {
            all.insert(key, definition);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_in_javascript() {
        let keys = ["b", "10", "a", "9", "010"];
        let all: Definitions =
            keys.map(|key| (key.to_owned(), Definition::default())).into_iter().collect();
        let order: Vec<_> = all.iter().map(|(key, _)| key).collect();
        assert_eq!(order, ["9", "10", "b", "a", "010"]);
    }
}
