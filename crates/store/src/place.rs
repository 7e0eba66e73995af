//! Which folder a document is reached from, and what the journal calls it.
//!
//! Linked worktrees of one repository share one journal: runs, sessions, agents and their inbox, the
//! turns of agents and what they left in doubt are those of the main worktree, everything else is each
//! worktree's own. So that two worktrees can have a
//! `.gsd/STATE.md` each, the journal writes a linked worktree's own documents as `NAME:PATH`.

use std::path::{Path, PathBuf};

use sprag_core::{DocPath, Hash};

use crate::dir::Dir;
use crate::error::PathError;
use crate::{copy, segment};

/// Where a project is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder of this worktree's documents.
    pub root: PathBuf,
    /// The folder whose `.sprag` holds runs, journal, sessions, agents and lock: the same, or the
    /// main worktree.
    pub state: PathBuf,
    /// The repository's common git folder: it leads to linked worktrees, and keeps the journal's copy.
    pub common: Option<PathBuf>,
    /// The way from a worktree's top to the project in it; the same in every worktree.
    pub below: PathBuf,
    /// The linked worktree this is.
    pub worktree: Option<Worktree>,
}

/// The name git has for a linked worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree(pub String);

impl Place {
    /// Returns the place of a project without linked worktrees.
    pub fn of(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { state: root.clone(), root, common: None, below: PathBuf::new(), worktree: None }
    }

    /// Returns whether the git folder has a copy of the project's journal: one look at the disk.
    pub fn has_copy(&self) -> bool {
        let copy = |common: &PathBuf| common.join(copy::HOME).join(copy_name(&self.below));
        self.common.as_ref().is_some_and(|common| copy(common).is_dir())
    }
}

/// Returns the name of the journal's copy of a project that is so far below its repository's top.
fn copy_name(below: &Path) -> String {
    match below.as_os_str() {
        top if top.is_empty() => segment::FOLDER.to_owned(),
        below => {
            let hash = Hash::of(below.as_encoded_bytes()).short(16);
            format!("{}-{hash}", segment::FOLDER)
        }
    }
}

/// The name of a document in the journal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) String);

impl std::fmt::Display for Key {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

impl Key {
    /// A path whose first name has a colon is written with a colon before it, so that the name
    /// is not taken for a worktree's.
    pub(crate) fn plain(path: &DocPath) -> Self {
        let colon = path.names().next().is_some_and(|first| first.contains(':'));
        Self(format!("{}{path}", if colon { ":" } else { "" }))
    }

    /// Returns whether the document is one of the main worktree.
    pub(crate) fn is_main(&self) -> bool {
        self.split().0.is_none()
    }

    /// Returns it as it stands in a line of the journal.
    pub(crate) fn quoted(&self) -> String {
        serde_json::Value::String(self.0.clone()).to_string()
    }

    fn split(&self) -> (Option<&str>, &str) {
        match self.0.split_once(':') {
            Some(("", path)) => (None, path),
            Some((name, path)) if !name.contains('/') => (Some(name), path),
            _ => (None, &self.0),
        }
    }
}

/// The folders that documents are reached from.
#[derive(Debug)]
pub(crate) struct Bases {
    root: Dir,
    /// The main worktree, where it is another folder than `root`.
    main: Option<Dir>,
    common: Option<PathBuf>,
    below: PathBuf,
    worktree: Option<Worktree>,
}

/// A document found: the folder to start from and the path from there.
pub(crate) struct Spot<'a> {
    base: Base<'a>,
    pub(crate) path: DocPath,
}

/// Our own bases are lent; that of another worktree is opened for the occasion.
enum Base<'a> {
    Lent(&'a Dir),
    Opened(Dir),
}

impl Spot<'_> {
    pub(crate) fn base(&self) -> &Dir {
        match &self.base {
            Base::Lent(dir) => dir,
            Base::Opened(dir) => dir,
        }
    }
}

impl Bases {
    pub(crate) fn open(place: &Place) -> Result<Self, PathError> {
        let root = Dir::base(&place.root)?;
        let apart = place.state != place.root;
        let main = if apart { Some(Dir::base(&place.state)?) } else { None };
        let (common, below) = (place.common.clone(), place.below.clone());
        Ok(Self { root, main, common, below, worktree: place.worktree.clone() })
    }

    /// Returns the name of the linked worktree that this is; the main one has an empty name.
    pub(crate) fn worktree(&self) -> &str {
        self.worktree.as_ref().map_or("", |worktree| &worktree.0)
    }

    /// Returns the folder whose `.sprag` is the state's.
    pub(crate) fn main(&self) -> &Dir {
        self.main.as_ref().unwrap_or(&self.root)
    }

    pub(crate) fn key(&self, doc: &DocPath) -> Key {
        match &self.worktree {
            Some(Worktree(name)) if !is_shared(doc) => Key(format!("{name}:{doc}")),
            Some(_) | None => Key::plain(doc),
        }
    }

    /// Finds a document by its name in the journal; nothing when its worktree is gone.
    pub(crate) fn locate(&self, key: &Key) -> Option<Spot<'_>> {
        let (name, path) = key.split();
        let path = DocPath::parse(path).ok()?;
        let base = match (name, &self.worktree) {
            (None, _) => Base::Lent(self.main()),
            (Some(name), Some(own)) if own.0 == name => Base::Lent(&self.root),
            (Some(name), _) => Base::Opened(self.other(name)?),
        };
        Some(Spot { base, path })
    }

    /// Returns the folder outside the working tree that keeps a copy of the journal, and the name of
    /// the copy in it; nothing without git. A project below a repository's top has one of its own.
    pub(crate) fn copy(&self) -> Option<(&Path, String)> {
        Some((self.common.as_deref()?, copy_name(&self.below)))
    }

    /// Returns where a document's worktree should be, if git knows it and it is not there.
    pub(crate) fn away(&self, key: &Key) -> Option<PathBuf> {
        let known = self.common.as_ref()?.join("worktrees").join(key.split().0?);
        known.symlink_metadata().is_ok().then_some(known)
    }

    /// Opens another worktree, where git says it is.
    fn other(&self, name: &str) -> Option<Dir> {
        let name = DocPath::parse(&format!("worktrees/{name}")).ok()?;
        let git = Dir::base(self.common.as_ref()?).ok()?.folder(&name).ok()??;
        let text = git.read("gitdir", 4096).ok()??;
        // It may be relative to git's folder.
        let link = git.path().join(Path::new(std::str::from_utf8(&text).ok()?.trim_end()));
        Dir::base(&link.parent()?.join(&self.below)).ok()
    }
}

/// Returns whether all worktrees have this document in common.
fn is_shared(doc: &DocPath) -> bool {
    let mut names = doc.names();
    match (names.next(), names.next()) {
        (Some(".sprag"), Some(name)) => {
            // Agents in worktrees of their own have one inbox, or none of them would see the others;
            // and what one of them leaves in doubt outlives its worktree.
            ["runs", "sessions", "agents", "doubts", "doubts.json", "turns.json", "texts"]
                .contains(&name)
        }
        (Some(".chipset"), Some("state")) => true,
        (Some(_) | None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_in_a_name_is_not_a_worktree() {
        for path in ["a:b.md", "a:b/c.md", ".gsd/x:y.md", "plain.md"] {
            let path = DocPath::parse(path).unwrap();
            assert_eq!(Key::plain(&path).split(), (None, path.as_str()));
        }
        assert_eq!(Key("wt:.gsd/STATE.md".into()).split(), (Some("wt"), ".gsd/STATE.md"));
    }
}
