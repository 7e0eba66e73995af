//! A copy of the journal in the repository's common git folder, which `git clean` does not reach.
//!
//! The copy consists of hard links to the same files. It costs one system call per segment, never
//! lags behind, and is never torn or incomplete. Where a file cannot be linked (another disk,
//! another owner), its bytes are copied when a command or a driver ends. The copy is never read
//! while there is a journal; `restore.rs` restores from it.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Duration;

use rustix::fs::Stat;
use sprag_core::Seq;

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};
use crate::head::JournalHead;
use crate::store::Store;
use crate::{blob, failpoint, lock, scan, segment, sys, temp};

/// The folder for our files in the git folder.
pub(crate) const HOME: &str = "sprag";
/// The folder in it with the second names of texts that verdicts are compared with.
const TEXTS: &str = "texts";

/// What to do with a file that cannot be linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// Leave it to a later caller that has more time.
    Leave,
    Copy,
}

impl Store {
    /// Brings the copy up to date, copying bytes where links are impossible. Called at the end of a
    /// person's command, of a driver and of a session. Does nothing without git or without a
    /// journal.
    pub fn keep_copy(&self, wait: Duration) -> Result<(), StoreError> {
        let Some(state) = self.state()?.filter(|_| self.bases.copy().is_some()) else {
            return Ok(());
        };
        let _lock = lock::take(&state, wait)?;
        let Some(journal) = self.journal()? else { return Ok(()) };
        self.follow(&journal, Otherwise::Copy)
    }

    /// Removes the copy, when a person removes the project.
    pub fn forget_copy(&self) -> Result<(), StoreError> {
        let Some((home, name)) = self.copy_home()? else { return Ok(()) };
        for name in [aside(&name), name, TEXTS.to_owned()] {
            remove(&home, &name)?;
        }
        Ok(home.sync()?)
    }

    pub(crate) fn copy(&self) -> Result<Option<Dir>, PathError> {
        let Some((home, name)) = self.copy_home()? else { return Ok(None) };
        home.enter(&name)
    }

    /// Opens the folder that contains the copy, and returns the copy's name in it.
    fn copy_home(&self) -> Result<Option<(Dir, String)>, PathError> {
        let Some((common, name)) = self.bases.copy() else { return Ok(None) };
        Ok(Dir::base(common)?.enter(HOME)?.map(|home| (home, name)))
    }

    /// Links the journal's files into the copy.
    pub(crate) fn follow(&self, journal: &Dir, otherwise: Otherwise) -> Result<(), StoreError> {
        let Some((common, name)) = self.bases.copy() else { return Ok(()) };
        let live = segment::all(journal)?;
        let head = JournalHead::read(journal)?.1.map(|head| head.seg);
        if live.is_empty() || head.as_ref() != live.last() {
            // The journal may be in the middle of a removal, and then the copy is worth more than
            // the rest.
            return Ok(());
        }
        let home = Dir::base(common)?.enter_or_make(HOME)?;
        let mut copy = home.enter_or_make(&name)?;
        if is_other(&segment::all(&copy)?, &live) {
            remove(&home, &aside(&name))?;
            home.rename(&name, &aside(&name))?;
            copy = home.enter_or_make(&name)?;
        }
        let changed = each(journal, &copy, &live, otherwise)?;
        sweep(&copy)?;
        if live.len() >= self.settings.keep_segments {
            forget(journal, &copy, &live)?;
        }
        if changed && otherwise == Otherwise::Copy {
            copy.sync()?;
            home.sync()?;
        }
        Ok(())
    }
}

/// Returns whether the copy belongs to another journal: one that was set aside, could not be
/// restored, or has gone further than this one.
fn is_other(copy: &[Seq], live: &[Seq]) -> bool {
    let is_known = copy.iter().any(|first| live.contains(first));
    !copy.is_empty() && (!is_known || copy.last() > live.last())
}

/// The name of a copy that was set aside; there is at most one.
fn aside(name: &str) -> String {
    format!("{name}.aside")
}

