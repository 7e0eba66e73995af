//! What a driven run found when it began, as far as no commit tells it later: the files that its
//! gates run, and those that git does not know.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sprag_core::{Hash, Id, scripts};

use crate::draft::Draft;
use crate::drive::known_loose;
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::live::Live;
use crate::sitting::Now;
use crate::tree::File;
use crate::verify::every_gate;

/// So many files of a kind are written down.
const MOST: usize = 200;

/// What a run found when it began.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The files that its gates run, and what was in them.
    runs: BTreeMap<String, Hash>,
    /// Those that git does not know: whoever removes one removes it for good.
    loose: Vec<String>,
}

/// The files that a run found and git did not know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Loose {
    /// What was checked out then.
    #[serde(default)]
    commit: Option<String>,
    files: Vec<String>,
}

impl Found {
    /// Notes with the run that begins what it finds.
    pub(crate) fn note(now: &Now<'_>, live: &Live, draft: &mut Draft) -> Result<(), EngineError> {
        let tree = now.tree()?;
        let specs = every_gate(live);
        let commands = specs.iter().flat_map(|(_, spec)| gate::commands(&spec.gate.check));
        let named: BTreeSet<String> = commands.flat_map(scripts).collect();
        let is_run =
            |file: &&File| std::str::from_utf8(&file.path).is_ok_and(|path| named.contains(path));
        let run = |file: &File| (String::from_utf8_lossy(&file.path).into_owned(), file.content);
        let runs: BTreeMap<String, Hash> =
            tree.files().iter().filter(is_run).take(MOST).map(run).collect();
        let loose: Vec<_> = now.loose().iter().take(MOST).collect();
        // Whether anything was done at all shows against this.
        draft.begins_with("tree", &json!(tree.hash()));
        draft.begins_with("runs", &json!(runs));
        draft.begins_with("loose", &json!(loose));
        let more = now.loose().len() - loose.len();
        if more > 0 {
            draft.begins_with("more", &json!(more));
        }
        Ok(())
    }

    /// Reads what was noted; an older version noted nothing.
    pub(crate) fn read(data: &Value) -> Self {
        Self {
            runs: BTreeMap::deserialize(&data["runs"]).unwrap_or_default(),
            loose: Vec::deserialize(&data["loose"]).unwrap_or_default(),
        }
    }
}

impl Engine<'_> {
    /// Returns which of the files that a run found and git did not know are gone, as far as git does
    /// not know them since; one that works in worktrees has nobody's own files.
    pub(crate) fn gone(&self, run: &Id) -> Result<(Option<Loose>, Vec<String>), EngineError> {
        let (known, is_apart) = self.look(|view| known_loose(view, run))?;
        if is_apart {
            return Ok((None, Vec::new()));
        }
        let loose = if let Some(loose) = known {
            loose
        } else {
            let (commit, found) = self.found(run)?;
            Loose { commit, files: found.loose }
        };
        let is_gone = |path: &&String| self.place.root.join(path).symlink_metadata().is_err();
        let mut gone: Vec<String> = loose.files.iter().filter(is_gone).cloned().collect();
        if !gone.is_empty() {
            let known = self.known_since(loose.commit.as_deref(), &gone);
            gone.retain(|path| !known.contains(path));
        }
        Ok((Some(loose), gone))
    }

    /// Returns which files that gates run were changed: among those that a run changed in a branch,
    /// else by what is in them now.
    pub(crate) fn rewritten(&self, found: &Found, apart: Option<&[String]>) -> Vec<String> {
        if let Some(changed) = apart {
            let runs = found.runs.keys().filter(|path| changed.contains(path));
            return runs.cloned().collect();
        }
        if found.runs.is_empty() {
            return Vec::new();
        }
        let Ok(tree) = self.tree() else { return Vec::new() };
        let as_found = |path: &str, content: Hash| {
            let mut files = tree.files().iter();
            files.any(|file| file.path == path.as_bytes() && file.content == content)
        };
        let changed = found.runs.iter().filter(|(path, content)| !as_found(path, **content));
        changed.map(|(path, _)| path.clone()).collect()
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
        assert_eq!(now.loose(), ["one.txt"]);
        env.write("two.txt", "");
        assert_eq!(now.loose(), ["one.txt"]);
    }
}
