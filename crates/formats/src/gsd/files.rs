//! The source of a tree: names and texts below `.gsd/`.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Names and texts below `.gsd/`, by paths with `/` between names. The empty path is `.gsd` itself.
pub trait Files {
    /// Lists a folder, sorted by name. Returns `None` if it does not exist.
    fn list(&self, folder: &str) -> Result<Option<Vec<FolderEntry>>, String>;

    /// Reads a file. Returns `None` if it does not exist.
    fn read(&self, path: &str) -> Result<Option<Cow<'_, str>>, String>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    pub name: String,
    pub found: EntryType,
}

/// The type of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryType {
    File,
    Folder,
    /// A link or a special file, which is never followed.
    Other,
}

#[derive(Clone, Debug, Default)]
pub struct Memory(pub BTreeMap<String, String>);

impl Files for Memory {
    fn list(&self, folder: &str) -> Result<Option<Vec<FolderEntry>>, String> {
        let below = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut found: BTreeMap<&str, EntryType> = BTreeMap::new();
        let from = self.0.range(below.clone()..);
        for rest in from.map_while(|(path, _)| path.strip_prefix(&below)) {
            match rest.split_once('/') {
                Some((name, _)) => found.insert(name, EntryType::Folder),
                None => found.insert(rest, EntryType::File),
            };
        }
        let entries =
            found.into_iter().map(|(name, found)| FolderEntry { name: name.to_owned(), found });
        Ok(Some(entries.collect::<Vec<_>>()).filter(|entries| !entries.is_empty()))
    }

    fn read(&self, path: &str) -> Result<Option<Cow<'_, str>>, String> {
        Ok(self.0.get(path).map(|text| Cow::Borrowed(text.as_str())))
    }
}