/// Links every file of a journal, blobs before the lines that refer to them. Returns whether
/// anything changed.
fn each(journal: &Dir, copy: &Dir, live: &[Seq], otherwise: Otherwise) -> Result<bool, StoreError> {
    let mut changed = false;
    if let Some(blobs) = journal.enter(blob::FOLDER)? {
        let there = copy.enter_or_make(blob::FOLDER)?;
        let had: BTreeSet<String> = there.names()?.into_iter().collect();
        for name in blobs.names()?.iter().filter(|name| blob::is_one(name) && !had.contains(*name))
        {
            changed |= second(&blobs, &there, name, otherwise)?;
        }
    }
    let last = live.last();
    for first in live {
        let name = segment::name(*first);
        let (Some(own), other) = (journal.stat(&name)?, copy.stat(&name)?) else { continue };
        let is_same = |other: &Stat| {
            let is_copied = Some(first) != last && other.st_size == own.st_size;
            (other.st_dev, other.st_ino) == (own.st_dev, own.st_ino) || is_copied
        };
        if !other.as_ref().is_some_and(is_same) {
            changed |= second(journal, copy, &name, otherwise)?;
        }
    }
    Ok(changed)
}

/// Puts a file into the copy and replaces an old one in a single step, so that a kill leaves the
/// old or the new file. Returns whether the file is now in the copy.
pub(crate) fn second(
    from: &Dir,
    to: &Dir,
    name: &str,
    otherwise: Otherwise,
) -> Result<bool, StoreError> {
    failpoint::reach("copy.file").context("link", to.path_of(name))?;
    let linked = temp::claim(|temp| from.link(name, to, temp));
    let temp = match (linked, otherwise) {
        (Ok(((), temp)), _) => temp,
        (Err(_), Otherwise::Leave) => return Ok(false),
        (Err(_), Otherwise::Copy) => match copied(from, to, name)? {
            Some(temp) => temp,
            None => return Ok(false),
        },
    };
    let placed = failpoint::reach("copy.place")
        .context("replace", to.path_of(name))
        .and_then(|()| to.rename(&temp, name));
    // If both names already are the same file, `rename` does nothing and leaves the temporary name.
    to.remove(&temp)?;
    placed?;
    Ok(true)
}

/// Copies a file's bytes under a temporary name; of a segment only whole lines. Returns `None` if
/// the file is missing.
fn copied(from: &Dir, to: &Dir, name: &str) -> Result<Option<String>, StoreError> {
    let Some(mut bytes) = from.read(name, segment::MAX_READ)? else { return Ok(None) };
    if segment::parse(name).is_some() {
        let whole = scan::scan(&bytes, 0, None).map_err(|broken| StoreError::Unknown {
            path: from.path().join(name),
            why: format!("at byte {}: {}", broken.offset, broken.why),
        })?;
        bytes.truncate(usize::try_from(whole.end).unwrap_or(usize::MAX));
    }
    let (mut file, temp) = temp::claim(|temp| to.make(temp, 0o666))?;
    let written = file.write_all(&bytes).and_then(|()| sys::sync_data(&file));
    if let Err(source) = written {
        let _ = to.remove(&temp);
        return Err(PathError { action: "write", path: to.path_of(name).into(), source }.into());
    }
    Ok(Some(temp))
}

/// Removes leftovers of killed processes from the copy.
fn sweep(copy: &Dir) -> Result<(), PathError> {
    temp::sweep(copy)?;
    copy.enter(blob::FOLDER)?.map_or(Ok(()), |blobs| temp::sweep(&blobs))
}

/// Removes files from the copy that are no longer in the journal.
fn forget(journal: &Dir, copy: &Dir, live: &[Seq]) -> Result<(), StoreError> {
    for first in segment::all(copy)?.iter().filter(|first| !live.contains(first)) {
        copy.remove(&segment::name(*first))?;
    }
    let Some(there) = copy.enter(blob::FOLDER)? else { return Ok(()) };
    let blobs = journal.enter(blob::FOLDER)?.map(|blobs| blobs.names()).transpose()?;
    let blobs: BTreeSet<String> = blobs.unwrap_or_default().into_iter().collect();
    for name in there.names()?.iter().filter(|name| !blobs.contains(*name)) {
        there.remove(name)?;
    }
    Ok(())
}

/// Removes a copy and everything in it.
pub(crate) fn remove(home: &Dir, name: &str) -> Result<(), PathError> {
    let Some(copy) = home.enter(name)? else { return Ok(()) };
    if let Some(blobs) = copy.enter(blob::FOLDER)? {
        for name in blobs.names()? {
            blobs.remove(&name)?;
        }
        copy.remove_folder(blob::FOLDER)?;
    }
    for name in copy.names()? {
        copy.remove(&name)?;
    }
    home.remove_folder(name)
}
