//! Maps a document to the folder that contains it and to its name in the journal.
//!
//! Linked worktrees of one repository share one journal. Runs, sessions, agents and their inbox,
//! the agents' turns and their doubts belong to the main worktree; all other documents belong to
//! each worktree. Two worktrees can each have a `.gsd/STATE.md`, so the journal names a linked
//! worktree's own documents `NAME:PATH`.

use std::path::{Path, PathBuf};

use sprag_core::{DocPath, Hash};

use crate::dir::Dir;
use crate::error::PathError;
use crate::{copy, segment};

/// The folders of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder of this worktree's documents.
    pub root: PathBuf,
    /// The folder whose `.sprag` holds runs, journal, sessions, agents and lock: `root`, or the
    /// main worktree.
    pub state: PathBuf,
    /// The repository's common git folder. It lists the linked worktrees and holds the journal's
    /// copy.
    pub common: Option<PathBuf>,
    /// The path from a worktree's top to the project; the same in every worktree.
    pub below: PathBuf,
    /// The linked worktree of `root`; `None` for the main one.
    pub worktree: Option<Worktree>,
}

/// Git's name for a linked worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree(pub String);

impl Place {
    /// The place of a project without linked worktrees.
    pub fn of(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { state: root.clone(), root, common: None, below: PathBuf::new(), worktree: None }
    }

    /// Returns whether the git folder has a copy of the project's journal. Costs one system call.
    pub fn has_copy(&self) -> bool {
        let copy = |common: &PathBuf| common.join(copy::HOME).join(copy_name(&self.below));
        self.common.as_ref().is_some_and(|common| copy(common).is_dir())
    }
}

/// The name of the journal's copy, for a project at `below` in its repository.
fn copy_name(below: &Path) -> String {
    match below.as_os_str() {
        top if top.is_empty() => segment::FOLDER.to_owned(),
        below => {
            let hash = Hash::of(below.as_encoded_bytes()).short(16);
            format!("{}-{hash}", segment::FOLDER)
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) String);

impl std::fmt::Display for Key {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

impl Key {
    /// Names a document of the main worktree. A path whose first name contains a colon gets a
    /// leading colon, so that it is not read as a worktree's name.
    pub(crate) fn plain(path: &DocPath) -> Self {
        let colon = path.names().next().is_some_and(|first| first.contains(':'));
        Self(format!("{}{path}", if colon { ":" } else { "" }))
    }

    /// Returns whether the document belongs to the main worktree.
    pub(crate) fn is_main(&self) -> bool {
        self.split().0.is_none()
    }

    /// The name as a JSON string, as it appears in a journal line.
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

/// The open folders of a project's worktrees.
#[derive(Debug)]
pub(crate) struct Bases {
    root: Dir,
    /// The main worktree, if it is another folder than `root`.
    main: Option<Dir>,
    common: Option<PathBuf>,
    below: PathBuf,
    worktree: Option<Worktree>,
}

/// A document's location: a base folder and the path from there.
pub(crate) struct DocumentLocation<'a> {
    base: Base<'a>,
    pub(crate) path: DocPath,
}

/// Our own base folders are borrowed; another worktree's is opened on demand.
enum Base<'a> {
    Lent(&'a Dir),
    Opened(Dir),
}

impl DocumentLocation<'_> {
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

    /// The name of this linked worktree, or an empty string for the main one.
    pub(crate) fn worktree(&self) -> &str {
        self.worktree.as_ref().map_or("", |worktree| &worktree.0)
    }

    /// The folder whose `.sprag` holds the state.
    pub(crate) fn main(&self) -> &Dir {
        self.main.as_ref().unwrap_or(&self.root)
    }

    pub(crate) fn key(&self, doc: &DocPath) -> Key {
        match &self.worktree {
            Some(Worktree(name)) if !is_shared(doc) => Key(format!("{name}:{doc}")),
            Some(_) | None => Key::plain(doc),
        }
    }

    /// Locates a document by its name in the journal. Returns `None` if its worktree is gone.
    pub(crate) fn locate(&self, key: &Key) -> Option<DocumentLocation<'_>> {
        let (name, path) = key.split();
        let path = DocPath::parse(path).ok()?;
        let base = match (name, &self.worktree) {
            (None, _) => Base::Lent(self.main()),
            (Some(name), Some(own)) if own.0 == name => Base::Lent(&self.root),
            (Some(name), _) => Base::Opened(self.other(name)?),
        };
        Some(DocumentLocation { base, path })
    }

    /// The folder outside the working tree that holds the journal's copy, and the copy's name.
    /// `None` without git. Each project in a repository has its own copy.
    pub(crate) fn copy(&self) -> Option<(&Path, String)> {
        Some((self.common.as_deref()?, copy_name(&self.below)))
    }

    /// Returns git's folder for a document's worktree, if git still knows that worktree.
    pub(crate) fn away(&self, key: &Key) -> Option<PathBuf> {
        let known = self.common.as_ref()?.join("worktrees").join(key.split().0?);
        known.symlink_metadata().is_ok().then_some(known)
    }

    /// Opens another worktree at the path that git has recorded.
    fn other(&self, name: &str) -> Option<Dir> {
        let name = DocPath::parse(&format!("worktrees/{name}")).ok()?;
        let git = Dir::base(self.common.as_ref()?).ok()?.folder(&name).ok()??;
        let text = git.read("gitdir", 4096).ok()??;
        // The path may be relative to git's folder.
        let link = git.path().join(Path::new(std::str::from_utf8(&text).ok()?.trim_end()));
        Dir::base(&link.parent()?.join(&self.below)).ok()
    }
}

/// Returns whether all worktrees share this document.
fn is_shared(doc: &DocPath) -> bool {
    let mut names = doc.names();
    match (names.next(), names.next()) {
        (Some(".sprag"), Some(name)) => {
            // Agents in separate worktrees share one inbox, or they would not see each other. A
            // doubt that an agent leaves behind outlives its worktree.
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
