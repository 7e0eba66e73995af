//! Reads the few things we need of a git repository from its files, and what git says of its
//! worktrees.
//!
//! A host hook has no time to start `git`, and status must work where git is not installed.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sprag_core::quoted;

mod config;
mod head;
mod link;
mod quiet;
mod switches;
#[cfg(test)]
mod tests;
mod worktrees;

pub use head::Head;
pub(crate) use quiet::local_git;
pub use quiet::{GitQuestion, QuietGit, without_git};
pub use worktrees::Registered;

/// A working tree and the folders git keeps for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    top: PathBuf,
    own: PathBuf,
    common: Option<PathBuf>,
}

/// Says which link of a git repository leads nowhere.
#[derive(Debug, thiserror::Error)]
#[error("git's `{}` cannot be used: {why}", path.display())]
pub struct GitError {
    /// The file that could not be read or followed.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// More than any link or configuration of git has; a larger file is not one.
const LIMIT: u64 = 1 << 20;

/// A repository that another one in the same place is not equal to.
#[derive(Debug)]
pub struct Repository {
    git: Git,
    /// The device and the inode of the folder that its worktrees share.
    id: (u64, u64),
    core: config::Core,
    /// An inode that somebody holds open is given to no other folder.
    _held: File,
}

impl Repository {
    /// Returns the repository around a folder, where there is one. The error says what of it is
    /// missing without which git does not take it for one, or has nothing of what was committed.
    pub(crate) fn around(folder: &Path) -> Result<Option<Self>, GitError> {
        let Some(git) = Git::around(folder)? else { return Ok(None) };
        let core = config::core(git.common())?;
        git.is_for_its_folder(&core)?;
        git.whole()?;
        let held = File::open(git.common()).map_err(unreadable(git.common()))?;
        let found = held.metadata().map_err(unreadable(git.common()))?;
        Ok(Some(Self { git, id: (found.dev(), found.ino()), core, _held: held }))
    }

    /// Says what became of it since somebody worked, and what to do, where it is not what it was.
    pub fn amiss(&self, who: &str) -> Option<String> {
        let why = match Self::around(&self.git.top) {
            Ok(Some(now)) if (&now.git, now.id) == (&self.git, self.id) => {
                let is_other = now.core != self.core;
                return is_other.then(|| broken(who, "its `core.bare` or `core.worktree` changed"));
            }
            Ok(_) => return Some(self.gone(who)),
            Err(error) => error.to_string(),
        };
        Some(broken(who, &why))
    }

