//! The log of a driver without a terminal: `run.log` beside the run, with limited size.

use sprag_core::RunId;
use sprag_engine::drive::is_inbox;
use sprag_store::{CacheDir, PathError, Place};
use sprag_world::root;

/// The maximum width of its lines.
pub(super) const WIDTH: usize = 200;
/// The names of the current log and of the previous one.
const NAMES: (&str, &str) = ("run.log", "run.log.old");
/// The size in bytes at which the log becomes the previous one.
const FULL: u64 = 1 << 20;

#[derive(Debug)]
pub(super) struct RunLog(CacheDir);

impl RunLog {
    /// Opens the log in the run's folder; `None` if that is gone.
    pub(super) fn of(place: &Place, run: &RunId) -> Result<Option<Self>, PathError> {
        Ok(CacheDir::open_below(&place.state, &folder(run))?.map(Self))
    }

    pub(super) fn line(&self, text: &str) {
        // The journal records the events anyway; a full disk must not end the work.
        let _ = self.0.append(NAMES.0, NAMES.1, &format!("{text}\n"), FULL);
    }
}

/// Returns the log's path, relative to the project's root.
pub(super) fn path(run: &RunId) -> String {
    format!("{}/{}", folder(run), NAMES.0)
}

/// Returns the folder of a run. The inbox has none; its driver's files are stored with the agents.
fn folder(run: &RunId) -> String {
    let state = root::STATE;
    if is_inbox(run) { format!("{state}/agents/drive") } else { format!("{state}/runs/{run}") }
}
