//! Finds the project that a command or a host hook is about, and the folder that holds its state.
//!
//! This runs at every call of every host hook on the machine, mostly in folders that are not ours.
//! The way to "no project here" is therefore only a handful of `stat` calls.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sprag_core::systems::SYSTEMS;
use sprag_store::{Place, Worktree};

use crate::git::{Git, GitError};

#[cfg(test)]
mod tests;

/// The inputs of the search, as values so that tests can set them.
#[derive(Clone, Copy, Debug)]
pub struct RootSearch<'a> {
    /// The working directory, absolute.
    pub folder: &'a Path,
    /// The person's home directory, which is never a project.
    pub home: Option<&'a Path>,
    /// The value of `SPRAG_ROOT`.
    pub named: Option<&'a Path>,
}

/// Why the search failed.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// `SPRAG_ROOT` is not a folder.
    #[error("SPRAG_ROOT names `{}`, which is not a folder", path.display())]
    Named { path: PathBuf },
    /// A parent folder cannot be read, so it is unknown whether it is a project.
    #[error("cannot look at `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// The new project would be the home directory.
    #[error("the home directory is never a project")]
    Home,
    /// The project is in a git worktree whose links are broken.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Our folder. An entry of any type with this name makes a root, so that a broken one is noticed.
pub const STATE: &str = ".sprag";
/// The copy of the journal, for a project at the top of a repository.
const COPY: &str = ".git/sprag/journal";

/// Returns the project around `start`, if any.
pub fn find(start: RootSearch<'_>) -> Result<Option<Place>, RootError> {
    if let Some(path) = start.named {
        let whole = start.folder.join(path);
        return match std::fs::canonicalize(&whole) {
            Ok(root) if root.is_dir() => place(root).map(Some),
            _ => Err(RootError::Named { path: whole }),
        };
    }
    match nearest(start.folder, start.home)? {
        Some(root) => place(root).map(Some),
        None => Ok(None),
    }
}

/// Returns the project around `start`, or the place of a new one: the git top, else the folder
/// itself. For verbs that begin something.
pub fn find_or_new(start: RootSearch<'_>) -> Result<Place, RootError> {
    if let Some(place) = find(start)? {
        return Ok(place);
    }
    let root = top(start.folder);
    if is_home(&root, start.home) {
        return Err(RootError::Home);
    }
    place(std::fs::canonicalize(&root).unwrap_or(root))
}

/// Returns the git top around a folder, else the folder itself.
pub fn top(folder: &Path) -> PathBuf {
    let git = Git::around(folder).ok().flatten();
    git.map_or_else(|| folder.to_path_buf(), |git| git.top().to_path_buf())
}

/// Walks up from `folder` to the first root, the git top or the home directory.
fn nearest(folder: &Path, home: Option<&Path>) -> Result<Option<PathBuf>, RootError> {
    // One buffer for all the paths that are checked.
    let mut at = folder.to_path_buf();
    loop {
        if home.is_some_and(|home| home == at) {
            return Ok(None);
        }
        if is_root(&mut at)? {
            return Ok((!is_home(&at, home)).then_some(at));
        }
        if has(&mut at, ".git", |_| true)? {
            // A project whose state was cleaned away is recognised by the copy of its journal.
            if has(&mut at, COPY, std::fs::Metadata::is_dir)? {
                return Ok((!is_home(&at, home)).then_some(at));
            }
            let is_linked = has(&mut at, ".git", std::fs::Metadata::is_file)?;
            return Ok(if is_linked { shared(&at, folder, home) } else { None });
        }
        if !at.pop() {
            return Ok(None);
        }
    }
}

/// Returns the project of the main worktree for a folder in a linked worktree without state of its
/// own. Broken git links belong to no project.
fn shared(top: &Path, folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let git = Git::around(top).ok().flatten().filter(|git| git.worktree().is_some())?;
    let main = git.main_worktree().ok().flatten()?;
    let is_project = |at: &&Path| {
        let there = at.strip_prefix(top).map(|below| main.join(below));
        there.is_ok_and(|there| {
            let is_there = |name: &str| there.join(name).symlink_metadata().is_ok();
            (is_there(STATE) || is_there(COPY)) && !is_home(&there, home)
        })
    };
    let mut inside = folder.ancestors().take_while(|at| at.starts_with(top));
    inside.find(is_project).map(Path::to_path_buf)
}

/// Returns the project in another worktree of the same repository, if `folder` is in one: an agent
/// may move there during a session.
pub fn in_worktree(place: &Place, folder: &Path) -> Option<Place> {
    let common = std::fs::canonicalize(place.common.as_ref()?).ok()?;
    let way = folder.ancestors().take_while(|at| *at != place.root);
    if folder.starts_with(&place.root) && !way.into_iter().any(|at| at.join(".git").exists()) {
        return None;
    }
    let git = Git::around(folder).ok().flatten()?;
    let is_same = std::fs::canonicalize(git.common()).is_ok_and(|other| other == common);
    let root = std::fs::canonicalize(git.top().join(&place.below)).ok()?;
    if !is_same || identity(&root)? == identity(&place.root)? {
        return None;
    }
    let is_main = identity(&root)? == identity(&place.state)?;
    let worktree = git.worktree().filter(|_| !is_main).map(|name| Worktree(name.to_owned()));
    Some(Place { root, worktree, ..place.clone() })
}

