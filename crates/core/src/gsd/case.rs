//! The input of a row of the dispatch table.

use std::borrow::Cow;

use super::{DispatchOutcome, Milestone, Phase, SliceFolder, State, StopSeverity, Tree};
use crate::{Name, UnitId};

/// A tree whose state has an active milestone.
pub(super) struct ActiveTree<'t> {
    pub(super) tree: &'t Tree,
    pub(super) state: &'t State,
    pub(super) milestone: &'t Milestone,
}

/// The result of a row: a decision, or why the row does not match.
pub(super) type Tried = Result<DispatchOutcome, Cow<'static, str>>;

impl<'t> ActiveTree<'t> {
    /// Fails unless the state is in this phase.
    pub(super) fn in_phase(&self, wanted: Phase) -> Result<(), Cow<'static, str>> {
        if self.state.phase == wanted {
            Ok(())
        } else {
            Err(format!("the phase is {}", self.state.phase).into())
        }
    }

    /// Returns the id of the active slice; without one, the phase is broken.
    pub(super) fn slice_id(&self) -> Result<&'t str, DispatchOutcome> {
        let slice = self.state.slice.as_ref().map(|slice| slice.id.as_str());
        slice.ok_or_else(|| {
            let (id, phase) = (&self.milestone.id, self.state.phase);
            let why = format!("{id}: phase \"{phase}\" has no active slice — run /gsd doctor.");
            DispatchOutcome::stop(StopSeverity::Error, why)
        })
    }

    pub(super) fn slice(&self) -> Option<&'t SliceFolder> {
        self.milestone.slice(&self.state.slice.as_ref()?.id)
    }

    pub(super) fn on_milestone(&self, kind: &'static str) -> DispatchOutcome {
        self.on(kind, &self.milestone.id)
    }

    pub(super) fn on_slice(&self, kind: &'static str) -> DispatchOutcome {
        match self.slice_id() {
            Ok(slice) => self.on(kind, &format!("{}/{slice}", self.milestone.id)),
            Err(broken) => broken,
        }
    }

    pub(super) fn on_slice_task(&self, task: &str) -> DispatchOutcome {
        match self.slice_id() {
            Ok(slice) => self.on("execute-task", &format!("{}/{slice}/{task}", self.milestone.id)),
            Err(broken) => broken,
        }
    }

    /// Dispatches work on a unit; stops on an invalid id.
    #[expect(clippy::unused_self, reason = "reads as the others do")]
    pub(super) fn on(&self, kind: &'static str, at: &str) -> DispatchOutcome {
        match UnitId::parse(at) {
            Ok(at) => DispatchOutcome::Dispatch { kind: Name::literal(kind), at },
            Err(bad) => DispatchOutcome::stop(StopSeverity::Error, bad.to_string()),
        }
    }
}

/// Reports why a row does not match.
pub(super) fn no(why: &'static str) -> Tried {
    Err(Cow::Borrowed(why))
}
