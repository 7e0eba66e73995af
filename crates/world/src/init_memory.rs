//! Remembers the files that `init` wrote, outside of every project, so that `--undo` restores their
//! exact bytes.
//!
//! For each file it stores the path, the hash of the new text, and one splice that leads back. If
//! the file changed since, the splice does not apply, and undo removes only our entries. The
//! folder's lock lets only one `init` at a time write settings.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sprag_core::{Hash, Splice, apply, between};
use sprag_store::{CacheDir, CacheLock, Lasting, PathError, StoreError};

use crate::state_home;

const FILE: &str = "files.json";
const FOLDER: &str = "init";
const VERSION: u32 = 1;
const MAX: u64 = 16 << 20;
const WAIT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Wrote>,
}

/// The state of a file before `init` wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Was {
    /// It did not exist.
    Nothing,
    Text(String),
}

/// The record of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Wrote {
    /// The hash of the text that `init` wrote.
    after: Hash,
    /// The splice that leads back: from, to and the text between; `None` if `init` created the
    /// file.
    back: Option<(usize, usize, String)>,
    /// The folders that were created for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    folders: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    v: u32,
    files: BTreeMap<String, Wrote>,
}

impl Memory {
    /// Opens the folder of the memory, or creates it.
    pub fn shelf(state: &Path) -> Result<CacheDir, PathError> {
        state_home::make(state)?;
        CacheDir::make(state, FOLDER)
    }

    /// Waits for the lock that allows writing settings.
    pub fn turn(shelf: &CacheDir) -> Result<CacheLock<'_>, StoreError> {
        shelf.turn(WAIT)
    }

    /// Loads the memory. An unreadable one is dropped, which costs only the bytes around our
    /// entries.
    pub fn read(state: &Path) -> Self {
        let shelf = CacheDir::open(&state.join(FOLDER)).ok().flatten();
        let bytes = shelf.and_then(|shelf| shelf.read(FILE, MAX).ok().flatten());
        let stored = bytes.and_then(|bytes| serde_json::from_slice::<Stored>(&bytes).ok());
        let files = stored.filter(|stored| stored.v <= VERSION).map(|stored| stored.files);
        Self { files: files.unwrap_or_default() }
    }

    pub fn write(&self, turn: &CacheLock<'_>) -> Result<(), PathError> {
        let stored = Stored { v: VERSION, files: self.files.clone() };
        // Texts and numbers can always be serialized.
        let text = serde_json::to_string_pretty(&stored).unwrap_or_default() + "\n";
        turn.write(FILE, text.as_bytes(), 0o600, Lasting::Synced)
    }

    /// Records a change to a file. The state before the first change stays recorded.
    pub fn note(&mut self, path: &Path, before: Option<&str>, after: &str) {
        let Some(key) = path.to_str() else { return };
        let was = before.and_then(|text| self.was(path, text));
        let was =
            was.unwrap_or_else(|| before.map_or(Was::Nothing, |text| Was::Text(text.to_owned())));
        let folders = self.folders(path);
        let back = match was {
            Was::Nothing => None,
            Was::Text(old) => {
                let splice = between(after, &old);
                let same = || Splice { range: 0..0, text: String::new() };
                let Splice { range, text } = splice.unwrap_or_else(same);
                Some((range.start, range.end, text))
            }
        };
        self.files.insert(key.to_owned(), Wrote { after: Hash::of(after), back, folders });
    }

    /// Records the folders that were created for a file.
    pub fn note_folders(&mut self, path: &Path, folders: Vec<String>) {
        if let Some(wrote) = path.to_str().and_then(|key| self.files.get_mut(key)) {
            wrote.folders.extend(folders);
        }
    }

    /// Restores the older record of a file that was not written after all.
    pub fn take_back(&mut self, path: &Path, known: &Self) {
        let Some(key) = path.to_str() else { return };
        match known.files.get(key) {
            Some(wrote) => drop(self.files.insert(key.to_owned(), wrote.clone())),
            None => drop(self.files.remove(key)),
        }
    }

    /// Returns the earlier state of a file, if the file is still as `init` left it.
    pub fn was(&self, path: &Path, now: &str) -> Option<Was> {
        let wrote = self.files.get(path.to_str()?)?;
        if wrote.after != Hash::of(now) {
            return None;
        }
        let Some((from, to, text)) = &wrote.back else { return Some(Was::Nothing) };
        let splice = Splice { range: *from..*to, text: text.clone() };
        apply(now, &[splice]).ok().map(Was::Text)
    }

    pub fn knows(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|key| self.files.contains_key(key))
    }

    pub(crate) fn knows_below(&self, folder: &Path) -> bool {
        self.files.keys().any(|path| Path::new(path).starts_with(folder))
    }

    pub fn folders(&self, path: &Path) -> Vec<String> {
        let wrote = path.to_str().and_then(|key| self.files.get(key));
        wrote.map(|wrote| wrote.folders.clone()).unwrap_or_default()
    }

    pub fn forget(&mut self, path: &Path) {
        if let Some(key) = path.to_str() {
            self.files.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_text_is_remembered_through_every_change_of_ours() {
        let mut memory = Memory::default();
        let path = Path::new("/x/settings.json");
        memory.note(path, Some("{\"a\": []}\n"), "{\"a\": [1]}\n");
        memory.note(path, Some("{\"a\": [1]}\n"), "{\"a\": [1, 2]}\n");
        assert_eq!(memory.was(path, "{\"a\": [1, 2]}\n"), Some(Was::Text("{\"a\": []}\n".into())));
        assert_eq!(memory.was(path, "{\"a\": [1]}\n"), None, "another process changed it");
        memory.note(path, Some("{\"mine\": 1}\n"), "{\"mine\": 2}\n");
        assert_eq!(memory.was(path, "{\"mine\": 2}\n"), Some(Was::Text("{\"mine\": 1}\n".into())));
        memory.note(Path::new("/x/new"), None, "text");
        memory.note(Path::new("/x/new"), Some("text"), "longer text");
        assert_eq!(memory.was(Path::new("/x/new"), "longer text"), Some(Was::Nothing));
        memory.forget(path);
        assert!(!memory.knows(path));
    }

    #[test]
    fn it_is_kept_on_the_disk_and_a_broken_file_is_forgotten() {
        let scratch = tempfile::tempdir().unwrap();
        let state = scratch.path().join("a/sprag");
        let shelf = Memory::shelf(&state).unwrap();
        let turn = Memory::turn(&shelf).unwrap();
        let mut memory = Memory::default();
        memory.note(Path::new("/x"), Some("a"), "b");
        memory.write(&turn).unwrap();
        assert_eq!(Memory::read(&state).was(Path::new("/x"), "b"), Some(Was::Text("a".into())));
        turn.write(FILE, b"{", 0o600, Lasting::Cached).unwrap();
        assert!(!Memory::read(&state).knows(Path::new("/x")));
    }
}
