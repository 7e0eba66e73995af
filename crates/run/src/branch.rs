//! Notices that somebody goes to another branch in the folder in which agents work.

use sprag_engine::git::{Git, Head};
use sprag_store::Place;

/// The branch of a working folder, as it was seen last.
#[derive(Debug)]
pub(crate) struct Branch {
    git: Option<Git>,
    last: Option<String>,
}

impl Branch {
    /// Begins to look; without a repository there is nothing to see.
    pub(crate) fn of(place: &Place) -> Self {
        let git = Git::around(&place.root).ok().flatten();
        let last = git.as_ref().and_then(name);
        Self { git, last }
    }

    /// Returns where it was and where it is now, the first time that it is somewhere else.
    pub(crate) fn moved(&mut self) -> Option<(String, String)> {
        let now = self.git.as_ref().and_then(name)?;
        let before = self.last.replace(now.clone())?;
        (before != now).then_some((before, now))
    }
}

/// Returns how people call what is checked out; nothing where that cannot be read now.
fn name(git: &Git) -> Option<String> {
    match git.head() {
        Head::Branch { name, .. } => Some(name),
        Head::Detached { .. } => Some("no branch".to_owned()),
        Head::Unknown => None,
    }
}
