use std::borrow::Cow;

use sprag_core::DocPath;
use sprag_formats::gsd::{EntryType, Files, FolderEntry};
use sprag_store::{Doc, Listing, View};

use crate::integrity::in_force;

/// The possible names of the document with a tree's rules.
const PREFERENCES: [&str; 2] = ["PREFERENCES.md", "preferences.md"];

/// The documents below `.gsd/`, as a decision sees them. Everything it read is checked again before
/// the commit.
pub(super) struct Documents<'v>(pub(super) &'v View<'v>);

impl Documents<'_> {
    fn path(below: &str) -> Result<DocPath, String> {
        let slash = if below.is_empty() { "" } else { "/" };
        DocPath::parse(&format!(".gsd{slash}{below}")).map_err(|bad| bad.to_string())
    }

    /// Lists the preferences that are in force, even if an agent deleted them.
    fn with_preferences(&self, mut names: Vec<String>) -> Result<Vec<String>, String> {
        for name in PREFERENCES {
            let is_there = in_force::document(self.0, &Self::path(name)?) != Doc::Absent;
            names.retain(|known| known != name);
            names.extend(is_there.then(|| name.to_owned()));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Returns the kind of an entry; documents have an extension, folders have none.
    fn found(&self, path: &str) -> EntryType {
        if path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
            return EntryType::File;
        }
        match Self::path(path).map(|path| self.0.list(&path)) {
            Ok(Listing::Names(_)) => EntryType::Folder,
            Ok(Listing::Absent) => EntryType::File,
            Ok(Listing::Unknown(_)) | Err(_) => EntryType::Other,
        }
    }
}

impl Files for Documents<'_> {
    fn list(&self, folder: &str) -> Result<Option<Vec<FolderEntry>>, String> {
        let names = match self.0.list(&Self::path(folder)?) {
            Listing::Names(names) => names,
            Listing::Absent => return Ok(None),
            Listing::Unknown(why) => return Err(why.to_string()),
        };
        let names = if folder.is_empty() { self.with_preferences(names)? } else { names };
        let below = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let entry = |name: String| {
            let found = self.found(&format!("{below}{name}"));
            FolderEntry { name, found }
        };
        Ok(Some(names.into_iter().map(entry).collect()))
    }

    fn read(&self, path: &str) -> Result<Option<Cow<'_, str>>, String> {
        let doc = Self::path(path)?;
        let read = if PREFERENCES.contains(&path) {
            in_force::document(self.0, &doc)
        } else {
            self.0.read(&doc)
        };
        match read {
            Doc::Text(text) => Ok(Some(Cow::Owned(text))),
            Doc::Absent => Ok(None),
            Doc::Unknown(why) => Err(why.to_string()),
        }
    }
}
