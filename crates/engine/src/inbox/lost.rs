//! Documents of the inbox that we wrote and that are missing now, with their last text.
//!
//! `git clean`, `git stash -u`, a checkout or `rm` delete files without meaning to change
//! assignments. A missing document is therefore unknown and never empty: every view of the inbox
//! reports it, nothing is assigned anew, and `sprag doctor --fix` restores its bytes.

use std::collections::BTreeSet;

use sprag_core::inbox::{AgentRecord, Slot};
use sprag_core::{Agent, DocPath, UnitId};
use sprag_formats::chipset::WorkFile;
use sprag_store::View;

use super::assignment_files::{read_ours, read_work, unreadable};
use super::board::agents_in;
use super::paths;
use crate::engine::EngineError;

/// The error of a deleted document.
pub(super) const MISSING: &str = "it is missing, and sprag wrote it";

/// Returns the last text of a deleted document.
pub(super) fn text(view: &View<'_>, path: &DocPath) -> Result<Option<String>, EngineError> {
    if !view.is_lost(path) {
        return Ok(None);
    }
    view.left(path).map_err(|error| unreadable(path, format!("{MISSING}: {error}")))
}

/// Returns a unit as it is or last was, even if its document is gone or damaged.
pub(super) fn work(view: &View<'_>, unit: &UnitId) -> Option<WorkFile> {
    if let Ok((_, Some(work))) = read_work(view, unit, None) {
        return Some(work);
    }
    let left = view.left(&paths::work(unit).ok()?).ok().flatten();
    let work = left.and_then(|text| WorkFile::read(&text).ok());
    Some(work.unwrap_or_else(|| WorkFile::new(unit.clone(), "")))
}

/// Returns the agents that have our record, or whose document we wrote.
pub(super) fn agents(view: &View<'_>) -> Result<Vec<Agent>, EngineError> {
    let ours = DocPath::parse(paths::OURS)?;
    let mut all = agents_in(view, &ours)?;
    for folder in [ours, paths::folder("hooks")?] {
        let names = view.left_in(&folder)?;
        let names = names.iter().filter_map(|name| name.strip_suffix(".json"));
        all.extend(names.filter_map(|name| Agent::parse(name).ok()));
    }
    Ok(all)
}

/// Returns missing units: those that we wrote or that are assigned, and that are not known to be
/// done. A finished unit's document may be removed.
pub(super) fn units(view: &View<'_>, there: &BTreeSet<UnitId>) -> Result<Vec<UnitId>, EngineError> {
    let names = view.left_in(&paths::folder("work")?)?;
    let names = names.iter().filter_map(|name| name.strip_suffix(".json"));
    let mut gone: Vec<UnitId> = names.filter_map(|name| UnitId::parse(name).ok()).collect();
    gone.retain(|unit| !there.contains(unit));
    gone.retain(|unit| work(view, unit).is_none_or(|work| !work.work.is_done()));
    for agent in agents_in(view, &DocPath::parse(paths::OURS)?)? {
        let holder = read_ours::<AgentRecord>(view, &paths::holder(&agent)?);
        let slot = holder.ok().and_then(|(_, holder)| holder.known);
        let unit = slot.as_ref().and_then(Slot::unit).filter(|unit| !there.contains(*unit));
        gone.extend(unit.cloned());
    }
    Ok(gone)
}
