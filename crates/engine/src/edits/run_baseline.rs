//! The state in which a driven run found the project, as far as no commit records it (a person's
//! uncommitted edits), and what is left of it when an agent ends.

use serde::{Deserialize, Serialize};
use sprag_core::event::{AgentEnded, RunStarted, WorkMissing};
use sprag_core::reporting::{Unproven, UnprovenReason, missing};
use sprag_core::{Hash, Missing};

use super::persons::PersonsEdits;

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
