use std::borrow::Cow;
use std::cell::Cell;
use std::path::Path;

use sprag_core::DocPath;
use sprag_formats::MAX_BYTES;
use sprag_formats::gsd::{EntryType, Files, FolderEntry};
use sprag_store::{ExternalFiles, ListedKind, PathError};

/// How many entries a folder may have.
const MOST: usize = 20_000;
/// How many bytes are read in total.
const BYTES: u64 = 256 << 20;

/// A `.gsd` folder on disk.
#[derive(Debug)]
pub struct Disk {
    folder: ExternalFiles,
    left: Cell<u64>,
}

impl Disk {
    /// Opens a folder, or returns `None` if it does not exist.
    pub fn open(folder: &Path) -> Result<Option<Self>, PathError> {
        let found = ExternalFiles::open(folder)?;
        Ok(found.map(|folder| Self { folder, left: Cell::new(BYTES) }))
    }
}

impl Files for Disk {
    fn list(&self, folder: &str) -> Result<Option<Vec<FolderEntry>>, String> {
        let below = match folder {
            "" => None,
            folder => Some(DocPath::parse(folder).map_err(|bad| bad.to_string())?),
        };
        let found = self.folder.list(below.as_ref()).map_err(|error| error.source.to_string())?;
        let Some(found) = found else { return Ok(None) };
        if found.len() > MOST {
            return Err(format!("it has {} names, the limit is {MOST}", found.len()));
        }
        let entry = |(name, kind)| {
            let found = match kind {
                ListedKind::File => EntryType::File,
                ListedKind::Folder => EntryType::Folder,
                ListedKind::Other => EntryType::Other,
            };
            FolderEntry { name, found }
        };
        Ok(Some(found.into_iter().map(entry).collect()))
    }

    fn read(&self, path: &str) -> Result<Option<Cow<'_, str>>, String> {
        let path = DocPath::parse(path).map_err(|bad| bad.to_string())?;
        let read = self.folder.read_here(&path, MAX_BYTES as u64);
        let Some(bytes) = read.map_err(|error| error.source.to_string())? else { return Ok(None) };
        let left = self.left.get().checked_sub(bytes.len() as u64);
        self.left.set(left.unwrap_or(0));
        if left.is_none() {
            return Err(format!("more than {BYTES} bytes of a tree are not read"));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(Cow::Owned(text))),
            Err(bad) => Err(format!("byte {} is not UTF-8", bad.utf8_error().valid_up_to())),
        }
    }
}
