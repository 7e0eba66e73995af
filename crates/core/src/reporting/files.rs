use super::{At, Branch};
use crate::is_test;

/// Which files changed since a run began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// What it is compared with: a commit.
    pub since: String,
    /// The commit that is compared with it, where that is neither the files as they are nor what its
    /// branch ends with.
    pub until: Option<String>,
    /// Whether that commit was written down when the run began; otherwise it is the last one
    /// before.
    pub exact: bool,
    /// The files, by path.
    pub changed: Vec<Change>,
    /// What git is told to speak of exactly these, as it is typed; empty where it does so anyway.
    pub scope: String,
    /// The same where it is told of new files, too.
    pub new_scope: String,
}

/// One file that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path below the root, as text.
    pub path: String,
    /// How many lines came; nothing where it has no lines or nobody counted.
    pub added: Option<u64>,
    /// How many lines went.
    pub removed: Option<u64>,
    /// Whether git does not know it yet: then no `git diff` shows it.
    pub untracked: bool,
}

impl Files {
    /// Returns the tests among them.
    pub fn tests(&self) -> impl Iterator<Item = &Change> {
        self.changed.iter().filter(|change| is_test(&change.path))
    }

    /// Returns how many of them git does not know yet.
    pub fn untracked(&self) -> usize {
        self.changed.iter().filter(|change| change.untracked).count()
    }

    /// Returns how many lines came and went in all.
    pub fn lines(&self) -> (u64, u64) {
        let sum = |of: fn(&Change) -> Option<u64>| {
            self.changed.iter().filter_map(of).fold(0, u64::saturating_add)
        };
        (sum(|change| change.added), sum(|change| change.removed))
    }

    /// Returns the command that shows the difference in what git knows; `branch` has the work where
    /// the files that are checked out do not.
    pub(super) fn command(&self, branch: Option<&Branch>) -> String {
        let since = &self.since;
        let at = branch.map(|branch| (&branch.name, &branch.at));
        let from = match (&self.until, at) {
            (Some(until), _) => format!("{since} {until}"),
            (None, None | Some((_, At::Empty | At::Here))) => since.clone(),
            (None, Some((name, At::Open(_)))) => format!("{since}...{name}"),
            (
                None,
                Some((_, At::Merged(commit) | At::Past { commit, .. } | At::Gone { commit, .. })),
            ) => format!("{since} {}", short(commit)),
        };
        match self.scope.as_str() {
            "" => format!("git diff {from}"),
            scope => format!("git diff {from} -- {scope}"),
        }
    }

    /// Returns the command that shows the difference in all files, also in those that git does not
    /// know yet: with an index of its own, so that nobody's is changed.
    pub(super) fn whole(&self) -> String {
        let Self { since, new_scope: scope, .. } = self;
        let scope = if scope.is_empty() { ":/" } else { scope };
        format!(
            "(export GIT_INDEX_FILE=$(mktemp -u); git read-tree {since}; set -- {scope}; \
             git add -N -- \"$@\"; git diff -- \"$@\")"
        )
    }
}

/// Returns as much of a commit's name as people need.
pub fn short(commit: &str) -> String {
    commit.chars().take(12).collect()
}
