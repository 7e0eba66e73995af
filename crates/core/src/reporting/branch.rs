use super::files::short;

/// The branch into which a run's work is merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub name: String,
    pub at: At,
}

/// The state of such a branch, with the commit at the end of its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
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

impl Branch {
    /// Returns the last commit of its work; `None` without work, or if the project's own files are
    /// judged.
    pub const fn commit(&self) -> Option<&String> {
        match &self.at {
            At::Empty | At::Here => None,
            At::Open(commit)
            | At::Merged(commit)
            | At::Past { commit, .. }
            | At::Gone { commit, .. } => Some(commit),
        }
    }

    /// Returns that commit if the checkout contains all of it.
    pub const fn merged(&self) -> Option<&String> {
        match &self.at {
            At::Merged(commit)
            | At::Past { commit, merged: true }
            | At::Gone { commit, merged: true } => Some(commit),
            At::Empty
            | At::Open(_)
            | At::Here
            | At::Past { merged: false, .. }
            | At::Gone { merged: false, .. } => None,
        }
    }

    /// Returns the git revision of its files.
    pub fn revision(&self) -> String {
        self.commit().cloned().unwrap_or_else(|| format!("refs/heads/{}", self.name))
    }

    /// Names the owner of its files: the branch or a commit.
    pub fn whose(&self) -> String {
        match &self.at {
            At::Empty | At::Open(_) | At::Merged(_) | At::Here => format!("`{}`", self.name),
            At::Past { commit, .. } => format!("commit {} of `{}`", short(commit), self.name),
            At::Gone { commit, .. } => format!("commit {}", short(commit)),
        }
    }

    pub fn sentence(&self) -> String {
        let Self { name, at } = self;
        match at {
            At::Empty => format!("nothing of it is merged into `{name}` yet"),
            At::Open(_) => format!("`{name}` is not in the history of what is checked out"),
            At::Merged(_) | At::Here => format!("`{name}` is merged into what is checked out"),
            At::Past { merged, .. } => {
                let not = if *merged { "" } else { "not " };
                format!("{} is {not}in what is checked out", self.whose())
            }
            At::Gone { commit, merged } => {
                let not = if *merged { "" } else { "not " };
                let commit = short(commit);
                format!("`{name}` is gone; its commit {commit} is {not}in what is checked out")
            }
        }
    }
}
