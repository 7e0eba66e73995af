//! The record of one play: the output of each command and the files after it.

use std::collections::BTreeMap;
use std::path::Path;

/// How a command ended and what it printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// `exit 0`, or `signal 9`.
    pub(crate) exit: String,
}

/// One command and the world after it.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The command, as a reader would type it.
    pub(crate) what: String,
    pub(crate) said: Said,
    /// Every file of the world by its path; `None` while a driver runs in the background.
    pub(crate) files: Option<BTreeMap<String, String>>,
}

/// Returns whether a folder is a repository in git's own format; of it only the commits' names are
/// compared.
fn is_repository(name: &str) -> bool {
    name == ".git" || name == "forge.git"
}

/// The compared parts of a repository: the commit of each branch and worktree. Authors and dates
/// are fixed, so a commit id covers its files, its message and its history.
const OF_REPOSITORY: [&str; 4] = ["HEAD", "refs/", "packed-refs", "worktrees/"];

/// The compared parts of a linked worktree; git's other files contain times and numbers of the file
/// system.
const OF_WORKTREE: [&str; 2] = ["HEAD", "gitdir"];

/// Reads every compared file of a world.
pub(crate) fn files(top: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    collect(top, "", &mut found);
    found
}

fn collect(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (path, whole) = (entry.path(), format!("{below}{name}"));
        if crate::mask::is_left_out(&whole) {
            continue;
        }
        if path.is_symlink() {
            let target = std::fs::read_link(&path).unwrap();
            found.insert(whole, format!("-> {}", target.display()));
        } else if path.is_dir() && is_repository(&name) {
            repository(&path, "", &whole, found);
        } else if path.is_dir() {
            collect(&path, &format!("{whole}/"), found);
        } else {
            found.insert(whole, text(&path));
        }
    }
}

fn repository(folder: &Path, below: &str, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        let is_folder = entry.path().is_dir();
        let shown = if is_folder { format!("{name}/") } else { name.clone() };
        let is_read = OF_REPOSITORY.iter().any(|one| shown.starts_with(one))
            && (is_folder
                || !shown.starts_with("worktrees/")
                || shown.split('/').nth(2).is_some_and(|file| OF_WORKTREE.contains(&file)));
        if is_folder && is_read {
            repository(&entry.path(), &shown, prefix, found);
        } else if is_read {
            found.insert(format!("{prefix}/{name}"), text(&entry.path()));
        }
    }
}

fn text(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}
