//! Documents that other programs removed or changed after we wrote them.
//!
//! A missing document is not an empty one: its last text counts until a person decides otherwise,
//! so the journal must keep that text as the known version. A decision that checks for a loss here
//! does not record the loss, and can read the last text.

use sprag_core::DocPath;

use crate::doc::{Doc, Version};
use crate::error::StoreError;
use crate::rebuild;
use crate::view::View;

impl View<'_> {
    /// Returns whether the journal left a document with a text and its file is now gone. A decision
    /// that checks this does not record the loss, so later decisions find it as well.
    pub fn is_lost(&self, doc: &DocPath) -> bool {
        let is_lost =
            self.read(doc) == Doc::Absent && matches!(self.known(doc), Some(Version::Text(_)));
        if is_lost {
            self.leave_unsaid(doc);
        }
        is_lost
    }

    /// Reads a document that only sprag writes. If its file is missing or was changed by another
    /// program, the text that the journal left counts, and the change is not recorded.
    pub fn read_remembered(&self, doc: &DocPath) -> Result<Doc, StoreError> {
        let read = self.read(doc);
        let known = self.known(doc).filter(|known| *known != read.version());
        Ok(match known {
            None | Some(Version::Unknown) => read,
            Some(Version::Absent) => {
                self.leave_unsaid(doc);
                Doc::Absent
            }
            Some(Version::Text(_)) => {
                self.leave_unsaid(doc);
                self.left(doc)?.map_or(read, Doc::Text)
            }
        })
    }

    /// Returns the text in which the journal left a document, whatever its file contains now, or
    /// `None` if the journal left none.
    pub fn left(&self, doc: &DocPath) -> Result<Option<String>, StoreError> {
        match (self.known(doc), self.memory(doc)) {
            (Some(Version::Text(hash)), Some((journal, _, key))) => {
                rebuild::text(journal, &key, hash).map(Some)
            }
            (Some(Version::Text(_) | Version::Absent | Version::Unknown) | None, _) => Ok(None),
        }
    }

    /// Returns the names of the documents in a folder that the journal left with a text, sorted,
    /// whether or not they still exist.
    pub fn left_in(&self, folder: &DocPath) -> Result<Vec<String>, StoreError> {
        let Some((journal, recent, key)) = self.memory(folder) else { return Ok(Vec::new()) };
        let prefix = format!("{key}/");
        let left = recent.left_below(journal, &prefix)?.into_iter();
        let names = left.filter_map(|key| key.0.strip_prefix(&prefix).map(str::to_owned));
        Ok(names.filter(|name| !name.contains('/')).collect())
    }
}
