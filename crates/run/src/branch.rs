//! Notices when another branch is checked out in the folder where agents work.

use sprag_store::Place;
use sprag_world::git::{Git, GitHead};

/// The branch of a working folder when last checked.
#[derive(Debug)]
pub(crate) struct CheckedBranch {
    git: Option<Git>,
    last: Option<String>,
}

impl CheckedBranch {
    /// Records the current branch; without a repository there is none.
    pub(crate) fn of(place: &Place) -> Self {
        let git = Git::around(&place.root).ok().flatten();
        let last = git.as_ref().and_then(name);
        Self { git, last }
    }

    /// Returns the old and the new branch if it changed since the last call.
    pub(crate) fn moved(&mut self) -> Option<(String, String)> {
        let now = self.git.as_ref().and_then(name)?;
        let before = self.last.replace(now.clone())?;
        (before != now).then_some((before, now))
    }
}

/// Returns the name of the checked-out branch, or `None` if it cannot be read now.
fn name(git: &Git) -> Option<String> {
    match git.head() {
        GitHead::Branch { name, .. } => Some(name),
        GitHead::Detached { .. } => Some("no branch".to_owned()),
        GitHead::Unknown => None,
    }
}
