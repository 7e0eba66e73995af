//! Records which projects belong to a person on this machine, and which commands and hosts the
//! person approved in each.
//!
//! Files in a project may have come with a clone or a copy, so they cannot vouch for themselves.
//! Approvals are therefore kept outside of every project: one deed per project, found by the
//! project's id. Without a deed nothing in a folder counts. An unreadable deed counts as none, and
//! its error is reported.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sprag_core::Hash;
use sprag_store::{CacheDir, Lasting, PathError, Place, StoreError};

use crate::{root, state_home};

mod first_release;
mod identity;
#[cfg(test)]
mod tests;

use identity::Root;

/// The folder of the deeds, below [`state_home::folder`].
const DEEDS: &str = "roots";
const VERSION: u32 = 1;
const MAX: u64 = 4 << 20;
/// The reason reported if there is no folder for deeds.
const NO_HOME: &str = "neither HOME nor XDG_STATE_HOME is set; set one of them";
const WAIT: Duration = Duration::from_secs(5);

/// A person's approvals in one project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deed {
    /// The digests of the approved commands.
    commands: BTreeSet<Hash>,
    /// The programs that a person named as hosts, as typed.
    hosts: BTreeSet<String>,
}

/// The owner of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Belongs {
    /// The person owns it: everything in it counts.
    Here(Deed),
    /// The person owns it and moved it: everything counts, and the person's next command records
    /// its new place.
    Moved(Deed),
    /// A copy of a project that is still where its deed says: nothing in it counts.
    Copy {
        /// The folder of the original project.
        of: PathBuf,
    },
    /// Its contents came from elsewhere: nothing in it counts.
    Elsewhere,
    /// It holds nothing that could count.
    New,
    /// The owner cannot be determined, so nothing in it counts.
    Unknown { why: String },
}

