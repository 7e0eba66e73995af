//! A copy of the journal in the repository's common git folder, where no cleaning of the working
//! tree reaches it.
//!
//! The copy is a second name of the same files: it costs one system call a segment, is never behind,
//! and is neither torn nor half there. Where a file cannot have two names (another disk, another
//! owner), its bytes are copied when a command or a driver ends. The copy is never asked as long as
//! there is a journal; `restore.rs` is the way back.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Duration;

use rustix::fs::Stat;
use sprag_core::Seq;

use crate::dir::Dir;
use crate::error::{Context, PathError, StoreError};
use crate::head::Head;
use crate::store::Store;
use crate::{blob, failpoint, lock, scan, segment, temp};

/// The folder of everything that is ours beside a repository.
pub(crate) const HOME: &str = "sprag";

/// What is done about a file that cannot have a second name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// It is left to whoever has more time.
    Leave,
    /// Its bytes are copied.
    Copy,
}

impl Store {
    /// Brings the copy up to the journal, also where its bytes must be copied: for the end of a
    /// person's command, of a driver and of a session. Does nothing without git or without a journal.
    pub fn keep_copy(&self, wait: Duration) -> Result<(), StoreError> {
        let Some(state) = self.state()?.filter(|_| self.bases.copy().is_some()) else {
            return Ok(());
        };
        let _lock = lock::take(&state, wait)?;
        let Some(journal) = self.journal()? else { return Ok(()) };
        self.follow(&journal, Otherwise::Copy)
    }

    /// Removes the copy: a person gives the project up.
    pub fn forget_copy(&self) -> Result<(), StoreError> {
        let Some((home, name)) = self.copy_home()? else { return Ok(()) };
        for name in [aside(&name), name] {
            remove(&home, &name)?;
        }
        Ok(home.sync()?)
    }

    /// Opens the copy, where there is one.
    pub(crate) fn copy(&self) -> Result<Option<Dir>, PathError> {
        let Some((home, name)) = self.copy_home()? else { return Ok(None) };
        home.enter(&name)
    }

    /// Opens the folder that the copy is in, and returns the name of the copy there.
    fn copy_home(&self) -> Result<Option<(Dir, String)>, PathError> {
        let Some((common, name)) = self.bases.copy() else { return Ok(None) };
        Ok(Dir::base(common)?.enter(HOME)?.map(|home| (home, name)))
    }

    /// Gives the files of the journal their second names.
    pub(crate) fn follow(&self, journal: &Dir, otherwise: Otherwise) -> Result<(), StoreError> {
        let Some((common, name)) = self.bases.copy() else { return Ok(()) };
        let live = segment::all(journal)?;
        let head = Head::read(journal)?.1.map(|head| head.seg);
        if live.is_empty() || head.as_ref() != live.last() {
            // Somebody may be cleaning just now: the copy is worth more than what is left.
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

/// Returns whether a copy is of another journal: one that was set aside, could not be restored, or
/// went further than this one.
fn is_other(copy: &[Seq], live: &[Seq]) -> bool {
    let is_known = copy.iter().any(|first| live.contains(first));
    !copy.is_empty() && (!is_known || copy.last() > live.last())
}

/// Returns the name of a copy that was set aside; there is at most one.
fn aside(name: &str) -> String {
    format!("{name}.aside")
}

/// Gives every file of a journal its second name, the texts before the lines that speak of them.
/// Returns whether there was something to do.
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

/// Gives a file its name in the copy, instead of whatever has it there: in one step, so that a kill
/// leaves the old one or the new one. Returns whether it has it now.
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
    // Where both are names of one file already, the rename leaves the temporary one behind.
    to.remove(&temp)?;
    placed?;
    Ok(true)
}

/// Copies the bytes of a file under a temporary name, of a segment only whole lines; nothing where
/// there are none.
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
    let written = file.write_all(&bytes).and_then(|()| file.sync_data());
    if let Err(source) = written {
        let _ = to.remove(&temp);
        return Err(PathError { action: "write", path: to.path_of(name).into(), source }.into());
    }
    Ok(Some(temp))
}

/// Removes what killed processes left in the copy.
fn sweep(copy: &Dir) -> Result<(), PathError> {
    temp::sweep(copy)?;
    copy.enter(blob::FOLDER)?.map_or(Ok(()), |blobs| temp::sweep(&blobs))
}

/// Removes from the copy what the journal has forgotten.
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

/// Removes a copy with everything in it.
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
