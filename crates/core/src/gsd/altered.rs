//! Detects changes that a unit made to parts of the tree that are not its own: lines of other
//! units, their boxes and their summaries. A person decides whether they stay.

use super::Tree;
use crate::{Name, UnitId};

/// The tasks that a kind of unit may remove from the tree.
enum Plans {
    Milestone,
    Own,
    Nothing,
}

impl Plans {
    fn of(kind: &Name) -> Self {
        match kind.as_str() {
            "plan-milestone" | "reassess-roadmap" | "rewrite-docs" | "discuss-milestone" => {
                Self::Milestone
            }
            "plan-slice" | "replan-slice" | "refine-slice" => Self::Own,
            _ => Self::Nothing,
        }
    }

    fn may_take_out(&self, about: &UnitId, at: &UnitId) -> bool {
        match self {
            Self::Milestone => true,
            Self::Own => is_of(about, at),
            Self::Nothing => false,
        }
    }
}

/// Returns whether `at` is what `about` names, or is below it; a unit may name several tasks.
pub(super) fn is_of(about: &UnitId, at: &UnitId) -> bool {
    if let Some((slice, batch)) = about.as_str().split_once("/reactive+") {
        let below = at.as_str().strip_prefix(slice).and_then(|below| below.strip_prefix('/'));
        return below.is_some_and(|task| batch.split(',').any(|one| one == task));
    }
    let below = at.as_str().strip_prefix(about.as_str());
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

impl Tree {
    /// Lists the units of `open` that another unit improperly changed: those that are gone, and
    /// those that are done without having been begun.
    pub(super) fn altered(&self, open: &[UnitId], kind: &Name, about: &UnitId) -> Vec<String> {
        let plans = Plans::of(kind);
        let gone = open.iter().filter(|at| !plans.may_take_out(about, at) && !self.still_has(at));
        let gone = gone.map(|at| format!("{at} is gone from the tree"));
        gone.chain(self.unbegun(open, about)).collect()
    }

    /// Returns whether a milestone, slice or task is still in the tree; in a slice that was not
    /// read, any task is.
    fn still_has(&self, at: &UnitId) -> bool {
        let mut parts = at.as_str().split('/');
        let Some(milestone) = parts.next().and_then(|id| self.milestone(id)) else { return false };
        let Some(slice) = parts.next() else { return true };
        if !milestone.roadmap_slices().iter().any(|known| known.id == slice) {
            return false;
        }
        let (Some(task), Some(folder)) = (parts.next(), milestone.slice(slice)) else {
            return true;
        };
        folder.tasks().iter().any(|known| known.id == task)
    }
}
