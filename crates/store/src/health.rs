//! Checks the state of a project, for commands such as doctor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sprag_core::{DocPath, Seq};

use crate::dir::Dir;
use crate::error::StoreError;
use crate::known::{Recent, RecentVersions};
use crate::place::Key;
use crate::store::{FOLDER, Store};
use crate::tail::Tail;
use crate::view::View;
use crate::{lock, temp};

/// The condition of a project's state.
#[derive(Debug)]
pub struct Health {
    pub journal: Journal,
    /// Documents whose committed text is not yet in their files.
    pub pending: Vec<String>,
    /// Files that killed processes left behind.
    pub leftovers: Vec<String>,
    /// Whether a writer is active now.
    pub busy: bool,
    /// Documents that other programs changed since the last checkpoint.
    pub foreign: Vec<String>,
    /// Documents that were brought forward after a kill or a reboot since the last checkpoint.
    pub redone: Vec<String>,
}

/// The condition of the journal.
#[derive(Debug)]
pub enum Journal {
    /// Nothing has been committed yet.
    Absent,
    /// Readable; this is its last line.
    Good(Seq),
    /// Unreadable: nothing can be committed until a person resolves it.
    Unknown(StoreError),
}

/// The paths that a commit must be able to write, if they exist.
const WRITTEN: [&str; 6] = [".", "lock", "journal", "runs", "sessions", "agents"];

impl Store {
    /// Returns the paths of the state that this process may not write.
    pub fn unwritable(&self) -> Result<Vec<PathBuf>, StoreError> {
        let Some(state) = self.state()? else { return Ok(Vec::new()) };
        let refused = WRITTEN.into_iter().filter(|name| state.refuses(name));
        Ok(refused.map(|name| state.path().join(name).components().collect()).collect())
    }

    /// Checks the state without changing anything.
    pub fn health(&self) -> Result<Health, StoreError> {
        let journal = self.journal()?;
        let mut health = Health {
            journal: Journal::Absent,
            pending: vec![],
            leftovers: vec![],
            busy: false,
            foreign: vec![],
            redone: vec![],
        };
        if let Some(state) = self.state()? {
            health.busy = lock::is_held(&state);
        }
        let Some(dir) = &journal else { return Ok(health) };
        let read = self.tail(Some(dir)).and_then(|tail| Ok((know(dir, &tail)?, tail)));
        let (known, homes) = match read {
            Ok((known, tail)) => {
                let view = View::new(&self.bases, Some(dir), &tail, &self.last_read, tail.next());
                health.pending = view.pending();
                if tail.segment.is_some() {
                    health.journal = Journal::Good(tail.last);
                }
                known
            }
            Err(error) => {
                health.journal = Journal::Unknown(error);
                Default::default()
            }
        };
        // The blobs are left out: there may be many, and the next write of a blob sweeps them.
        for folder in self.folders(&homes, &[FOLDER])? {
            let names = folder.names()?.into_iter().filter(|name| temp::is_one(name));
            health
                .leftovers
                .extend(names.map(|name| folder.path().join(name).display().to_string()));
        }
        if let Some(state) = self.state()? {
            health.busy |= lock::is_held(&state);
        }
        health.foreign = known.foreign.into_iter().collect();
        health.redone = known.redone.into_iter().collect();
        Ok(health)
    }

    /// Finishes an incomplete commit and removes what killed processes left behind.
    pub fn tidy(&self, wait: std::time::Duration) -> Result<(), StoreError> {
        let Some(state) = self.state()? else { return Ok(()) };
        let _lock = lock::take(&state, wait)?;
        crate::writer::Writer::open(self, &state)?;
        let Some(journal) = self.journal()? else { return Ok(()) };
        let (_, homes) = know(&journal, &self.tail(Some(&journal))?)?;
        for folder in self.folders(&homes, &[FOLDER, ".sprag/journal/blobs"])? {
            temp::sweep(&folder)?;
        }
        Ok(())
    }

    /// Returns the folders that contain documents, and `own`.
    fn folders(&self, homes: &Homes, own: &[&str]) -> Result<Vec<Dir>, StoreError> {
        let home = |key: &Key| {
            let spot = self.bases.locate(key)?;
            spot.base().folder_of(&spot.path).ok()?
        };
        let mut seen = BTreeSet::new();
        let mut folders: Vec<_> = homes
            .values()
            .filter_map(home)
            .filter(|dir| seen.insert(dir.path().to_owned()))
            .collect();
        for own in own {
            let Ok(path) = DocPath::parse(own) else { continue };
            if let Some(dir) = self.bases.main().folder(&path)?
                && seen.insert(dir.path().to_owned())
            {
                folders.push(dir);
            }
        }
        Ok(folders)
    }
}

/// Folders by name, each with a document that is or was in it.
type Homes = BTreeMap<String, Key>;

/// Returns the changes since the last checkpoint, and the folders of all documents that the journal
/// knows.
fn know(journal: &Dir, tail: &Tail) -> Result<(RecentVersions, Homes), StoreError> {
    let recent = Recent::read(journal, tail)?;
    let known = recent.known()?;
    let all = recent.inventory(journal)?.all(journal)?;
    let mut homes = Homes::new();
    for key in all.into_keys().chain(known.changed.keys().cloned()) {
        let (home, _) = key.0.rsplit_once('/').unwrap_or_default();
        if !homes.contains_key(home) {
            homes.insert(home.to_owned(), key);
        }
    }
    Ok((known, homes))
}
