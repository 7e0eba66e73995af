//! What a unit did to the tree that is not its own to do: lines of other units, their boxes and
//! their summaries. A person decides whether it stays.

use super::Tree;
use crate::{Name, UnitId};

/// Whose tasks a kind of unit may take out of the tree.
enum Plans {
    /// Those of the whole milestone.
    Milestone,
    /// Those of what it is about.
    Own,
    /// None.
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

/// Returns whether a unit is what another is about, or below it; several tasks may be one unit.
pub(super) fn is_of(about: &UnitId, at: &UnitId) -> bool {
    if let Some((slice, batch)) = about.as_str().split_once("/reactive+") {
        let below = at.as_str().strip_prefix(slice).and_then(|below| below.strip_prefix('/'));
        return below.is_some_and(|task| batch.split(',').any(|one| one == task));
    }
    let below = at.as_str().strip_prefix(about.as_str());
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

impl Tree {
    /// Names what of `open` a unit changed and is not its own: what is gone, and what is done though
    /// nobody began it.
    pub(super) fn altered(&self, open: &[UnitId], kind: &Name, about: &UnitId) -> Vec<String> {
        let plans = Plans::of(kind);
        let gone = open.iter().filter(|at| !plans.may_take_out(about, at) && !self.still_has(at));
        let gone = gone.map(|at| format!("{at} is gone from the tree"));
        gone.chain(self.unbegun(open, about)).collect()
    }

    /// Returns whether a milestone, slice or task still stands in the tree; where the slice was not
    /// read, its tasks do.
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
