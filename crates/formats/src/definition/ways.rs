//! Records every way to a part, because a command that is called twice is followed only once.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::definition::{DefinedPart, PartKey};

/// The most ways that are recorded.
const MOST: usize = 20_000;

/// The part that leads to a command; `None` for the gate's own command.
type Via = Option<PartKey>;

/// The ways to commands and to parts.
#[derive(Debug, Default)]
pub(super) struct Ways {
    current: usize,
    via: Via,
    /// The ways by which each command is called.
    calls: BTreeMap<usize, BTreeSet<Via>>,
    /// The commands that a command calls, independent of its own caller.
    passes: BTreeMap<usize, BTreeSet<usize>>,
    /// The parts that a command finds, independent of its own caller.
    finds: BTreeMap<usize, BTreeSet<PartKey>>,
    /// Other ways to a part.
    more: BTreeSet<(PartKey, Via)>,
}

impl Ways {
    /// Records that a command is being followed.
    pub(super) fn begin(&mut self, id: usize, via: Option<&PartKey>) {
        (self.current, self.via) = (id, via.cloned());
    }

    /// Records that the current command calls another one.
    pub(super) fn called(&mut self, id: usize, via: Option<&PartKey>) {
        self.calls.entry(id).or_default().insert(via.cloned());
        if via == self.via.as_ref() {
            self.passes.entry(self.current).or_default().insert(id);
        }
    }

    /// Records that the current command leads to a part.
    pub(super) fn found(&mut self, key: &PartKey, via: &BTreeSet<PartKey>) {
        let via = via.first().cloned();
        if via == self.via {
            self.finds.entry(self.current).or_default().insert(key.clone());
        } else if self.more.len() < MOST {
            self.more.insert((key.clone(), via));
        }
    }

    /// Adds all ways to the parts. A part that the gate's own command leads to needs no other way.
    pub(super) fn complete(mut self, parts: &mut BTreeMap<PartKey, DefinedPart>) {
        let mut open: Vec<(usize, Via)> = self
            .calls
            .iter()
            .flat_map(|(id, vias)| vias.iter().map(|via| (*id, via.clone())))
            .collect();
        let mut seen: BTreeSet<(usize, Via)> = open.iter().cloned().collect();
        while let Some((id, via)) = open.pop() {
            for key in self.finds.get(&id).into_iter().flatten() {
                self.more.insert((key.clone(), via.clone()));
            }
            for next in self.passes.get(&id).into_iter().flatten() {
                if seen.len() < MOST && seen.insert((*next, via.clone())) {
                    open.push((*next, via.clone()));
                }
            }
        }
        let is_direct = |key: &PartKey| self.more.contains(&(key.clone(), None));
        for (key, part) in parts.iter_mut() {
            if is_direct(key) {
                part.via.clear();
                continue;
            }
            let from = (key.clone(), None);
            let own = self.more.range(from..).take_while(|(other, _)| other == key);
            part.via.extend(own.filter_map(|(_, via)| via.clone()).filter(|via| via != key));
        }
    }
}
