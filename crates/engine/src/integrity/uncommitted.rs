//! Tracks the uncommitted files that agents left: another agent that changes them destroys nothing
//! of a person's.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprag_core::Hash;
use sprag_store::View;

use super::{Baseline, Turns, texts};
use crate::draft::Draft;
use crate::edits::{LeftFile, RunBaseline};
use crate::engine::{Engine, EngineError};
use crate::now::Now;

const VERSION: u32 = 1;

/// The uncommitted files of a worktree as agents left them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgentsUncommitted {
    v: u32,
    files: BTreeMap<String, LeftFile>,
}

impl AgentsUncommitted {
    /// Returns the agents' uncommitted files here; empty if unknown.
    pub(crate) fn read(view: &View<'_>, engine: &Engine<'_>) -> Result<Self, EngineError> {
        Ok(Turns::read(view)?.agents_uncommitted(engine))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &LeftFile)> {
        self.files.iter()
    }

    /// Adds the files that an agent left in its turn. `persons` returns a person's lines in a file
    /// that was uncommitted when the turn began, if they are known.
    fn after(
        &self,
        found: &Baseline,
        left: &Baseline,
        persons: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let (Some(before), Some(after)) = (&found.uncommitted, &left.uncommitted) else {
            return Self::default();
        };
        let file = |(path, hash): (&String, &Hash)| {
            let known = self.files.get(path);
            let persons = match before.get(path) {
                None => Some(String::new()),
                Some(then) => match known.filter(|known| known.hash == *then) {
                    Some(known) => Some(known.persons.clone()),
                    None if then == hash => None,
                    None => persons(path),
                },
            };
            Some((path.clone(), LeftFile { hash: *hash, persons: persons? }))
        };
        Self { v: VERSION, files: after.iter().filter_map(file).collect() }
    }
}

impl RunBaseline {
    /// Records what the run finds in the event that starts it.
    pub(crate) fn note(
        view: &View<'_>,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let tree = now.tree()?.hash();
        let mut edits = now.persons_edits().clone();
        let agents = AgentsUncommitted::read(view, now.engine)?;
        edits.leave_out(agents.iter(), &now.engine.place.root);
        draft.begins_with(|started| {
            // A later tree is compared with this one to see whether the run changed anything.
            started.tree = Some(tree);
            edits.note(started);
        });
        Ok(())
    }
}

impl Turns {
    /// Returns the agents' uncommitted files here; empty if unknown.
    pub(crate) fn agents_uncommitted(&self, engine: &Engine<'_>) -> AgentsUncommitted {
        let name = self.uncommitted.get(engine.worktree());
        let text = name.and_then(|name| texts::kept(engine.place, *name));
        let read = text.and_then(|text| serde_json::from_slice::<AgentsUncommitted>(&text).ok());
        read.filter(|read| read.v <= VERSION).unwrap_or_default()
    }

    /// Records the uncommitted files that the agent of a judged turn leaves.
    pub(crate) fn note_left(
        &mut self,
        engine: &Engine<'_>,
        found: &Baseline,
        left: &Baseline,
        persons: impl Fn(&str) -> Option<String>,
    ) {
        let known = self.agents_uncommitted(engine);
        let now = known.after(found, left, persons);
        let worktree = engine.worktree().to_owned();
        let text = serde_json::to_vec(&now).ok().filter(|_| !now.files.is_empty());
        match text.and_then(|text| texts::keep(engine.place, &text)) {
            Some(name) => drop(self.uncommitted.insert(worktree, name)),
            None => drop(self.uncommitted.remove(&worktree)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(files: &[(&str, &str)]) -> Baseline {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Hash::of(text)));
        let mut taken = Baseline::default();
        taken.uncommitted = Some(files.collect());
        taken
    }

    fn left(
        known: &AgentsUncommitted,
        found: &[(&str, &str)],
        left: &[(&str, &str)],
    ) -> AgentsUncommitted {
        known.after(&with(found), &with(left), |path| (path == "ours.rs").then(|| "1".to_owned()))
    }

    #[test]
    fn what_an_agent_wrote_is_its_own_and_what_a_person_wrote_stays_theirs() {
        let none = AgentsUncommitted::default();
        let found = [("theirs.rs", "mine"), ("ours.rs", "mine"), ("same.rs", "mine")];
        let after =
            [("theirs.rs", "other"), ("ours.rs", "both"), ("same.rs", "mine"), ("new.rs", "x")];
        let first = left(&none, &found, &after);
        let known: Vec<_> =
            first.iter().map(|(path, file)| (path.as_str(), file.persons.as_str())).collect();
        // The person's lines in the first file are unknown, so all of it stays theirs.
        assert_eq!(known, [("new.rs", ""), ("ours.rs", "1")]);
        // The next agent continues with both.
        let next = left(&first, &after, &[("ours.rs", "more"), ("new.rs", "y")]);
        let known: Vec<_> =
            next.iter().map(|(path, file)| (path.as_str(), file.persons.as_str())).collect();
        assert_eq!(known, [("new.rs", ""), ("ours.rs", "1")]);
        // A person edited it meanwhile.
        let edited = left(&first, &[("new.rs", "edited")], &[("new.rs", "z")]);
        assert_eq!(edited.iter().count(), 0);
    }
}
