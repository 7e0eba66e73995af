//! The state in which a driven run found the project, as far as no commit records it (a person's
//! uncommitted edits), and what is left of it when an agent ends.

use serde::{Deserialize, Serialize};
use sprag_core::event::{AgentEnded, RunStarted, WorkMissing};
use sprag_core::reporting::{Unproven, UnprovenReason, missing};
use sprag_core::{Hash, Missing, RunId};
use sprag_store::View;

use crate::drive::known_found;
use crate::engine::{Engine, EngineError};
use crate::integrity::AgentsUncommitted;
use crate::persons_edits::PersonsEdits;
use crate::snapshot::Now;
use crate::tx::Draft;
use crate::work_away::MadeApart;

/// What a run found when it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunBaseline {
    /// The hash of all files.
    pub(crate) tree: Option<Hash>,
    /// Files that a person had not committed.
    #[serde(flatten)]
    pub(crate) edits: PersonsEdits,
}

/// What became of the person's edits when an agent ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditsLeft {
    /// Edits that are no longer in the files.
    pub(crate) missing: Missing,
    /// Files that gates run and that had changed, as earlier releases recorded them.
    pub(crate) rewritten: Vec<String>,
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

    /// Reads the fields of the event; an older version recorded none.
    pub(crate) fn of(started: &RunStarted) -> Self {
        Self { tree: started.tree, edits: PersonsEdits::of(started) }
    }
}

impl EditsLeft {
    /// Lists the losses that keep a pass from proving the work.
    pub(crate) fn weak(self) -> impl Iterator<Item = Unproven> {
        let rewritten = Unproven::new(UnprovenReason::Rewritten, self.rewritten);
        missing(&self.missing).into_iter().chain([rewritten]).flatten()
    }

    /// Reads the record of an agent's end.
    pub(crate) fn of(ended: &AgentEnded) -> Self {
        let AgentEnded { mut gone, reverted, away, unseen, rewritten, .. } = ended.clone();
        gone.extend(reverted);
        let rewritten = rewritten.unwrap_or_default();
        Self { missing: Missing { gone, away, unseen }, rewritten }
    }

    /// Reads the record of a session's stop.
    pub(crate) fn of_session(noted: &WorkMissing) -> Self {
        let WorkMissing { gone, away, unseen } = noted.clone();
        Self { missing: Missing { gone, away, unseen }, rewritten: Vec::new() }
    }
}

impl Engine<'_> {
    /// Returns what a run found when it began, and what is left of it now. A run in worktrees has
    /// no files of a person, so nothing can be lost there.
    pub(crate) fn left_of(
        &self,
        run: &RunId,
    ) -> Result<(Option<RunBaseline>, EditsLeft), EngineError> {
        let (known, is_apart) = self.look(|view| known_found(view, run))?;
        let found = match known {
            Some(found) => found,
            None => self.found(run)?,
        };
        let left = if is_apart { EditsLeft::default() } else { self.left(&found) };
        Ok((Some(found), left))
    }

    fn left(&self, found: &RunBaseline) -> EditsLeft {
        let missing = self.missing(&found.edits, found.tree, &MadeApart::default());
        EditsLeft { missing, rewritten: Vec::new() }
    }
}