/// Why a deed could not be read or recorded.
#[derive(Debug, thiserror::Error)]
pub enum DeedError {
    /// The file exists but cannot be read, so it must not be overwritten.
    #[error("`{}` cannot be read: {why}; repair or remove it", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error(transparent)]
    Path(#[from] PathError),
    /// Another process is writing.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The stored form of a deed.
#[derive(Deserialize, Serialize)]
struct DeedFile {
    v: u32,
    root: Root,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    below: String,
    #[serde(default)]
    commands: BTreeSet<Hash>,
    #[serde(default)]
    hosts: BTreeSet<String>,
}

/// Returns the digest of a command: its words, its folder below the root, and the names of the
/// variables that the project adds to its environment.
pub fn digest(argv: &[String], folder: &str, variables: &[String]) -> Hash {
    Hash::of(serde_json::json!({ "argv": argv, "cwd": folder, "env": variables }).to_string())
}

impl Deed {
    /// Returns whether a person approved the command with this digest.
    pub fn covers(&self, digest: Hash) -> bool {
        self.commands.contains(&digest)
    }

    pub fn has_commands(&self) -> bool {
        !self.commands.is_empty()
    }

    /// Returns whether a person named this program as a host.
    pub fn has_host(&self, typed: &str) -> bool {
        self.hosts.contains(typed)
    }
}

impl Belongs {
    /// Determines the owner of a place. `folder` holds the person's deeds.
    pub fn of(place: &Place, folder: Option<&Path>) -> Self {
        match find(place, folder) {
            Ok(found) => found,
            Err(error) => Self::Unknown { why: error.to_string() },
        }
    }

    /// Returns the deed, if the project is the person's.
    pub fn deed(self) -> Option<Deed> {
        match self {
            Self::Here(deed) | Self::Moved(deed) => Some(deed),
            Self::Copy { .. } | Self::Elsewhere | Self::New | Self::Unknown { .. } => None,
        }
    }

    /// Returns whether the contents of the folder count.
    pub const fn counts(&self) -> bool {
        matches!(self, Self::Here(_) | Self::Moved(_))
    }
}

fn find(place: &Place, folder: Option<&Path>) -> Result<Belongs, DeedError> {
    let Some(folder) = folder else {
        return Ok(Belongs::Unknown { why: NO_HOME.to_owned() });
    };
    if let Some(found) = recorded(place, folder)? {
        return Ok(found);
    }
    if ![&place.root, &place.state].into_iter().any(|top| root::has_marks(top)) {
        return Ok(Belongs::New);
    }
    // A person's deed is written before anything that could count, and another process may have
    // written both since the first look. So look again.
    Ok(recorded(place, folder)?.unwrap_or(Belongs::Elsewhere))
}

/// Looks up the deed of a project.
fn recorded(place: &Place, folder: &Path) -> Result<Option<Belongs>, DeedError> {
    if let Some(found) = by_id(&Root::of(place), place, folder)? {
        return Ok(Some(found));
    }
    // A project without git may have become a repository since. A clone of a repository that keeps
    // its id in git has this file as well, so only the very same folder counts.
    let before = Root::before_git(place).map(|root| by_id(&root, place, folder)).transpose()?;
    if let Some(Belongs::Here(deed)) = before.flatten() {
        return Ok(Some(Belongs::Moved(deed)));
    }
    let commands = first_release::commands(folder, place)?;
    Ok(commands.map(|commands| Belongs::Moved(Deed { commands, ..Deed::default() })))
}

/// Looks up the deed by the id that a root stores.
fn by_id(root: &Root, place: &Place, folder: &Path) -> Result<Option<Belongs>, DeedError> {
    let Some(id) = root.read()? else { return Ok(None) };
    let Some(stored) = read(folder, &id.deed(&place.below))? else { return Ok(None) };
    if stored.root.is(root) {
        return Ok(Some(Belongs::Here(stored.deed())));
    }
    // If the id there cannot be read, the project was moved, and another may have taken its place.
    let is_still_there = stored.root.read().is_ok_and(|there| there.as_ref() == Some(&id));
    Ok(Some(if is_still_there {
        Belongs::Copy { of: stored.root.shown().join(&place.below).components().collect() }
    } else {
        Belongs::Moved(stored.deed())
    }))
}

/// Changes the deed of a project, or creates it, which makes the project the person's.
pub fn record(
    folder: &Path,
    place: &Place,
    change: impl FnOnce(&mut Deed),
) -> Result<(), DeedError> {
    let known = find(place, Some(folder))?;
    let root = Root::of(place).real();
    let of_another = match &known {
        Belongs::Copy { .. } => root.read()?,
        Belongs::Here(_)
        | Belongs::Moved(_)
        | Belongs::Elsewhere
        | Belongs::New
        | Belongs::Unknown { .. } => None,
    };
    let id = root.make(of_another.as_ref())?;
    let shelf = open(folder)?;
    let turn = shelf.turn(WAIT)?;
    let name = id.deed(&place.below);
    // Another process may have changed the deed meanwhile.
    let mut deed = match read(folder, &name)? {
        Some(stored) => stored.deed(),
        None => known.deed().unwrap_or_default(),
    };
    change(&mut deed);
    let below = place.below.to_string_lossy().into_owned();
    let Deed { commands, hosts } = deed;
    let stored = DeedFile { v: VERSION, root, below, commands, hosts };
    let text = serde_json::to_string_pretty(&stored).map_err(|error| DeedError::Unreadable {
        path: folder.join(DEEDS).join(&name),
        why: error.to_string(),
    })?;
    turn.write(&name, format!("{text}\n").as_bytes(), 0o600, Lasting::Synced)?;
    drop(turn);
    first_release::forget(folder, place)
}

pub fn approve(folder: &Path, place: &Place, digests: &[Hash]) -> Result<(), DeedError> {
    record(folder, place, |deed| deed.commands.extend(digests))
}

pub fn name_hosts(folder: &Path, place: &Place, hosts: &[String]) -> Result<(), DeedError> {
    record(folder, place, |deed| deed.hosts.extend(hosts.iter().cloned()))
}

/// Withdraws all approvals of commands and hosts in a project; the project stays the person's.
pub fn forget(folder: &Path, place: &Place) -> Result<(), DeedError> {
    if !find(place, Some(folder))?.counts() {
        return Ok(());
    }
    record(folder, place, |deed| *deed = Deed::default())
}

/// Counts the other projects that still exist and in which a person approved commands.
pub fn others(folder: &Path, place: &Place) -> usize {
    let own = Root::of(place).real();
    let is_other = |stored: &DeedFile| {
        !stored.commands.is_empty()
            && (stored.root != own || Path::new(&stored.below) != place.below)
            && stored.root.shown().join(&stored.below).is_dir()
    };
    let shelf = CacheDir::open_in(folder, DEEDS).ok().flatten();
    let names = shelf.and_then(|shelf| shelf.names().ok()).unwrap_or_default();
    let deeds = names.iter().filter_map(|name| read(folder, name).ok().flatten());
    deeds.filter(is_other).count() + first_release::others(folder, place)
}

impl DeedFile {
    fn deed(self) -> Deed {
        Deed { commands: self.commands, hosts: self.hosts }
    }
}

fn read(folder: &Path, name: &str) -> Result<Option<DeedFile>, DeedError> {
    let bad = |why: String| DeedError::Unreadable { path: folder.join(DEEDS).join(name), why };
    let Some(shelf) = CacheDir::open_in(folder, DEEDS)? else { return Ok(None) };
    let Some(bytes) = shelf.read(name, MAX)? else { return Ok(None) };
    if !shelf.is_written_by_us_alone(name)? {
        return Err(bad("other users may write it".to_owned()));
    }
    let stored: DeedFile =
        serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    if stored.v > VERSION {
        return Err(bad(format!("it has version {}, and this sprag knows {VERSION}", stored.v)));
    }
    Ok(Some(stored))
}

/// Opens the folder of the deeds, creating it and its parents if needed.
fn open(folder: &Path) -> Result<CacheDir, PathError> {
    state_home::make(folder)?;
    CacheDir::make_private(folder, DEEDS)
}
