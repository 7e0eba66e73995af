//! The file that a run writes into which nobody looks on at: `run.log` beside it, with a cap.

use sprag_core::RunId;
use sprag_engine::drive::is_inbox;
use sprag_engine::root;
use sprag_store::{PathError, Place, Shelf};

/// How wide its lines are at most.
pub(super) const WIDTH: usize = 200;
/// Its name, and that of the one before it.
const NAMES: (&str, &str) = ("run.log", "run.log.old");
/// A file of so many bytes becomes the one before.
const FULL: u64 = 1 << 20;

/// The file.
#[derive(Debug)]
pub(super) struct Log(Shelf);

impl Log {
    /// Opens the folder of a run; nothing where it is gone.
    pub(super) fn of(place: &Place, run: &RunId) -> Result<Option<Self>, PathError> {
        Ok(Shelf::open_below(&place.state, &folder(run))?.map(Self))
    }

    /// Writes a line.
    pub(super) fn line(&self, text: &str) {
        // The journal has what happened; a disk that is full must not end the work.
        let _ = self.0.append(NAMES.0, NAMES.1, &format!("{text}\n"), FULL);
    }
}

/// Returns where the file of a run is, from the root of its project.
pub(super) fn path(run: &RunId) -> String {
    format!("{}/{}", folder(run), NAMES.0)
}

/// Returns the folder of a run; the inbox is none, and what drives it stands with the agents.
fn folder(run: &RunId) -> String {
    let state = root::STATE;
    if is_inbox(run) { format!("{state}/agents/drive") } else { format!("{state}/runs/{run}") }
}
