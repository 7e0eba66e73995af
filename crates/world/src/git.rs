//! Reads the few facts that we need about a git repository from its files.
//!
//! A host hook has no time to start `git`, and status must work where git is not installed.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sprag_core::quoted;

mod config;
mod head;
mod link;
mod project;
mod quiet;
mod ref_state;
pub mod reflog;
mod switches;
#[cfg(test)]
mod tests;
mod uncommitted;
mod worktrees;

pub use head::GitHead;
pub use project::{ProjectGit, names};
pub use quiet::local_git;
pub use quiet::{GitQuestion, QuietGit, without_git};
pub use ref_state::RefState;
pub use uncommitted::{KnownUncommitted, Uncommitted, UncommittedAnswers};
pub use worktrees::Registered;

/// A working tree and the folders that git keeps for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    top: PathBuf,
    own: PathBuf,
    common: Option<PathBuf>,
}

/// A link or file of a git repository that is broken.
#[derive(Debug, thiserror::Error)]
#[error("git's `{}` cannot be used: {why}", path.display())]
pub struct GitError {
    /// The file that could not be read or followed.
    pub path: PathBuf,
    pub why: String,
}

/// The size limit for a link or configuration file. A larger file is not one of git's.
const LIMIT: u64 = 1 << 20;

/// A repository, with enough of its identity to notice that another one took its place.
#[derive(Debug)]
pub struct Repository {
    git: Git,
    /// The device and inode of the folder that its worktrees share.
    id: (u64, u64),
    core: config::Core,
    /// Held open so that the system gives its inode to no other folder.
    _held: File,
}

impl Repository {
    /// Returns the repository around a folder, if there is one. An error if a part is missing
    /// without which git would not recognise the repository or could not read its commits.
    pub fn around(folder: &Path) -> Result<Option<Self>, GitError> {
        let Some(git) = Git::around(folder)? else { return Ok(None) };
        let core = config::core(git.common())?;
        git.is_for_its_folder(&core)?;
        git.whole()?;
        let held = File::open(git.common()).map_err(unreadable(git.common()))?;
        let found = held.metadata().map_err(unreadable(git.common()))?;
        Ok(Some(Self { git, id: (found.dev(), found.ino()), core, _held: held }))
    }

    /// Returns the damage done to the repository since `who` worked, and how to repair it.
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
            // The main worktree is whole; only the link is missing.
            Ok(Some(main)) => {
                let main = quoted(&main.to_string_lossy());
                format!("`git -C {main} worktree repair` puts it back, then resume")
            }
            Ok(None) | Err(_) => "put it back, then resume".to_owned(),
        };
        format!("the git repository is gone since `{who}` worked; {back}")
    }
}

/// Returns whether a text is a full commit hash.
pub fn is_commit(text: &str) -> bool {
    (40..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Formats the message that `who` left the repository unusable, with the way out.
pub fn broken(who: &str, why: &str) -> String {
    format!("the git repository is broken since `{who}` worked: {why}; mend it, then resume")
}

impl Git {
    /// Returns the repository whose working tree holds `folder`. A folder that claims to belong to
    /// a repository which does not list it is in none.
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

    /// Returns the git folder of this working tree.
    pub fn own(&self) -> &Path {
        &self.own
    }

    /// Returns the top folder of this working tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns the git folder that all worktrees of this repository share.
    pub fn common(&self) -> &Path {
        self.common.as_deref().unwrap_or(&self.own)
    }

    pub fn index(&self) -> PathBuf {
        self.own.join("index")
    }

    /// Returns git's name for this worktree, if it is a linked one.
    pub fn worktree(&self) -> Option<&str> {
        self.common.as_ref().and_then(|_| self.own.file_name()?.to_str())
    }

    /// Returns the main working tree, if this is a linked one.
    ///
    /// `None` for the main one itself, for a submodule, and if there is no main one: in a bare
    /// repository, or in a separate git folder that does not record its worktree.
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

    /// Returns the folder of a linked worktree that git lists under this name. The folder's link
    /// back to the repository may be gone.
    pub fn linked(common: &Path, name: &str) -> Option<PathBuf> {
        let link = link::back(&common.join("worktrees").join(name))?;
        link.parent().map(Path::to_path_buf)
    }

    /// Checks that the settings let a person's git work in this folder as ours does.
    pub fn works_here(&self) -> Result<(), GitError> {
        self.is_for_its_folder(&config::core(self.common())?)
    }

    /// Checks that the settings let git work in this folder. In a linked worktree they are about
    /// the main one.
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

    /// Checks the parts that make a folder a repository, and the commit that is checked out.
    fn whole(&self) -> Result<(), GitError> {
        let objects = self.common().join("objects");
        for folder in [&objects, &self.common().join("refs")] {
            if !folder.is_dir() {
                return Err(fault(folder, "it is missing"));
            }
        }
        let commit = match self.head() {
            GitHead::Branch { commit: Some(commit), .. } | GitHead::Detached { commit } => commit,
            GitHead::Branch { commit: None, .. } => return Ok(()),
            GitHead::Unknown if self.common().join("reftable").is_dir() => return Ok(()),
            GitHead::Unknown => {
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

    pub fn head(&self) -> GitHead {
        head::checked_out(&self.own, self.common())
    }
}

/// Reads the path in the file `link` and resolves it to a folder.
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

/// Converts an I/O error on this path.
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
