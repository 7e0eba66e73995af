//! Guards that may reject a unit after the table has chosen it.

use super::{Paper, Slice, Tree};
use crate::{Name, UnitId};

/// Kinds of work on a slice that must wait for earlier slices.
const KINDS: [&str; 5] =
    ["research-slice", "plan-slice", "replan-slice", "execute-task", "complete-slice"];

/// Reports an earlier slice that is not done and must be: any slice of an earlier milestone; within
/// its own milestone its dependencies, or every slice above it if no slice has dependencies.
pub fn prior_slice(tree: &Tree, kind: &Name, at: &UnitId) -> Option<String> {
    let mut parts = at.as_str().split('/');
    let (Some(milestone), Some(slice)) = (parts.next(), parts.next()) else { return None };
    if !KINDS.contains(&kind.as_str()) {
        return None;
    }
    let cannot = |why: String| format!("Cannot dispatch {kind} {at}: {why} is not complete.");
    for before in &tree.milestones {
        let own = before.id == milestone;
        let ended = before.papers.has(Paper::Parked) || before.is_closed();
        let slices = before.roadmap_slices();
        if !ended && own {
            return open_before(slices, slice)
                .map(|(what, id)| cannot(format!("{what} slice {milestone}/{id}")));
        }
        if own {
            return None;
        }
        let open = slices.iter().find(|slice| !slice.done).filter(|_| !ended);
        if let Some(open) = open {
            return Some(cannot(format!("earlier slice {}/{}", before.id, open.id)));
        }
    }
    None
}

fn open_before<'s>(slices: &'s [Slice], id: &str) -> Option<(&'static str, &'s str)> {
    let at = slices.iter().position(|slice| slice.id == id)?;
    let depends = &slices[at].depends;
    if !depends.is_empty() {
        let open = slices.iter().filter(|slice| !slice.done);
        return depends
            .iter()
            .find_map(|id| open.clone().find(|slice| slice.id == *id))
            .map(|slice| ("dependency", slice.id.as_str()));
    }
    if slices.iter().any(|slice| !slice.depends.is_empty()) {
        return None;
    }
    slices[..at].iter().find(|slice| !slice.done).map(|slice| ("earlier", slice.id.as_str()))
}
