//! Finds the runs of this folder's pull request.
//!
//! Linked working trees share their runs, and a folder goes from one pull request to the next. A
//! run is therefore identified by the pull request's number, which is unique in a repository.

use sprag_core::RunId;
use sprag_core::pr::{LoopSection, LoopState, PullRecord};
use sprag_store::View;

use super::{PrRun, documents};
use crate::engine::EngineError;
use crate::engine::kind::{Kind, Kinds};
use crate::run_file::runs;
use crate::run_file::{RunFile, Unusable};

/// Returns the number of a run's pull request.
pub(super) fn number(live: &dyn Kind) -> Option<u32> {
    let held = live.of::<PrRun>()?;
    held.run.position().pull.or_else(|| Some(known(live)?.pull.number))
}

/// Returns the file's values, if they are about the run's own pull request.
pub(super) fn known(live: &dyn Kind) -> Option<&PullRecord> {
    let held = live.of::<PrRun>()?;
    let own = held.run.position().pull;
    let known = held.definition.metadata.known()?;
    own.is_none_or(|own| own == known.pull.number).then_some(known)
}

/// The runs of a pull request.
#[derive(Debug, Default)]
pub(super) struct OfPull {
    /// The run whose loop is not over.
    pub(super) open: Option<RunId>,
    /// Runs that still have texts to post.
    pub(super) speaking: Vec<RunId>,
}

/// Finds the runs of this folder's pull request.
pub(super) fn of_pull(kinds: Kinds, view: &View<'_>) -> Result<OfPull, EngineError> {
    let mut found = OfPull::default();
    let (definition, _) = documents::definition(view)?;
    let Some(known) = definition.metadata.known() else { return Ok(found) };
    for id in runs(view)? {
        let file = match RunFile::open(kinds, view, &id, None) {
            Ok(file) => file,
            Err(Unusable::Absent(_)) => continue,
            // The unreadable run may be the one.
            Err(error) => return Err(error.into()),
        };
        if number(&*file.live) != Some(known.pull.number) {
            continue;
        }
        if file.live.posts() > 0 {
            found.speaking.push(id.clone());
        }
        if file.header.ended.is_none() {
            found.open = Some(id);
        }
    }
    Ok(found)
}

/// Returns the run to drive: the open one, else one that only has texts to post, unless a new loop
/// began meanwhile.
pub(super) fn to_drive(
    kinds: Kinds,
    view: &View<'_>,
    known: &PullRecord,
) -> Result<Option<RunId>, EngineError> {
    let found = of_pull(kinds, view)?;
    let runs = known.review_loop.as_ref().map(LoopSection::state) == Some(LoopState::Running);
    let left = found.speaking.into_iter().next().filter(|_| !runs || known.approved);
    Ok(found.open.or(left))
}
