//! Checkpoints: every 64 lines, the changed documents are synced and a line records it.
//!
//! A power cut may take documents back to an older version. The lines since the last checkpoint
//! bring them forward again.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use sprag_core::DocPath;
use sprag_core::event::Checkpoint;

use crate::apply;
use crate::dir::Dir;
use crate::error::{Context, PathError};
use crate::inventory::Inventory;
use crate::known::RecentVersions;
use crate::line::Event;
use crate::place::{Bases, Key};
use crate::tail::Tail;
use crate::{parallel_sync, segment, sys, temp};

/// The number of lines between two checkpoints.
const EVERY: u64 = 64;

/// The most files open for syncing at once; a process may open about a thousand.
const AT_ONCE: usize = 128;

/// A longer `.gitignore` is not ours.
const MAX_IGNORE_FILE: u64 = 64 << 10;
const IGNORE_FILE: &str = ".gitignore";
const IGNORED: &str = "\
# Written by sprag: what belongs to this machine and not to the repository.
# It names itself, so that `git clean` leaves it: without it, state would be committed.
/.gitignore
/runs/
/journal/
/journal.aside-*/
/aside-*/
/journal.restoring/
/sessions/
/agents/
/texts/
/doubts.json
/doubts/
/turns.json
/id
/cache/
/trace
/trace.old
/lock
";

/// Returns whether the next commit must start with a checkpoint, as every new segment does.
pub(crate) fn is_due(tail: &Tail) -> bool {
    tail.segment.is_none()
        || tail.end >= segment::FULL
        || tail.last.0 - tail.checkpoint.1.0 >= EVERY
}

pub(crate) fn event(inventory: &Inventory) -> Event {
    Event::new(None, Checkpoint { inventory: inventory.to_data() })
}

/// Syncs every document that changed since the last checkpoint, then each folder above one of them
/// once. Files are opened on the calling thread, because the allocator may keep for each thread
/// what it allocates.
pub(crate) fn sync(bases: &Bases, known: &RecentVersions) -> Result<(), PathError> {
    let documents: Vec<&Key> = known.changed.keys().collect();
    for some in documents.chunks(AT_ONCE) {
        let spots = some.iter().filter_map(|key| bases.locate(key));
        let opened = spots.map(|spot| Ok((apply::open_to_sync(&spot)?, spot)));
        let opened: Vec<_> = opened.collect::<Result<_, PathError>>()?;
        parallel_sync::each(&opened, |(file, spot)| {
            let synced = file.as_ref().map_or(Ok(()), sys::sync_data);
            synced.context("sync", spot.base().path_of(spot.path.as_str()))
        })?;
    }
    let folders: Vec<_> = folders(bases, &documents).into_values().collect();
    for some in folders.chunks(AT_ONCE) {
        let mut opened = Vec::with_capacity(some.len());
        for (key, doc) in some {
            let Some(spot) = bases.locate(key) else { continue };
            opened.extend(apply::folder_to_replace(spot.base(), doc)?);
        }
        opened.iter().for_each(temp::sweep_quietly);
        parallel_sync::each(&opened, Dir::sync)?;
    }
    Ok(())
}

/// Returns every folder on the way to the documents, each with a key and a path that lead into it.
fn folders<'k>(bases: &Bases, keys: &[&'k Key]) -> BTreeMap<PathBuf, (&'k Key, DocPath)> {
    let mut all = BTreeMap::new();
    for key in keys {
        let Some(spot) = bases.locate(key) else { continue };
        let mut below = Some(spot.path.clone());
        while let Some(at) = below {
            below = at.parent();
            let above = below.as_ref().map_or("", DocPath::as_str);
            let Entry::Vacant(new) = all.entry(spot.base().path().join(above)) else { break };
            new.insert((*key, at));
        }
    }
    all
}

/// Writes the ignore file that keeps machine state out of git. With `read`, a file from an older
/// version gets the lines that it lacks, and a person's additions stay.
pub(crate) fn write_ignore_file(state: &Dir, read: bool) -> Result<(), PathError> {
    let old = match state.stat(IGNORE_FILE)? {
        None => return temp::place(state, IGNORE_FILE, IGNORED),
        Some(_) if read => state.read(IGNORE_FILE, MAX_IGNORE_FILE).ok().flatten(),
        Some(_) => None,
    };
    match old.and_then(|old| lacking(std::str::from_utf8(&old).ok()?)) {
        Some(text) => temp::place(state, IGNORE_FILE, &text),
        None => Ok(()),
    }
}

/// Returns our older ignore file with the missing lines added. Returns `None` if none is missing or
/// if the file is not ours.
fn lacking(old: &str) -> Option<String> {
    let ours = IGNORED.lines().next()?;
    let has = |line: &&str| !old.lines().any(|there| there == *line);
    let new: Vec<&str> =
        IGNORED.lines().filter(|line| !line.starts_with('#')).filter(has).collect();
    let is_older = old.lines().next() == Some(ours) && !new.is_empty();
    is_older.then(|| format!("{}\n{}\n", old.trim_end(), new.join("\n")))
}
