//! Reads git's list of worktrees, and finds the administrative folder of each.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sprag_world::git::Registered;

use super::error::{WorktreesError, at};
use super::git::Git;

/// Lists the worktrees of the repository around `folder`.
pub(super) fn list(git: &Git, folder: &Path) -> Result<Vec<Registered>, WorktreesError> {
    let ask = git.ask(folder, &Registered::LIST);
    let said = ask.said()?;
    match said.exit {
        Some(0) => Ok(Registered::read(&said.out)),
        Some(Registered::USAGE) => {
            let why = "this git is too old: 2.36 is needed".to_owned();
            Err(WorktreesError::Odd { folder: folder.to_path_buf(), why })
        }
        Some(_) | None => Err(ask.failed(&said.complaint)),
    }
}

/// Returns git's administrative folder for the worktree at `folder`. It searches the repository, so
/// the contents of the worktree do not matter.
pub(super) fn admin(common: &Path, folder: &Path) -> Result<Option<PathBuf>, WorktreesError> {
    let all = common.join("worktrees");
    let entries = match std::fs::read_dir(&all) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at("read", all)(error)),
    };
    let link = folder.join(".git");
    for entry in entries {
        let path = entry.map_err(at("read", &all))?.path();
        // A worktree that is being created has no such file yet.
        let Ok(text) = std::fs::read(path.join("gitdir")) else { continue };
        let named = text.strip_suffix(b"\n").unwrap_or(&text);
        if OsStr::from_bytes(named) == link.as_os_str() {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Removes a worktree that holds no work. The folder goes first, so that git knows the worktree
/// until nothing of it is left.
#[expect(clippy::disallowed_methods, reason = "a worktree is no state of ours")]
pub(super) fn raze(common: &Path, folder: &Path) -> Result<(), WorktreesError> {
    let admin = admin(common, folder)?;
    for path in [Some(folder), admin.as_deref()].into_iter().flatten() {
        match std::fs::remove_dir_all(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(at("remove", path)(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Removes the locks of a git that was killed while it held them. The caller must ensure that no
/// git runs in this worktree.
pub(super) fn unlock(common: &Path, folder: &Path, branch: &str) -> Result<(), WorktreesError> {
    let Some(admin) = admin(common, folder)? else { return Ok(()) };
    let branch = common.join(format!("refs/heads/{branch}.lock"));
    forget(&[admin.join("index.lock"), admin.join("HEAD.lock"), branch])
}

/// Removes files; missing files are no error.
#[expect(clippy::disallowed_methods, reason = "locks and caches of git are no state of ours")]
pub(super) fn forget(files: &[PathBuf]) -> Result<(), WorktreesError> {
    for path in files {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(at("remove", path)(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}
