use super::{At, Branch};

/// Which files changed since a run began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// What it is compared with: a commit.
    pub since: String,
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
        let from = match branch.map(|branch| (&branch.name, &branch.at)) {
            None | Some((_, At::Empty | At::Here)) => since.clone(),
            Some((name, At::Open(_))) => format!("{since}...{name}"),
            Some((_, At::Merged(commit) | At::Past { commit, .. } | At::Gone { commit, .. })) => {
                format!("{since} {}", short(commit))
            }
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

/// Returns whether a path looks like a test: by a folder or by the name of the file.
pub fn is_test(path: &str) -> bool {
    const FOLDERS: [&str; 6] = ["test", "tests", "spec", "specs", "__tests__", "e2e"];
    let mut names: Vec<&str> = path.split('/').collect();
    let file = names.pop().unwrap_or_default().to_ascii_lowercase();
    let stem = file.split('.').next().unwrap_or_default();
    let in_folder = names.iter().any(|name| FOLDERS.contains(&name.to_ascii_lowercase().as_str()));
    let words: Vec<&str> = stem.split(['_', '-']).collect();
    let ends = |word: &&str| matches!(*word, "test" | "tests" | "spec");
    let by_word = words.first().is_some_and(ends) || words.last().is_some_and(ends);
    let by_part = file.split('.').any(|part| matches!(part, "test" | "spec"));
    let by_class = path.rsplit('/').next().is_some_and(|name| {
        let stem = name.split('.').next().unwrap_or_default();
        stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("Spec")
    });
    in_folder || by_word || by_part || by_class
}
