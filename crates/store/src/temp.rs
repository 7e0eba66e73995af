//! Files that are being written and have no name of their own yet.
//!
//! They are only made under the lock, so whoever holds it knows that every other one is a
//! leftover of a process that was killed.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::dir::Dir;
use crate::error::PathError;

const PREFIX: &str = ".sprag-tmp-";

/// Returns a name that no other temporary file has.
pub(crate) fn name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{PREFIX}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn is_one(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Removes the leftovers in a folder; the caller holds the lock and has none of its own there.
pub(crate) fn sweep(folder: &Dir) -> Result<(), PathError> {
    for name in folder.names()? {
        if is_one(&name) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}
