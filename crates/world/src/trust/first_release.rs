//! Reads the records of the first release, by a project's path: the approved commands, and the
//! files that `init` wrote. Such a project belongs to the person without a new claim; the person's
//! first command gives it a deed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sprag_core::Hash;
use sprag_store::{CacheDir, Lasting, PathError, Place};

use super::DeedError;
use crate::init_memory::Memory;
use crate::state_home;

const FILE: &str = "trust.json";
const MAX: u64 = 4 << 20;
const VERSION: u32 = 1;
const WAIT: Duration = Duration::from_secs(5);

type Roots = BTreeMap<String, BTreeSet<Hash>>;

#[derive(Deserialize, Serialize)]
struct TrustFile {
    v: u32,
    roots: Roots,
}

/// Returns the approved commands of a project, if the first release knew it.
pub(super) fn commands(folder: &Path, place: &Place) -> Result<Option<BTreeSet<Hash>>, DeedError> {
    let key = key(&place.state)?;
    if let Some(commands) = read(folder)?.remove(&key) {
        return Ok(Some(commands));
    }
    Ok(Memory::read(folder).knows_below(Path::new(&key)).then(BTreeSet::new))
}

/// Removes the record of a project that has a deed now.
pub(super) fn forget(folder: &Path, place: &Place) -> Result<(), DeedError> {
    let key = key(&place.state)?;
    if !read(folder)?.contains_key(&key) {
        return Ok(());
    }
    let shelf = state_home::make(folder)?;
    let turn = shelf.turn(WAIT)?;
    let mut roots = read(folder)?;
    roots.remove(&key);
    let text = serde_json::to_string_pretty(&TrustFile { v: VERSION, roots })
        .map_err(|error| bad(folder, error.to_string()))?;
    Ok(turn.write(FILE, format!("{text}\n").as_bytes(), 0o600, Lasting::Synced)?)
}

/// Counts the other projects in the records that still exist.
pub(super) fn others(folder: &Path, place: &Place) -> usize {
    let own = key(&place.state).ok();
    let is_other = |(known, commands): &(&String, &BTreeSet<Hash>)| {
        Some(*known) != own.as_ref() && !commands.is_empty() && Path::new(known).is_dir()
    };
    read(folder).map_or(0, |roots| roots.iter().filter(is_other).count())
}

fn read(folder: &Path) -> Result<Roots, DeedError> {
    let Some(shelf) = CacheDir::open(folder)? else { return Ok(Roots::new()) };
    let Some(bytes) = shelf.read(FILE, MAX)? else { return Ok(Roots::new()) };
    if !shelf.is_written_by_us_alone(FILE)? {
        return Err(bad(folder, "other users may write it".to_owned()));
    }
    let stored: TrustFile =
        serde_json::from_slice(&bytes).map_err(|error| bad(folder, error.to_string()))?;
    if stored.v > VERSION {
        let why = format!("it has version {}, and this sprag knows {VERSION}", stored.v);
        return Err(bad(folder, why));
    }
    Ok(stored.roots)
}

fn bad(folder: &Path, why: String) -> DeedError {
    DeedError::Unreadable { path: folder.join(FILE), why }
}

/// Names a project by its real path; one that is not UTF-8 gets its hash as well.
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
