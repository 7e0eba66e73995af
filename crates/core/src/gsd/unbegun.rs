//! Detects work that became done without having been begun: an agent can tick any box and write any
//! summary.

use super::altered::is_of;
use super::{Task, Tree};
use crate::UnitId;

impl Tree {
    /// Returns the open parts of a milestone as far as they were read, starting with the milestone
    /// itself.
    pub(super) fn open(&self, milestone: &str) -> Vec<UnitId> {
        let Some(milestone) = self.milestone(milestone) else { return Vec::new() };
        let slices = milestone.roadmap_slices().iter().map(|slice| slice.id.clone());
        let tasks = milestone.slices.iter().flat_map(|slice| {
            slice.tasks().iter().map(move |task| format!("{}/{}", slice.id, task.id))
        });
        let below = slices.chain(tasks).map(|at| format!("{}/{at}", milestone.id));
        let all = std::iter::once(milestone.id.clone()).chain(below);
        let all = all.filter_map(|at| UnitId::parse(&at).ok());
        all.filter(|at| !self.is_done(at)).collect()
    }

    /// Returns whether a milestone, slice or task is done, or belongs to one that is; a missing one
    /// is not.
    fn is_done(&self, at: &UnitId) -> bool {
        let mut parts = at.as_str().split('/');
        let Some(milestone) = parts.next().and_then(|id| self.milestone(id)) else { return false };
        if milestone.is_closed() {
            return true;
        }
        let Some(slice) = parts.next() else { return false };
        if milestone.roadmap_slices().iter().any(|known| known.id == slice && known.done) {
            return true;
        }
        let task = parts.next().and_then(|task| self.task(&milestone.id, slice, task));
        task.is_some_and(Task::is_done)
    }

    /// Returns as claims the units of `open` that are done now and are not part of `about`.
    pub(super) fn unbegun(&self, open: &[UnitId], about: &UnitId) -> impl Iterator<Item = String> {
        let found = open.iter().filter(move |at| !is_of(about, at) && self.is_done(at));
        found.map(|at| format!("{at} done, never begun"))
    }
}
