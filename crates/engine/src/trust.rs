//! Which commands of which projects a person has approved.
//!
//! Commands of a project run only where a person approved their digest. That is kept outside the
//! project, so that nothing of a cloned repository can say it of itself. A file that cannot be
//! read is no approval of anything, and its reason is said.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sprag_core::Hash;
use sprag_store::{Lasting, PathError, Shelf, StoreError};

#[cfg(test)]
mod tests;

/// The file's name in its folder.
pub const FILE: &str = "trust.json";
const VERSION: u32 = 1;
const MAX: u64 = 4 << 20;
const WAIT: Duration = Duration::from_secs(5);

/// What a person has approved.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    roots: BTreeMap<String, BTreeSet<Hash>>,
    fault: Option<String>,
}

#[derive(Deserialize, Serialize)]
struct Stored {
    v: u32,
    roots: BTreeMap<String, BTreeSet<Hash>>,
}

/// Why an approval was not recorded or taken back.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// What is there cannot be read, and so must not be overwritten.
    #[error("`{}` cannot be read: {why}; repair or remove it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The system refused.
    #[error(transparent)]
    Path(#[from] PathError),
    /// Another process is writing.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the folder that holds the file: `$XDG_STATE_HOME/sprag`, else `~/.local/state/sprag`.
pub fn folder(state_home: Option<&OsStr>, home: Option<&Path>) -> Option<PathBuf> {
    let named = state_home.map(Path::new).filter(|path| path.is_absolute());
    let state = named.map(Path::to_path_buf).or_else(|| Some(home?.join(".local/state")))?;
    Some(state.join("sprag"))
}

/// Returns what stands for a command: its words, where it runs below the root, and the names of
/// the variables that the project adds to its environment.
pub fn digest(argv: &[String], folder: &str, variables: &[String]) -> Hash {
    Hash::of(serde_json::json!({ "argv": argv, "cwd": folder, "env": variables }).to_string())
}

impl Trust {
    /// Reads what is approved.
    pub fn read(folder: &Path) -> Self {
        match read(folder) {
            Ok(roots) => Self { roots, fault: None },
            Err(error) => Self { roots: BTreeMap::new(), fault: Some(error.to_string()) },
        }
    }

    /// Returns why nothing is trusted, where the file could not be read.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Returns whether a person approved this command in the project at `root`.
    pub fn covers(&self, root: &Path, digest: Hash) -> bool {
        let digests = key(root).ok().and_then(|key| self.roots.get(&key));
        digests.is_some_and(|digests| digests.contains(&digest))
    }

    /// Returns how many other projects a person approved something in, of those still there.
    pub fn others(&self, root: &Path) -> usize {
        let own = key(root).ok();
        let other = |known: &&String| Some(*known) != own.as_ref() && Path::new(known).is_dir();
        self.roots.keys().filter(other).count()
    }

    /// Returns whether anything was ever approved in the project at `root`.
    pub fn knows(&self, root: &Path) -> bool {
        key(root).is_ok_and(|key| self.roots.contains_key(&key))
    }
}

/// Records that a person approved these commands of the project at `root`.
pub fn add(folder: &Path, root: &Path, digests: &[Hash]) -> Result<(), TrustError> {
    change(folder, root, |known| known.extend(digests))
}

/// Takes approvals back; the project is forgotten with its last one.
pub fn remove(folder: &Path, root: &Path, digests: &[Hash]) -> Result<(), TrustError> {
    change(folder, root, |known| known.retain(|digest| !digests.contains(digest)))
}

/// Takes every approval of the project at `root` back.
pub fn forget(folder: &Path, root: &Path) -> Result<(), TrustError> {
    change(folder, root, BTreeSet::clear)
}

fn change(
    folder: &Path,
    root: &Path,
    change: impl FnOnce(&mut BTreeSet<Hash>),
) -> Result<(), TrustError> {
    let key = key(root)?;
    let shelf = make(folder)?;
    let turn = shelf.turn(WAIT)?;
    let mut roots = read(folder)?;
    change(roots.entry(key.clone()).or_default());
    roots.retain(|_, digests| !digests.is_empty());
    let text = serde_json::to_string_pretty(&Stored { v: VERSION, roots }).map_err(|error| {
        TrustError::Unreadable { path: folder.join(FILE), why: error.to_string() }
    })?;
    Ok(turn.write(FILE, format!("{text}\n").as_bytes(), 0o600, Lasting::Synced)?)
}

fn read(folder: &Path) -> Result<BTreeMap<String, BTreeSet<Hash>>, TrustError> {
    let bad = |why: String| TrustError::Unreadable { path: folder.join(FILE), why };
    let Some(shelf) = Shelf::open(folder)? else { return Ok(BTreeMap::new()) };
    let Some(bytes) = shelf.read(FILE, MAX)? else { return Ok(BTreeMap::new()) };
    if shelf.mode(FILE)?.is_some_and(|mode| mode & 0o022 != 0) {
        return Err(bad("others may write to it".to_owned()));
    }
    let stored: Stored = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    if stored.v > VERSION {
        return Err(bad(format!("it has version {}, and this sprag knows {VERSION}", stored.v)));
    }
    Ok(stored.roots)
}

/// Names a project by its real path; one that is not text gets its hash as well.
fn key(root: &Path) -> Result<String, PathError> {
    let real = std::fs::canonicalize(root).map_err(|source| PathError {
        action: "find",
        path: root.to_path_buf(),
        source,
    })?;
    if let Some(text) = real.to_str() {
        return Ok(text.to_owned());
    }
    let hash = Hash::of(real.as_os_str().as_encoded_bytes()).short(16);
    Ok(format!("{} #{hash}", real.to_string_lossy()))
}

/// Opens the folder and makes what is missing of the way to it.
pub(crate) fn make(folder: &Path) -> Result<Shelf, PathError> {
    if let Some(shelf) = Shelf::open(folder)? {
        return Ok(shelf);
    }
    match (folder.parent(), folder.file_name().and_then(OsStr::to_str)) {
        (Some(parent), Some(name)) => {
            make(parent)?;
            Shelf::make(parent, name)
        }
        (Some(_) | None, _) => Err(PathError {
            action: "make the folder",
            path: folder.to_path_buf(),
            source: std::io::ErrorKind::InvalidInput.into(),
        }),
    }
}
