use super::files::short;

/// The branch into which a run's work is merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkBranch {
    pub name: String,
    pub at: BranchState,
}

/// The state of such a branch, with the commit at the end of its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BranchState {
    /// The branch has no work of the run yet.
    Empty,
    /// The checkout lacks a part of it.
    Open(String),
    /// The checkout contains all of it.
    Merged(String),
    /// The checkout contains all of it, and the project's own files are judged: they equal those of
    /// the branch, or work continued on them.
    Here,
    /// Others committed to it after the run's work.
    Past {
        /// The last commit of the run's work.
        commit: String,
        /// Whether the checkout contains all of that.
        merged: bool,
    },
    /// The branch no longer exists.
    Gone {
        /// Its last known commit.
        commit: String,
        /// Whether the checkout contains all of that.
        merged: bool,
    },
}

impl WorkBranch {
    /// Returns the last commit of its work; `None` without work, or if the project's own files are
    /// judged.
    pub const fn commit(&self) -> Option<&String> {
        match &self.at {
            BranchState::Empty | BranchState::Here => None,
            BranchState::Open(commit)
            | BranchState::Merged(commit)
            | BranchState::Past { commit, .. }
            | BranchState::Gone { commit, .. } => Some(commit),
        }
    }

    /// Returns that commit if the checkout contains all of it.
    pub const fn merged(&self) -> Option<&String> {
        match &self.at {
            BranchState::Merged(commit)
            | BranchState::Past { commit, merged: true }
            | BranchState::Gone { commit, merged: true } => Some(commit),
            BranchState::Empty
            | BranchState::Open(_)
            | BranchState::Here
            | BranchState::Past { merged: false, .. }
            | BranchState::Gone { merged: false, .. } => None,
        }
    }

    /// Returns the git revision of its files.
    pub fn revision(&self) -> String {
        self.commit().cloned().unwrap_or_else(|| format!("refs/heads/{}", self.name))
    }

    /// Names the owner of its files: the branch or a commit.
    pub fn whose(&self) -> String {
        match &self.at {
            BranchState::Empty
            | BranchState::Open(_)
            | BranchState::Merged(_)
            | BranchState::Here => format!("`{}`", self.name),
            BranchState::Past { commit, .. } => {
                format!("commit {} of `{}`", short(commit), self.name)
            }
            BranchState::Gone { commit, .. } => format!("commit {}", short(commit)),
        }
    }

    pub fn sentence(&self) -> String {
        let Self { name, at } = self;
        match at {
            BranchState::Empty => format!("nothing of it is merged into `{name}` yet"),
            BranchState::Open(_) => {
                format!("`{name}` is not in the history of what is checked out")
            }
            BranchState::Merged(_) | BranchState::Here => {
                format!("`{name}` is merged into what is checked out")
            }
            BranchState::Past { merged, .. } => {
                let not = if *merged { "" } else { "not " };
                format!("{} is {not}in what is checked out", self.whose())
            }
            BranchState::Gone { commit, merged } => {
                let not = if *merged { "" } else { "not " };
                let commit = short(commit);
                format!("`{name}` is gone; its commit {commit} is {not}in what is checked out")
            }
        }
    }
}
