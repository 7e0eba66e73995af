//! The worktrees that git knows, and the folder that it keeps for each.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::error::{YardError, at};
use super::git::Git;

/// A worktree that git knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Registered {
    /// Its folder, which may be gone.
    pub(super) folder: PathBuf,
    /// The branch that is checked out, without `refs/heads/`.
    pub(super) branch: Option<String>,
    /// Whether git was still making it.
    pub(super) is_unfinished: bool,
}

/// What git writes while it makes a worktree.
const UNFINISHED: &[u8] = b"locked initializing";
/// What git says to an option it does not know.
const USAGE: i32 = 129;

/// Lists the worktrees of the repository around `folder`.
pub(super) fn list(git: &Git, folder: &Path) -> Result<Vec<Registered>, YardError> {
    let ask = git.ask(folder, &["worktree", "list", "--porcelain", "-z"]);
    let said = ask.said()?;
    match said.exit {
        Some(0) => Ok(parse(&said.out)),
        Some(USAGE) => {
            let why = "this git is too old: 2.36 is needed".to_owned();
            Err(YardError::Odd { folder: folder.to_path_buf(), why })
        }
        Some(_) | None => Err(ask.failed(&said.complaint)),
    }
}

fn parse(out: &[u8]) -> Vec<Registered> {
    let mut found: Vec<Registered> = Vec::new();
    for line in out.split(|&byte| byte == 0) {
        if let Some(path) = line.strip_prefix(b"worktree ") {
            let folder = PathBuf::from(OsStr::from_bytes(path));
            found.push(Registered { folder, ..Registered::default() });
        } else if let Some(one) = found.last_mut() {
            if let Some(name) = line.strip_prefix(b"branch refs/heads/") {
                one.branch = Some(String::from_utf8_lossy(name).into_owned());
            }
            one.is_unfinished |= line == UNFINISHED;
        }
    }
    found
}

/// Returns the folder that git keeps for the worktree at `folder`, found from git's side, so that
/// what stands in the worktree itself does not matter.
pub(super) fn admin(common: &Path, folder: &Path) -> Result<Option<PathBuf>, YardError> {
    let all = common.join("worktrees");
    let entries = match std::fs::read_dir(&all) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at("read", all)(error)),
    };
    let link = folder.join(".git");
    for entry in entries {
        let path = entry.map_err(at("read", &all))?.path();
        // One that is being made has none yet.
        let Ok(text) = std::fs::read(path.join("gitdir")) else { continue };
        let named = text.strip_suffix(b"\n").unwrap_or(&text);
        if OsStr::from_bytes(named) == link.as_os_str() {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Removes a worktree whose files are nobody's work: its folder first, so that git knows of it for
/// as long as anything is left.
#[expect(clippy::disallowed_methods, reason = "a worktree is no state of ours")]
pub(super) fn raze(common: &Path, folder: &Path) -> Result<(), YardError> {
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

/// Removes the locks of a git that was ended while it held them. Whoever calls knows that no git
/// works in this worktree.
pub(super) fn unlock(common: &Path, folder: &Path, branch: &str) -> Result<(), YardError> {
    let Some(admin) = admin(common, folder)? else { return Ok(()) };
    let branch = common.join(format!("refs/heads/{branch}.lock"));
    forget(&[admin.join("index.lock"), admin.join("HEAD.lock"), branch])
}

/// Removes files; one that is not there is no fault.
#[expect(clippy::disallowed_methods, reason = "locks and caches of git are no state of ours")]
pub(super) fn forget(files: &[PathBuf]) -> Result<(), YardError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_git_is_read() {
        let out = b"worktree /a\0HEAD 1\0branch refs/heads/main\0\0worktree /b\nc\0HEAD 2\0detached\0\
            locked initializing\0\0worktree /d\0HEAD 3\0branch refs/heads/sprag/r-1\0locked mine\0\0";
        let found = parse(out);
        let branches: Vec<_> = found.iter().map(|one| one.branch.as_deref()).collect();
        assert_eq!(branches, [Some("main"), None, Some("sprag/r-1")]);
        assert_eq!(found[1].folder, Path::new("/b\nc"));
        let unfinished: Vec<_> = found.iter().map(|one| one.is_unfinished).collect();
        assert_eq!(unfinished, [false, true, false]);
    }
}
