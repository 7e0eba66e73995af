//! Documents that were removed or changed by others after we wrote them.
//!
//! A missing document is not an empty one: its last text counts until a person decides otherwise, so
//! the journal must keep it as the known version. A decision that asks here does not record the loss,
//! and can have the last text.

use sprag_core::DocPath;

use crate::doc::{Doc, Version};
use crate::error::StoreError;
use crate::rebuild;
use crate::view::View;

impl View<'_> {
    /// Returns whether a document is gone that the journal left with a text. As long as only this is
    /// asked, commits do not note the loss, and every later look finds it as well.
    pub fn is_lost(&self, doc: &DocPath) -> bool {
        let is_lost =
            self.read(doc) == Doc::Absent && matches!(self.known(doc), Some(Version::Text(_)));
        if is_lost {
            self.leave_unsaid(doc);
        }
        is_lost
    }

    /// Returns the text in which the journal left a document, whatever its file has now; nothing
    /// where it left none.
    pub fn left(&self, doc: &DocPath) -> Result<Option<String>, StoreError> {
        match (self.known(doc), self.memory(doc)) {
            (Some(Version::Text(hash)), Some((journal, _, key))) => {
                rebuild::text(journal, &key, hash).map(Some)
            }
            (Some(Version::Text(_) | Version::Absent | Version::Unknown) | None, _) => Ok(None),
        }
    }

    /// Returns the names of the documents in a folder that the journal left with a text, sorted,
    /// whether they are still there or not.
    pub fn left_in(&self, folder: &DocPath) -> Result<Vec<String>, StoreError> {
        let Some((journal, recent, key)) = self.memory(folder) else { return Ok(Vec::new()) };
        let mut all = recent.inventory(journal)?.all(journal)?;
        all.extend(recent.known()?.changed);
        let prefix = format!("{key}/");
        let left = all.into_iter().filter(|(_, hash)| hash.is_some());
        let names = left.filter_map(|(key, _)| key.0.strip_prefix(&prefix).map(str::to_owned));
        Ok(names.filter(|name| !name.contains('/')).collect())
    }
}
