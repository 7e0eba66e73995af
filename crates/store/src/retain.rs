//! Removes old journal segments and old runs.

use std::time::Duration;

use sprag_core::event::RunForgotten;
use sprag_core::{BadPath, DocPath, RunId, Seq, Time};

use crate::blob;
use crate::commit::{CommitRequest, Committed, Edit};
use crate::dir::{Dir, is_folder};
use crate::doc::{Doc, Listing};
use crate::error::{CommitError, Context, PathError, StoreError};
use crate::line::Event;
use crate::segment;
use crate::store::{FOLDER, Store};
use crate::view::View;

/// Keeps the newest `keep` segments. Removes the others with their blobs, except the blobs that the
/// last checkpoint names.
pub(crate) fn forget_segments(
    journal: &Dir,
    keep: usize,
    named: &[String],
) -> Result<(), PathError> {
    let all = segment::all(journal)?;
    let old = all.len().saturating_sub(keep.max(1));
    for &first in &all[..old] {
        journal.remove(&segment::name(first))?;
    }
    let oldest = all.get(old).copied().unwrap_or(Seq(0));
    if old == 0 { Ok(()) } else { blob::forget(journal, oldest, named) }
}

/// A run's folder contains folders of files, and those contain no more folders.
const DEEPEST: u32 = 4;
/// The number of documents removed per commit, so that their names fit in a line.
const AT_ONCE: usize = 64;
/// Enough for any run, and a limit in case another process keeps creating documents.
const ROUNDS: u32 = 1000;

/// A run that is being removed.
struct Parting<'a, O> {
    folder: DocPath,
    doc: DocPath,
    at: Time,
    actor: &'a str,
    is_old: O,
}

impl<O: Fn(&str) -> bool> Parting<'_, O> {
    /// Checks the run's document. Reading it here makes the commit decide again if it changes.
    fn is_due(&self, view: &View<'_>) -> Result<bool, StoreError> {
        match view.read(&self.doc) {
            Doc::Text(text) => Ok((self.is_old)(&text)),
            Doc::Absent => Ok(false),
            Doc::Unknown(why) => Err(std::io::Error::other(why))
                .context("read", self.doc.as_str())
                .map_err(Into::into),
        }
    }

    fn removal(&self, events: Vec<Event>, docs: Vec<DocPath>) -> CommitRequest {
        let edits = docs.into_iter().map(|doc| Edit::Remove { doc }).collect();
        CommitRequest { at: self.at, actor: self.actor.to_owned(), events, edits }
    }

    /// Removes some of the run's other documents.
    fn begin(&self, view: &View<'_>) -> Result<CommitRequest, StoreError> {
        let mut docs = Vec::new();
        if self.is_due(view)? {
            documents(view, &self.folder, DEEPEST, &mut docs).map_err(|error| unknown(&error))?;
        }
        docs.retain(|other| *other != self.doc);
        docs.truncate(AT_ONCE);
        Ok(self.removal(Vec::new(), docs))
    }

    /// Removes the run's own document.
    fn end(&self, view: &View<'_>, run: &RunId) -> Result<CommitRequest, StoreError> {
        if !self.is_due(view)? {
            return Ok(self.removal(Vec::new(), Vec::new()));
        }
        let event = Event::new(Some(run.clone()), RunForgotten);
        Ok(self.removal(vec![event], vec![self.doc.clone()]))
    }
}

impl Store {
    /// Removes a run for good if `is_old` returns true for its document, which is checked again in
    /// every commit. Otherwise commits nothing.
    ///
    /// The other documents go first, then the remaining files in its folder, and the run's own
    /// document in the last commit. So a kill leaves a run that is still old, or an empty folder.
    pub fn forget_run(
        &self,
        run: &RunId,
        (at, actor): (Time, &str),
        wait: Duration,
        is_old: impl Fn(&str) -> bool,
    ) -> Result<Committed, CommitError<StoreError>> {
        let folder = folder_of(run)?;
        let doc = folder.join("run.yaml").map_err(|error| unknown(&error))?;
        let parting = Parting { folder, doc, at, actor, is_old };
        for _ in 0..ROUNDS {
            let committed = self.commit(wait, |view| parting.begin(view))?;
            if committed.seq.is_none() {
                break;
            }
            if !committed.unwritten.is_empty() {
                return Ok(committed);
            }
        }
        if !self.read(|view| parting.is_due(view))? {
            return Ok(Committed::NOTHING);
        }
        self.empty(&parting.folder, parting.doc.file_name())?;
        let committed = self.commit(wait, |view| parting.end(view, run))?;
        if committed.seq.is_some()
            && let Some(runs) = self.bases.main().folder_of(&parting.folder)?
        {
            // An empty folder is not a run; the next run of that name reuses it.
            let _ = runs.remove_folder(run.as_str());
        }
        Ok(committed)
    }

    /// Returns the total size of a run's files in bytes.
    pub fn size_of_run(&self, run: &RunId) -> Result<u64, StoreError> {
        let folder = self.bases.main().folder(&folder_of(run)?)?;
        Ok(folder.map_or(Ok(0), |folder| size(&folder, DEEPEST))?)
    }

    /// Removes everything in a folder except one file.
    fn empty(&self, folder: &DocPath, but: &str) -> Result<(), StoreError> {
        let Some(folder) = self.bases.main().folder(folder)? else { return Ok(()) };
        for name in folder.names()?.iter().filter(|name| *name != but) {
            remove_all(&folder, name, DEEPEST)?;
        }
        Ok(())
    }
}

fn folder_of(run: &RunId) -> Result<DocPath, StoreError> {
    DocPath::parse(&format!("{FOLDER}/runs/{run}")).map_err(|error| unknown(&error))
}

/// Finds the documents in a folder and its subfolders. Skips other files.
fn documents(
    view: &View<'_>,
    folder: &DocPath,
    depth: u32,
    found: &mut Vec<DocPath>,
) -> Result<(), BadPath> {
    let Listing::Names(names) = view.list(folder) else { return Ok(()) };
    for name in names {
        let path = folder.join(&name)?;
        match view.list(&path) {
            Listing::Names(_) if depth > 0 => documents(view, &path, depth - 1, found)?,
            Listing::Names(_) => {}
            Listing::Absent | Listing::Unknown(_) => {
                found.extend(view.read(&path).text().is_some().then_some(path));
            }
        }
    }
    Ok(())
}

fn size(folder: &Dir, depth: u32) -> Result<u64, PathError> {
    let mut bytes = 0;
    for name in folder.names()? {
        bytes += match folder.stat(&name)? {
            Some(stat) if !is_folder(&stat) => u64::try_from(stat.st_size).unwrap_or(0),
            Some(_) if depth > 0 => {
                folder.enter(&name)?.map_or(Ok(0), |below| size(&below, depth - 1))?
            }
            Some(_) | None => 0,
        };
    }
    Ok(bytes)
}

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
        // Not a folder, or a link: remove only the name, nothing behind it.
        Err(_) => parent.remove(name),
    }
}

fn unknown(why: &BadPath) -> StoreError {
    StoreError::Unknown { path: FOLDER.into(), why: why.to_string() }
}