    fn gone(&self, who: &str) -> String {
        let back = match self.git.main_worktree() {
            // The main one has everything but the link.
            Ok(Some(main)) => {
                let main = quoted(&main.to_string_lossy());
                format!("`git -C {main} worktree repair` puts it back, then resume")
            }
            Ok(None) | Err(_) => "put it back, then resume".to_owned(),
        };
        format!("the git repository is gone since `{who}` worked; {back}")
    }
}

/// Returns whether a text can only mean a commit.
pub(crate) fn is_commit(text: &str) -> bool {
    (40..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Says that a repository cannot be used since somebody worked, and what to do.
pub fn broken(who: &str, why: &str) -> String {
    format!("the git repository is broken since `{who}` worked: {why}; mend it, then resume")
}

impl Git {
    /// Returns the repository whose working tree holds `folder`, or nothing. A folder that only says
    /// that it belongs to a repository, which knows nothing of it, is in none.
    pub fn around(folder: &Path) -> Result<Option<Self>, GitError> {
        for top in folder.ancestors() {
            let dot = top.join(".git");
            let Ok(found) = std::fs::metadata(&dot) else { continue };
            let own = if found.is_dir() { dot } else { follow(&dot, "gitdir: ")? };
            let link = own.join("commondir");
            let common = if link.is_file() { Some(follow(&link, "")?) } else { None };
            let git = Self { top: top.to_path_buf(), own, common };
            return Ok(git.leads_back()?.then_some(git));
        }
        Ok(None)
    }

    /// Returns the folder that git keeps for this working tree.
    pub fn own(&self) -> &Path {
        &self.own
    }

    /// Returns the top of this working tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns the git folder that all worktrees of this repository share.
    pub fn common(&self) -> &Path {
        self.common.as_deref().unwrap_or(&self.own)
    }

    /// Returns the index of this working tree.
    pub fn index(&self) -> PathBuf {
        self.own.join("index")
    }

    /// Returns the name git has for this worktree if it is a linked one.
    pub fn worktree(&self) -> Option<&str> {
        self.common.as_ref().and_then(|_| self.own.file_name()?.to_str())
    }

    /// Returns the main working tree if this is a linked one.
    ///
    /// Nothing for the main one itself, for a submodule, and where there is no main one: a bare
    /// repository, or a git folder kept apart that does not say whose it is.
    pub fn main_worktree(&self) -> Result<Option<PathBuf>, GitError> {
        let Some(common) = &self.common else { return Ok(None) };
        let core = config::core(common)?;
        if core.bare {
            return Ok(None);
        }
        if let Some(worktree) = core.worktree {
            return resolve(&common.join("config"), &common.join(worktree)).map(Some);
        }
        Ok(common.parent().filter(|_| common.ends_with(".git")).map(Path::to_path_buf))
    }

    /// Returns the folder of a linked worktree, where git still has one of that name; its link to
    /// the repository may be gone.
    pub fn linked(common: &Path, name: &str) -> Option<PathBuf> {
        let link = link::back(&common.join("worktrees").join(name))?;
        link.parent().map(Path::to_path_buf)
    }

    /// Looks whether the settings let a person's git work in the folder as ours does.
    pub fn works_here(&self) -> Result<(), GitError> {
        self.is_for_its_folder(&config::core(self.common())?)
    }

    /// Looks whether the settings let git work in the folder; those of a linked worktree are about the
    /// main one.
    fn is_for_its_folder(&self, core: &config::Core) -> Result<(), GitError> {
        let config = self.common().join("config");
        let worktree = core.worktree.as_ref().map(|path| resolve(&config, &self.own.join(path)));
        let is_other = worktree.transpose()?.is_some_and(|path| !is_same(&path, &self.top));
        let why = match self.common {
            None if core.bare => "`core.bare` is set",
            None if is_other => "`core.worktree` is another folder",
            None | Some(_) => return Ok(()),
        };
        Err(fault(&config, why))
    }

    /// Looks for what makes a folder a repository, and for the commit that is checked out.
    fn whole(&self) -> Result<(), GitError> {
        let objects = self.common().join("objects");
        for folder in [&objects, &self.common().join("refs")] {
            if !folder.is_dir() {
                return Err(fault(folder, "it is missing"));
            }
        }
        let commit = match self.head() {
            Head::Branch { commit: Some(commit), .. } | Head::Detached { commit } => commit,
            Head::Branch { commit: None, .. } => return Ok(()),
            Head::Unknown if self.common().join("reftable").is_dir() => return Ok(()),
            Head::Unknown => {
                return Err(fault(&self.own.join("HEAD"), "it names no branch and no commit"));
            }
        };
        let (first, rest) = commit.split_at(2);
        let mut packs = std::fs::read_dir(objects.join("pack")).into_iter().flatten();
        let is_there = objects.join(first).join(rest).exists()
            || packs.next().is_some()
            || objects.join("info/alternates").exists();
        if is_there { Ok(()) } else { Err(fault(&objects, "what is checked out is not in it")) }
    }

    /// Returns the branch and commit that are checked out here.
    pub fn head(&self) -> Head {
        head::checked_out(&self.own, self.common())
    }
}

/// Reads the path that `link` names and finds the folder it leads to.
fn follow(link: &Path, prefix: &str) -> Result<PathBuf, GitError> {
    let text = read(link)?;
    let target = text.strip_prefix(prefix).map(|rest| rest.trim_end_matches(['\n', '\r']));
    match (target, link.parent()) {
        (Some(target), Some(folder)) if !target.is_empty() => resolve(link, &folder.join(target)),
        _ => Err(fault(link, "it names no folder")),
    }
}

fn resolve(link: &Path, target: &Path) -> Result<PathBuf, GitError> {
    let wrong = |error| fault(link, format!("`{}`: {error}", target.display()));
    std::fs::canonicalize(target).map_err(wrong)
}

fn is_same(one: &Path, other: &Path) -> bool {
    std::fs::canonicalize(other).is_ok_and(|other| one == other)
}

/// Takes what the system says of a file.
fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> GitError {
    move |error| fault(path, error.to_string())
}

fn fault(path: &Path, why: impl Into<String>) -> GitError {
    GitError { path: path.to_path_buf(), why: why.into() }
}

fn read(path: &Path) -> Result<String, GitError> {
    String::from_utf8(read_bytes(path)?).map_err(|_| fault(path, "it is no text"))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, GitError> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = sprag_store::peek(path).map_err(unreadable(path))?;
    file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable(path))?;
    if bytes.len() as u64 > LIMIT { Err(fault(path, "it is too large")) } else { Ok(bytes) }
}
