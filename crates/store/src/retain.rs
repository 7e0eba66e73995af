//! What is old enough to go.

use std::time::Duration;

use sprag_core::{DocPath, Id, Kind, Seq, Time};

use crate::blob;
use crate::commit::{Change, Committed, Edit};
use crate::dir::Dir;
use crate::error::{CommitError, PathError, StoreError};
use crate::line::Event;
use crate::segment;
use crate::store::{FOLDER, Store};

/// Keeps the newest `keep` segments and removes the others with their blobs.
pub(crate) fn forget_segments(journal: &Dir, keep: usize) -> Result<(), PathError> {
    let all = segment::all(journal)?;
    let old = all.len().saturating_sub(keep.max(1));
    for &first in &all[..old] {
        journal.remove(&segment::name(first))?;
    }
    let oldest = all.get(old).copied().unwrap_or(Seq(0));
    if old == 0 { Ok(()) } else { blob::forget(journal, oldest) }
}

impl Store {
    /// Removes a run for good: its document in a commit, then its folder.
    ///
    /// Which runs are old enough is the caller's to know. A folder that could not be removed whole
    /// is no run any more, because its document is gone.
    pub fn forget_run(
        &self,
        run: &Id,
        at: Time,
        actor: &str,
        wait: Duration,
    ) -> Result<Committed, CommitError<StoreError>> {
        let parse = |path: String| DocPath::parse(&path).map_err(|error| unknown(&path, &error));
        let folder = parse(format!("{FOLDER}/runs/{run}"))?;
        let doc = parse(format!("{folder}/run.yaml"))?;
        let event = Event {
            run: Some(run.clone()),
            kind: Kind::RunForgotten,
            data: serde_json::Value::Null,
        };
        let mut committed = self.commit(wait, |_| {
            let edits = vec![Edit::Remove { doc: doc.clone() }];
            Ok::<_, StoreError>(Change {
                at,
                actor: actor.to_owned(),
                events: vec![event.clone()],
                edits,
            })
        })?;
        if let Some(runs) = self.bases.main().folder_of(&folder)? {
            committed.unwritten.extend(remove_all(&runs, run.as_str(), DEEPEST).err());
        }
        Ok(committed)
    }
}

/// A run's folder has folders of files, and those none.
const DEEPEST: u32 = 4;

fn remove_all(parent: &Dir, name: &str, depth: u32) -> Result<(), PathError> {
    match parent.enter(name) {
        Ok(Some(folder)) if depth > 0 => {
            for below in folder.names()? {
                remove_all(&folder, &below, depth - 1)?;
            }
            parent.remove_folder(name)
        }
        Ok(Some(_)) => parent.remove_folder(name),
        Ok(None) => Ok(()),
        // Not a folder, or a link: the name goes, and nothing behind it.
        Err(_) => parent.remove(name),
    }
}

fn unknown(path: &str, why: &impl ToString) -> StoreError {
    StoreError::Unknown { path: path.into(), why: why.to_string() }
}
