//! `.sprag/cache/sign-RUN`: a driver's sign of life. A killed driver ends none of its agents'
//! turns, so its last sign marks the end of the time in which they may have changed files.

use std::time::Duration;

use sprag_core::{RunId, Time};
use sprag_store::CacheDir;

use crate::engine::Engine;

/// The interval of the signs while agents work.
pub const SIGN: Duration = Duration::from_millis(500);

const CACHE: &str = ".sprag/cache";
/// A larger file is replaced by a new one.
const FULL: u64 = 1 << 10;

impl Engine<'_> {
    /// Records that the driver of a run is alive, without a commit. If this fails, the agents are
    /// held responsible for changes over a longer time.
    pub fn drive_sign(&self, run: &RunId) {
        let Ok(cache) = CacheDir::make_below(&self.place.state, CACHE) else { return };
        let (name, old) = (file_name(run), format!("{}.old", file_name(run)));
        let _ = cache.append(&name, &old, ".", FULL);
    }

    /// Returns the time of the driver's last sign.
    pub(crate) fn last_sign(&self, run: &RunId) -> Option<Time> {
        let cache = CacheDir::open_below(&self.place.state, CACHE).ok()??;
        cache.seen_at(&file_name(run)).ok()?
    }
}

fn file_name(run: &RunId) -> String {
    format!("sign-{run}")
}
