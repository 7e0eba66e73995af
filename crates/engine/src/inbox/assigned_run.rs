//! The names of the runs of assignments.

use sprag_core::{BadId, Fence, RunId, UnitId};
use sprag_store::View;

use crate::agents_file::inbox_settings;
use crate::engine::EngineError;
use crate::engine::kind::Kinds;
use crate::run_file::RunFile;

/// How many characters of the unit's id the run's id contains, if there is room.
const UNIT: usize = 30;
/// How many characters of it the run's id contains at least.
const LEAST: usize = 16;
/// The length of an id, less the part that [`effect`](crate::agents_file::effect) adds to a run's id and a
/// fence.
const ROOM: usize = 64 - "e-r----".len();

/// Returns the prefix that the ids of all runs of a unit have.
pub(crate) fn shared_prefix(unit: &UnitId) -> String {
    prefix(unit, LEAST)
}

/// Returns the common prefix of the ids of a unit's runs.
fn prefix(unit: &UnitId, length: usize) -> String {
    let unit: String = unit.as_str().chars().take(length).collect();
    format!("r-{unit}")
}

fn name(unit: &UnitId, fence: Fence, word: &str) -> Result<RunId, BadId> {
    let fence = fence.0.0.to_string();
    // The run's id contains the fence, and the id of its process contains it once more.
    let room = ROOM.saturating_sub(2 * fence.len() + word.len());
    RunId::parse(&format!("{}-{fence}-{word}", prefix(unit, room.min(UNIT))))
}

/// Returns the id of an assignment's run in this project.
pub(crate) fn named(view: &View<'_>, unit: &UnitId, fence: Fence) -> Result<RunId, EngineError> {
    let word = inbox_settings(view)?.word;
    Ok(name(unit, fence, word.as_deref().unwrap_or("none"))?)
}

/// Returns the fence in the id of an assignment's run; `None` for other ids.
pub(crate) fn fence_of(run: &RunId) -> Option<u64> {
    let (named, _) = run.as_str().strip_prefix("r-")?.rsplit_once('-')?;
    named.rsplit_once('-')?.1.parse().ok()
}

/// Returns whether an assignment's run is over, or `None` if there is no such run.
pub(crate) fn is_over(kinds: Kinds, view: &View<'_>, unit: &UnitId, fence: Fence) -> Option<bool> {
    let file = RunFile::open(kinds, view, &named(view, unit, fence).ok()?, None).ok()?;
    (file.live.info().is_assigned).then_some(file.header.ended.is_some())
}

#[cfg(test)]
mod tests {
    use sprag_core::Seq;

    use super::*;

    #[test]
    fn the_name_of_a_run_says_which_assignment_it_is_of_and_fits_however_long_the_unit() {
        for unit in ["gt-abc12", &"x".repeat(64), "T01.1"] {
            let unit = UnitId::parse(unit).unwrap();
            for fence in [3, u64::from(u32::MAX), 1_794_977_895_768_005, Seq::MAX.0] {
                let fence = Fence(Seq(fence));
                let run = name(&unit, fence, "7k2m9x").unwrap();
                assert_eq!(fence_of(&run), Some(fence.0.0), "{run}");
                assert!(run.as_str().starts_with(&prefix(&unit, LEAST)), "{run}");
                crate::agents_file::effect(&run, fence).unwrap();
            }
        }
        {
            // The form that earlier versions used.
            let unit = UnitId::parse(&"x".repeat(64)).unwrap();
            let run = name(&unit, Fence(Seq(388)), "7k2m9x").unwrap();
            assert_eq!(run.as_str(), format!("r-{}-388-7k2m9x", "x".repeat(30)));
        }
        let other = ["r-7k2m", "r-1234", "r-u1-9", "init"].map(|name| RunId::parse(name).unwrap());
        assert_eq!(other.map(|run| fence_of(&run)), [None; 4]);
    }
}
