use super::{BranchState, WorkBranch};
use crate::is_test;

/// The files that changed since a run began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The commit they are compared with.
    pub since: String,
    /// The compared commit, if it is neither the current files nor the end of the branch.
    pub until: Option<String>,
    /// Whether that commit was recorded at the start of the run; otherwise it is the last one
    /// before.
    pub exact: bool,
    /// The changed files, by path.
    pub changed: Vec<ChangedFile>,
    /// The path arguments that limit git to exactly these files; empty if git does so anyway.
    pub scope: String,
    /// The path arguments for new files, too.
    pub new_scope: String,
}

/// A changed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path below the root.
    pub path: String,
    /// The number of added lines; `None` if it has no lines or they were not counted.
    pub added: Option<u64>,
    /// The number of removed lines.
    pub removed: Option<u64>,
    /// Whether git does not track it yet, so that no `git diff` shows it.
    pub untracked: bool,
}

impl Files {
    /// Returns the tests among the changed files.
    pub fn tests(&self) -> impl Iterator<Item = &ChangedFile> {
        self.changed.iter().filter(|change| is_test(&change.path))
    }

    /// Returns how many of the files git does not track yet.
    pub fn untracked(&self) -> usize {
        self.changed.iter().filter(|change| change.untracked).count()
    }

    /// Returns the total numbers of added and removed lines.
    pub fn lines(&self) -> (u64, u64) {
        let sum = |of: fn(&ChangedFile) -> Option<u64>| {
            self.changed.iter().filter_map(of).fold(0, u64::saturating_add)
        };
        (sum(|change| change.added), sum(|change| change.removed))
    }

    /// Returns the command that shows the changes in tracked files; `branch` contains the work if
    /// the checkout does not.
    pub(super) fn command(&self, branch: Option<&WorkBranch>) -> String {
        let since = &self.since;
        let at = branch.map(|branch| (&branch.name, &branch.at));
        let from = match (&self.until, at) {
            (Some(until), _) => format!("{since} {until}"),
            (None, None | Some((_, BranchState::Empty | BranchState::Here))) => since.clone(),
            (None, Some((name, BranchState::Open(_)))) => format!("{since}...{name}"),
            (
                None,
                Some((
                    _,
                    BranchState::Merged(commit)
                    | BranchState::Past { commit, .. }
                    | BranchState::Gone { commit, .. },
                )),
            ) => format!("{since} {}", short(commit)),
        };
        match self.scope.as_str() {
            "" => format!("git diff {from}"),
            scope => format!("git diff {from} -- {scope}"),
        }
    }

    /// Returns the command that shows the changes in all files, including untracked ones; it uses a
    /// temporary index, so that the real one stays unchanged.
    pub(super) fn whole(&self) -> String {
        let Self { since, new_scope: scope, .. } = self;
        let scope = if scope.is_empty() { ":/" } else { scope };
        format!(
            "(export GIT_INDEX_FILE=$(mktemp -u); git read-tree {since}; set -- {scope}; \
             git add -N -- \"$@\"; git diff -- \"$@\")"
        )
    }
}

/// Shortens a commit's name for people.
pub fn short(commit: &str) -> String {
    commit.chars().take(12).collect()
}
