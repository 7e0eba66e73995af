//! What a driven run found when it began, as far as no commit tells it later: the files that its
//! gates run, and what nobody has committed; and what is left of that when an agent ends.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprag_core::event::{AgentEnded, RunStarted};
use sprag_core::reporting::{Unproven, taken};
use sprag_core::{Hash, RunId, scripts};

use crate::drive::known_found;
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::live::Live;
use crate::sitting::Now;
use crate::tree::content;
use crate::tx::Draft;

/// So many files of a kind are written down.
const MOST: usize = 200;

/// What a run found when it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Found {
    /// What was checked out.
    pub(crate) commit: Option<String>,
    /// The files as one hash.
    pub(crate) tree: Option<Hash>,
    /// The files that its gates run, and what was in them.
    runs: BTreeMap<String, Hash>,
    /// Those that are in no commit: whoever removes one removes it for good.
    loose: Vec<String>,
    /// Those that are not as in their commit, and what was in them: whoever sets one back to that
    /// takes away what nobody committed. Nothing where it was removed.
    edited: BTreeMap<String, Option<Hash>>,
}

/// What became of that when an agent ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left {
    /// Files in no commit that are gone.
    pub(crate) gone: Vec<String>,
    /// Files that are back as they were committed.
    pub(crate) reverted: Vec<String>,
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
        let (loose, edited) = now.uncommitted();
        let first: BTreeMap<_, _> =
            edited.iter().take(MOST).map(|path| (path.clone(), content(path))).collect();
        let more = loose.len().saturating_sub(MOST) + edited.len() - first.len();
        draft.begins_with(|started| {
            // Whether anything was done at all shows against this.
            started.tree = Some(tree.hash());
            started.runs = Some(runs.clone());
            started.loose = Some(loose.iter().take(MOST).cloned().collect());
            started.edited = Some(first.clone());
            started.more = (more > 0).then_some(more as u64);
        });
        Ok(())
    }

    /// Takes what was noted; an older version noted nothing.
    pub(crate) fn of(started: &RunStarted) -> Self {
        let RunStarted { commit, tree, runs, loose, edited, .. } = started.clone();
        let (runs, loose) = (runs.unwrap_or_default(), loose.unwrap_or_default());
        Self { commit, tree, runs, loose, edited: edited.unwrap_or_default() }
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
        let all = taken(self.gone, self.reverted, self.rewritten.unwrap_or_default());
        all.into_iter().flatten()
    }

    /// Takes what was noted when an agent ended.
    pub(crate) fn of(ended: &AgentEnded) -> Self {
        let AgentEnded { gone, reverted, rewritten, .. } = ended.clone();
        Self { gone, reverted, rewritten }
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
        let commit = found.commit.as_deref();
        let is_gone = |path: &&String| self.place.root.join(path).symlink_metadata().is_err();
        let mut gone: Vec<String> = found.loose.iter().filter(is_gone).cloned().collect();
        if !gone.is_empty() {
            let known = self.known_since(commit, &gone);
            gone.retain(|path| !known.contains(path));
        }
        let is_other = |then: Option<Hash>, path: &str| content(&self.place.root, path) != then;
        let other = found.edited.iter().filter(|(path, then)| is_other(**then, path));
        let other: Vec<String> = other.map(|(path, _)| path.clone()).collect();
        let reverted = match commit {
            Some(commit) if !other.is_empty() => self.back_at(commit, other),
            Some(_) | None => Vec::new(),
        };
        Left { gone, reverted, rewritten: Some(self.rewritten(found)) }
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

#[cfg(test)]
mod tests {
    use sprag_store::Place;
    use sprag_testkit::TestEnv;

    use super::*;

    #[test]
    fn git_is_asked_once_however_often_a_beginning_is_decided() {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        env.write("one.txt", "");
        let place = Place::of(env.project());
        let engine = Engine::open(&place, &[]).unwrap();
        let now = Now::new(&engine);
        assert_eq!(now.uncommitted().0, ["one.txt"]);
        env.write("two.txt", "");
        assert_eq!(now.uncommitted().0, ["one.txt"]);
    }
}
