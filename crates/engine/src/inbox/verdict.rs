//! Protects the end of a unit in its document: the agent at work does not decide it.

use sprag_core::UnitId;
use sprag_core::event::AssignmentPutBack;
use sprag_formats::chipset::WorkFile;
use sprag_store::View;

use super::{paths, turns};
use crate::engine::EngineError;

/// Reverts a unit's status and assignee if they were changed without our journal line while an
/// agent works. Between turns such changes come from a person or the original's tools, and count.
pub(super) fn put_back(
    view: &View<'_>,
    work: &mut WorkFile,
) -> Result<Option<AssignmentPutBack>, EngineError> {
    let path = paths::work(&work.unit)?;
    if !view.is_foreign(&path) {
        return Ok(None);
    }
    // Without our last text in the journal, nothing can be restored.
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