/// Returns the project in the worktree of this name, if that still exists. An empty name means the
/// main worktree.
pub fn at_worktree(place: &Place, name: &str) -> Option<Place> {
    if name.is_empty() {
        let root = place.state.clone();
        return Some(Place { root, worktree: None, ..place.clone() });
    }
    let folder = Git::linked(place.common.as_ref()?, name)?;
    let git = Git::around(&folder).ok().flatten().filter(|git| git.worktree() == Some(name))?;
    let root = git.top().join(&place.below);
    let worktree = Some(Worktree(name.to_owned()));
    root.is_dir().then(|| Place { root, worktree, ..place.clone() })
}

fn is_root(at: &mut PathBuf) -> Result<bool, RootError> {
    Ok(has(at, STATE, |_| true)? || is_foreign(at)?)
}

/// Returns whether a folder has the state of another system.
fn is_foreign(at: &mut PathBuf) -> Result<bool, RootError> {
    for system in SYSTEMS {
        if has(at, system.folder, |found| found.is_dir() || found.is_symlink())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether there are runs, sessions, agents or a journal.
pub fn has_state(place: &Place) -> bool {
    let state = place.state.join(STATE);
    let mut left = ["journal", "runs", "sessions", "agents"].into_iter();
    left.any(|name| state.join(name).symlink_metadata().is_ok())
}

/// How many files of our own are checked in search of one that counts.
const BARE: usize = 64;

/// Returns whether a folder holds any state that counts. An id, a lock and temporary files alone do
/// not: a process killed while claiming the project leaves them behind.
pub fn has_marks(top: &Path) -> bool {
    let state = top.join(STATE);
    let is_bare_name = |name: &OsStr| {
        let name = name.as_encoded_bytes();
        [&b"id"[..], b"lock"].contains(&name) || name.starts_with(b".sprag-tmp-")
    };
    let is_bare = state.symlink_metadata().is_ok_and(|found| found.is_dir())
        && std::fs::read_dir(&state).is_ok_and(|names| {
            let mut names = names.take(BARE + 1).enumerate();
            names.all(|(at, name)| {
                at < BARE && name.is_ok_and(|name| is_bare_name(&name.file_name()))
            })
        });
    if is_bare { is_foreign(&mut top.to_path_buf()) } else { is_root(&mut top.to_path_buf()) }
        .unwrap_or(true)
}

/// Returns whether the folder has an entry `name` for which `wanted` holds.
fn has(
    at: &mut PathBuf,
    name: &str,
    wanted: fn(&std::fs::Metadata) -> bool,
) -> Result<bool, RootError> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    at.push(name);
    let found = match at.symlink_metadata() {
        Ok(found) => Ok(wanted(&found)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(false),
        Err(source) => Err(RootError::Unreadable { path: at.clone(), source }),
    };
    // `.pi/workflows` is two names deep.
    for _ in name.split('/') {
        at.pop();
    }
    found
}

/// Compares through symbolic links. Only called for a folder that would otherwise be a root.
fn is_home(at: &Path, home: Option<&Path>) -> bool {
    let same = |home: &Path| Some(identity(home)? == identity(at)?);
    home.and_then(same).unwrap_or(false)
}

/// Returns the device and inode, which identify the folder through every path.
fn identity(folder: &Path) -> Option<(u64, u64)> {
    folder.metadata().ok().map(|found| (found.dev(), found.ino()))
}

/// Completes a root with the place of its state, which for a linked worktree is the main one.
fn place(root: PathBuf) -> Result<Place, RootError> {
    let git = match Git::around(&root) {
        Ok(Some(git)) => git,
        Ok(None) => return Ok(Place::of(root)),
        // The git link is broken, but a folder with its own journal is a project all the same.
        Err(_) if root.join(STATE).join("journal").is_dir() => return Ok(Place::of(root)),
        Err(error) => return Err(error.into()),
    };
    let common = Some(git.common().to_path_buf());
    let below = root.strip_prefix(git.top()).unwrap_or(Path::new("")).to_path_buf();
    Ok(match (git.main_worktree()?, git.worktree()) {
        (Some(main), Some(name)) => {
            let worktree = Some(Worktree(name.to_owned()));
            Place { state: main.join(&below), common, below, worktree, root }
        }
        // A worktree of a bare repository has no main worktree to share the state with.
        (None, Some(_)) | (_, None) => Place { common, below, ..Place::of(root) },
    })
}
