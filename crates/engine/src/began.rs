//! What a driven run found when it began, as far as no commit tells it later: the files that its
//! gates run, and what nobody has committed; and what is left of that when an agent ends.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprag_core::event::{AgentEnded, RunStarted, WorkMissing};
use sprag_core::reporting::{Gap, Unproven, missing};
use sprag_core::{Hash, Missing, RunId, scripts};

use crate::drive::known_found;
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::live::Live;
use crate::persons_edits::PersonsEdits;
use crate::sitting::Now;
use crate::tree::content;
use crate::tx::Draft;

/// So many files of a kind are written down.
const MOST: usize = 200;

/// What a run found when it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Found {
    /// The files as one hash.
    pub(crate) tree: Option<Hash>,
    /// The files that its gates run, and what was in them.
    runs: BTreeMap<String, Hash>,
    /// What a person had not committed.
    #[serde(flatten)]
    pub(crate) edits: PersonsEdits,
}

/// What became of that when an agent ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left {
    /// What is missing in the files.
    pub(crate) missing: Missing,
    /// Files that gates run and that are others; nothing where it is not these that count.
    pub(crate) rewritten: Option<Vec<String>>,
}

impl Found {
    /// Notes with the run that begins what it finds.
    pub(crate) fn note(now: &Now<'_>, live: &Live, draft: &mut Draft) -> Result<(), EngineError> {
        let tree = now.tree()?;
        let content: BTreeMap<&[u8], Hash> =
            tree.files().iter().map(|file| (&file.path[..], file.content)).collect();
        let content = |path: &str| content.get(path.as_bytes()).copied();
        let specs = live.every_gate();
        let commands = specs.iter().flat_map(|(_, spec)| gate::commands(&spec.gate.check));
        let named: BTreeSet<String> = commands.flat_map(scripts).collect();
        let runs = named.into_iter().filter_map(|path| content(&path).map(|hash| (path, hash)));
        let runs: BTreeMap<String, Hash> = runs.take(MOST).collect();
        draft.begins_with(|started| {
            // Whether anything was done at all shows against this.
            started.tree = Some(tree.hash());
            started.runs = Some(runs.clone());
            now.persons_edits().note(started);
        });
        Ok(())
    }

    /// Takes what was noted; an older version noted nothing.
    pub(crate) fn of(started: &RunStarted) -> Self {
        let (tree, runs) = (started.tree, started.runs.clone().unwrap_or_default());
        Self { tree, runs, edits: PersonsEdits::of(started) }
    }
}

impl Found {
    /// Returns whether one of these files is run by a gate.
    pub(crate) fn is_run<'p>(&self, mut paths: impl Iterator<Item = &'p str>) -> bool {
        paths.any(|path| self.runs.contains_key(path))
    }
}

impl Left {
    /// Says what of it keeps a pass from proving the work.
    pub(crate) fn weak(self) -> impl Iterator<Item = Unproven> {
        let rewritten = Unproven::new(Gap::Rewritten, self.rewritten.unwrap_or_default());
        missing(&self.missing).into_iter().chain([rewritten]).flatten()
    }

    /// Takes what was noted when an agent ended.
    pub(crate) fn of(ended: &AgentEnded) -> Self {
        let AgentEnded { mut gone, reverted, away, rewritten, .. } = ended.clone();
        gone.extend(reverted);
        Self { missing: Missing { gone, away }, rewritten }
    }

    /// Takes what was noted when a session stopped.
    pub(crate) fn of_session(noted: &WorkMissing) -> Self {
        let WorkMissing { gone, away } = noted.clone();
        Self { missing: Missing { gone, away }, rewritten: None }
    }
}

impl Engine<'_> {
    /// Returns what a run found when it began, and what is left of it now; one that works in worktrees
    /// has nobody's own files.
    pub(crate) fn left_of(&self, run: &RunId) -> Result<(Option<Found>, Left), EngineError> {
        let (known, is_apart) = self.look(|view| known_found(view, run))?;
        let found = match known {
            Some(found) => found,
            None => self.found(run)?,
        };
        let left = if is_apart { Left::default() } else { self.left(&found) };
        Ok((Some(found), left))
    }

    fn left(&self, found: &Found) -> Left {
        let missing = self.missing(&found.edits, found.tree);
        Left { missing, rewritten: Some(self.rewritten(found)) }
    }

    /// Returns which files that gates run are others now.
    fn rewritten(&self, found: &Found) -> Vec<String> {
        let other =
            |(path, then): &(&String, &Hash)| content(&self.place.root, path) != Some(**then);
        found.runs.iter().filter(other).map(|(path, _)| path.clone()).collect()
    }

    /// Returns which files that gates run a run changed: among those that it changed in a branch, else
    /// by what was in them when its last agent ended, else by what is in them now.
    pub(crate) fn rewritten_by(
        &self,
        found: &Found,
        apart: Option<&[String]>,
        left: Option<&Left>,
    ) -> Vec<String> {
        let noted = left.and_then(|left| left.rewritten.clone());
        match apart {
            Some(changed) => {
                found.runs.keys().filter(|path| changed.contains(path)).cloned().collect()
            }
            None => noted.unwrap_or_else(|| self.rewritten(found)),
        }
    }
}
