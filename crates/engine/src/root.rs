//! Finds the project a command or a host hook is about, and the folder that holds its state.
//!
//! This runs at every call of every host hook on the machine, most of them in folders that are not
//! ours, so the way to "no project here" is nothing but a handful of `stat` calls.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sprag_store::{Place, Worktree};

use crate::git::{Git, GitError};

#[cfg(test)]
mod tests;

/// What the search goes by, as values, so that a test can say them.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The working directory, absolute.
    pub folder: &'a Path,
    /// The person's home directory, which is never a project.
    pub home: Option<&'a Path>,
    /// The project that `SPRAG_ROOT` names.
    pub named: Option<&'a Path>,
}

/// Says why it cannot be told where the state is.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// `SPRAG_ROOT` names something that is not a folder.
    #[error("SPRAG_ROOT names `{}`, which is not a folder", path.display())]
    Named {
        /// What it names.
        path: PathBuf,
    },
    /// A folder on the way up cannot be looked into, so nobody knows whether it is a project.
    #[error("cannot look at `{}`: {source}", path.display())]
    Unreadable {
        /// What was looked for.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It would begin in the home directory.
    #[error("the home directory is never a project")]
    Home,
    /// The project is in a git worktree whose links cannot be followed.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The folder that is ours; anything of that name makes a root, so that a broken one is seen.
pub const STATE: &str = ".sprag";
/// The folders of the systems we speak with; each makes a root by itself.
pub const FOREIGN: [&str; 4] = [".gsd", ".chipset", ".thoughts", ".pi/workflows"];

/// Returns the project that `start` is in, or nothing.
pub fn find(start: Start<'_>) -> Result<Option<Place>, RootError> {
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

/// Returns the project that `start` is in, or what becomes one: the git top, else the folder itself.
/// Whoever begins something asks here.
pub fn find_or_new(start: Start<'_>) -> Result<Place, RootError> {
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
    // One buffer for every name that is looked at.
    let mut at = folder.to_path_buf();
    loop {
        if home.is_some_and(|home| home == at) {
            return Ok(None);
        }
        if is_root(&mut at)? {
            return Ok((!is_home(&at, home)).then_some(at));
        }
        if has(&mut at, ".git", |_| true)? {
            let linked = has(&mut at, ".git", std::fs::Metadata::is_file)? && is_shared(&at);
            return Ok(linked.then_some(at));
        }
        if !at.pop() {
            return Ok(None);
        }
    }
}

/// Returns whether a linked worktree that has nothing of ours has its runs in the main worktree.
/// Git links that lead nowhere are nobody's project.
fn is_shared(top: &Path) -> bool {
    let git = Git::around(top).ok().flatten().filter(|git| git.worktree().is_some());
    let main = git.and_then(|git| git.main_worktree().ok().flatten());
    main.is_some_and(|main| main.join(STATE).is_dir())
}

fn is_root(at: &mut PathBuf) -> Result<bool, RootError> {
    if has(at, STATE, |_| true)? {
        return Ok(true);
    }
    for name in FOREIGN {
        if has(at, name, |found| found.is_dir() || found.is_symlink())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the folder has `name` and it is as `wanted`.
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

/// Compares through symbolic links; asked only about a folder that would be a root otherwise.
fn is_home(at: &Path, home: Option<&Path>) -> bool {
    let same = |home: &Path| Some(identity(home)? == identity(at)?);
    home.and_then(same).unwrap_or(false)
}

/// Returns what no other folder has, whatever path leads to it.
fn identity(folder: &Path) -> Option<(u64, u64)> {
    folder.metadata().ok().map(|found| (found.dev(), found.ino()))
}

/// Adds the state's place: in a linked worktree it is that of the main worktree.
fn place(root: PathBuf) -> Result<Place, RootError> {
    let git = match Git::around(&root) {
        Ok(Some(git)) => git,
        Ok(None) => return Ok(Place::of(root)),
        // Wherever a broken link leads to, here a journal is that no other folder would have.
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
        // A worktree of a bare repository: there is nobody to share the state with.
        (None, Some(_)) => Place::of(root),
        (_, None) => Place { common, below, ..Place::of(root) },
    })
}
