use rustix::fs::Stat;
use sprag_core::{DocPath, Time};

use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// Returns when each document of a folder was last written or touched, by name.
    pub fn seen(&self, folder: &DocPath) -> Result<Vec<(String, Time)>, StoreError> {
        let Some(spot) = self.bases.locate(&self.bases.key(folder)) else { return Ok(vec![]) };
        let Some(dir) = spot.base().folder(&spot.path)? else { return Ok(vec![]) };
        let mut seen = Vec::new();
        for name in dir.names()?.into_iter().filter(|name| !name.starts_with('.')) {
            // A document may be removed meanwhile.
            if let Some(stat) = dir.stat(&name)? {
                seen.push((name, touched(&stat)));
            }
        }
        Ok(seen)
    }

    /// Returns when a document was last written or touched, or `None` if it does not exist.
    pub fn seen_at(&self, doc: &DocPath) -> Result<Option<Time>, StoreError> {
        let Some(spot) = self.bases.locate(&self.bases.key(doc)) else { return Ok(None) };
        let Some(dir) = spot.base().folder_of(&spot.path)? else { return Ok(None) };
        Ok(dir.stat(spot.path.file_name())?.as_ref().map(touched))
    }
}

/// The modification time of a file.
pub(crate) fn touched(stat: &Stat) -> Time {
    let (seconds, nanos) = crate::sys::changed(stat);
    let millis = i64::try_from(nanos / 1_000_000).unwrap_or(0);
    Time::from_millis(seconds.saturating_mul(1000).saturating_add(millis))
}
