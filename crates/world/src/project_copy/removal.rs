//! Removes a copy, whatever a gate left in it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// How many folders are opened so that they can be emptied.
const MOST_FOLDERS: usize = 50_000;

/// Removes a folder with its contents without following links. What cannot be removed stays in a
/// private folder until the next gate of the project.
#[expect(clippy::disallowed_methods, reason = "a copy is no state")]
pub(super) fn remove(top: &Path) {
    if std::fs::remove_dir_all(top).is_ok() {
        return;
    }
    // Some tools create folders that not even their owner may write to.
    open(top);
    let _ = std::fs::remove_dir_all(top);
}

/// Gives the owner access to every folder below one.
fn open(top: &Path) {
    let mut todo = vec![top.to_path_buf()];
    for _ in 0..MOST_FOLDERS {
        let Some(folder) = todo.pop() else { return };
        let is_folder = folder.symlink_metadata().is_ok_and(|found| found.is_dir());
        if !is_folder || std::fs::set_permissions(&folder, Permissions::from_mode(0o700)).is_err() {
            continue;
        }
        let inner = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        todo.extend(inner.map(|entry| entry.path()));
    }
}
