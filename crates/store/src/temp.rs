//! Files that are being written and have no name of their own yet.
//!
//! They are only made under the lock, so whoever holds it knows that every other one is a
//! leftover of a process that was killed.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::dir::{Dir, is_folder};
use crate::error::{Context, PathError};

const PREFIX: &str = ".sprag-tmp-";

/// Returns a name that no other temporary file has.
pub(crate) fn name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{PREFIX}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn is_one(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Writes a whole file under a temporary name, waits until the disk has it, and puts it in place.
/// An error leaves nothing behind.
pub(crate) fn place(folder: &Dir, file_name: &str, text: &str) -> Result<(), PathError> {
    sweep(folder)?;
    let temp = name();
    let mut file = folder.make(&temp, 0o666)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    let placed = written
        .context("write", folder.path_of(file_name))
        .and_then(|()| folder.rename(&temp, file_name));
    if placed.is_err() {
        let _ = folder.remove(&temp);
    }
    placed
}

/// Removes the leftovers in a folder; the caller holds the lock and has none of its own there.
pub(crate) fn sweep(folder: &Dir) -> Result<(), PathError> {
    for name in folder.names()? {
        // A folder of such a name is nothing of ours.
        if is_one(&name) && folder.stat(&name)?.is_some_and(|stat| !is_folder(&stat)) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}
