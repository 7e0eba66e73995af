//! What a unit's document says of the unit's end: whoever is at work does not decide that.

use sprag_core::UnitId;
use sprag_core::event::AssignmentPutBack;
use sprag_formats::chipset::WorkFile;
use sprag_store::View;

use super::{paths, turns};
use crate::engine::EngineError;

/// Puts back status and assignee of a unit where they were changed without a line of ours while an
/// agent works. Outside of a turn they are a person's or the original tool's, and count.
pub(super) fn put_back(
    view: &View<'_>,
    work: &mut WorkFile,
) -> Result<Option<AssignmentPutBack>, EngineError> {
    let path = paths::work(&work.unit)?;
    if !view.is_foreign(&path) {
        return Ok(None);
    }
    // What the journal does not say any more cannot be put back.
    let left = view.left(&path).ok().flatten();
    let Some(left) = left.and_then(|text| WorkFile::read(&text).ok()) else { return Ok(None) };
    let is_same = (&left.work, &left.assignee) == (&work.work, &work.assignee);
    if is_same || !turns::is_open(view)? {
        return Ok(None);
    }
    view.leave_unsaid(&path);
    let said = AssignmentPutBack {
        agent: work.unit.to_string(),
        found: shown(work),
        restored: shown(&left),
    };
    (work.work, work.hook, work.assignee) = (left.work, left.hook, left.assignee);
    Ok(Some(said))
}

fn shown(work: &WorkFile) -> String {
    let unit: &UnitId = &work.unit;
    match &work.assignee {
        Some(agent) => format!("{unit} {} of {agent}", work.work),
        None => format!("{unit} {}", work.work),
    }
}
