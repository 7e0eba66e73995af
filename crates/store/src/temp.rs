//! Temporary files.
//!
//! They are created only under the lock, so the lock's holder knows that every other one is a
//! leftover of a killed process. Leftovers are swept when another process's commit is finished, at
//! every checkpoint, and after a commit that used temporary names before the commit itself.

use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::dir::{Dir, is_folder};
use crate::error::{Context, PathError};
use crate::place::DocumentLocation;
use crate::sys;

const PREFIX: &str = ".sprag-tmp-";
/// How many leftovers of processes with our process id are skipped.
const TRIES: u32 = 64;

/// Returns a name that this process has not used before.
pub(crate) fn name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{PREFIX}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Creates an entry under a temporary name and returns it with its name. Tries other names if one
/// is taken.
pub(crate) fn claim<T>(
    mut make: impl FnMut(&str) -> Result<T, PathError>,
) -> Result<(T, String), PathError> {
    let mut tries = 1;
    loop {
        let name = name();
        match make(&name) {
            Ok(thing) => return Ok((thing, name)),
            Err(error) if error.source.kind() == ErrorKind::AlreadyExists && tries < TRIES => {}
            Err(error) => return Err(error),
        }
        tries += 1;
    }
}

pub(crate) fn is_one(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Writes and syncs a whole file under a temporary name, then renames it into place. An error
/// leaves nothing behind.
pub(crate) fn place(folder: &Dir, file_name: &str, text: &str) -> Result<(), PathError> {
    sweep(folder)?;
    let temp = name();
    let mut file = folder.make(&temp, 0o666)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| sys::sync_data(&file));
    let placed = written
        .context("write", folder.path_of(file_name))
        .and_then(|()| folder.rename(&temp, file_name));
    if placed.is_err() {
        let _ = folder.remove(&temp);
    }
    placed
}

/// Removes leftovers in a folder. The caller holds the lock and has no temporary file there.
pub(crate) fn sweep(folder: &Dir) -> Result<(), PathError> {
    let mut found = Vec::new();
    for entry in folder.entries()? {
        let entry = entry.context("list", folder.path())?;
        found
            .extend(entry.file_name().to_str().ok().filter(|name| is_one(name)).map(str::to_owned));
    }
    for name in found {
        // A folder of such a name is not ours.
        if folder.stat(&name)?.is_some_and(|stat| !is_folder(&stat)) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}

/// Removes leftovers like [`sweep`], but ignores errors: doctor shows remaining files, and the next
/// checkpoint tries again.
pub(crate) fn sweep_quietly(folder: &Dir) {
    let _ = sweep(folder);
}

/// Removes leftovers beside a document like [`sweep_quietly`].
pub(crate) fn sweep_beside(spot: &DocumentLocation<'_>) {
    if let Ok(Some(folder)) = spot.base().folder_of(&spot.path) {
        sweep_quietly(&folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fail(kind: ErrorKind) -> PathError {
        PathError { action: "write", path: "x".into(), source: kind.into() }
    }

    #[test]
    fn a_name_that_is_taken_is_stepped_over_and_not_for_ever() {
        let mut names = Vec::new();
        let made = claim(|name| {
            names.push(name.to_owned());
            if names.len() < 3 { Err(fail(ErrorKind::AlreadyExists)) } else { Ok(7) }
        });
        assert_eq!(made.unwrap(), (7, names[2].clone()));
        assert!(names.iter().all(|name| is_one(name)) && names[0] != names[1]);
        let mut tries = 0;
        let mut taken = |kind: ErrorKind| {
            tries = 0;
            let failed = claim(|_| {
                tries += 1;
                Err::<(), _>(fail(kind))
            });
            (failed.unwrap_err().source.kind(), tries)
        };
        assert_eq!(taken(ErrorKind::AlreadyExists), (ErrorKind::AlreadyExists, TRIES));
        assert_eq!(taken(ErrorKind::StorageFull), (ErrorKind::StorageFull, 1));
    }
}
