//! `.sprag/cache/sign-RUN`: a driver's sign of life. One that is killed ends no turn of its agents, so
//! the time of its last sign tells until when they may have changed files.

use std::time::Duration;

use sprag_core::{RunId, Time};
use sprag_store::Shelf;

use crate::engine::Engine;

/// How often a driver gives a sign while its agents work.
pub const SIGN: Duration = Duration::from_millis(500);

const CACHE: &str = ".sprag/cache";
/// A longer file gives way to a new one.
const FULL: u64 = 1 << 10;

impl Engine<'_> {
    /// Gives a sign that whoever drives a run is there. It is no commit and changes no document; where
    /// it cannot be given, later changes are laid to the agents for longer.
    pub fn drive_sign(&self, run: &RunId) {
        let Ok(cache) = Shelf::make_below(&self.place.state, CACHE) else { return };
        let (name, old) = (file_name(run), format!("{}.old", file_name(run)));
        let _ = cache.append(&name, &old, ".", FULL);
    }

    /// Returns when whoever drives a run gave the last sign.
    pub(crate) fn last_sign(&self, run: &RunId) -> Option<Time> {
        let cache = Shelf::open_below(&self.place.state, CACHE).ok()??;
        cache.seen_at(&file_name(run)).ok()?
    }
}

fn file_name(run: &RunId) -> String {
    format!("sign-{run}")
}
