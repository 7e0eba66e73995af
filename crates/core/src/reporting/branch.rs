use super::files::short;

/// The branch in which the work of a run is brought together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// How it stands.
    pub at: At,
}

/// How such a branch stands, with the commit that its work ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// Nothing of the run is in it yet.
    Empty,
    /// What is checked out does not have all of it.
    Open(String),
    /// What is checked out has all of it.
    Merged(String),
    /// The same, and the project's own files are what is judged: they are those of the branch, or
    /// somebody went on with them.
    Here,
    /// Others' work came into it after that of the run.
    Past {
        /// What the work of the run ends with.
        commit: String,
        /// Whether what is checked out has all of that.
        merged: bool,
    },
    /// There is no such branch any more.
    Gone {
        /// Where it stood last.
        commit: String,
        /// Whether what is checked out has all of that.
        merged: bool,
    },
}

impl Branch {
    /// Returns the commit that its work ends with; nothing where there is no work yet, or no longer only
    /// there.
    pub const fn commit(&self) -> Option<&String> {
        match &self.at {
            At::Empty | At::Here => None,
            At::Open(commit)
            | At::Merged(commit)
            | At::Past { commit, .. }
            | At::Gone { commit, .. } => Some(commit),
        }
    }

    /// Returns that commit where what is checked out has all of it.
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

    /// Returns what git knows its files by.
    pub fn revision(&self) -> String {
        self.commit().cloned().unwrap_or_else(|| format!("refs/heads/{}", self.name))
    }

    /// Says whose files they are: a branch's, or those of a commit.
    pub fn whose(&self) -> String {
        match &self.at {
            At::Empty | At::Open(_) | At::Merged(_) | At::Here => format!("`{}`", self.name),
            At::Past { commit, .. } => format!("commit {} of `{}`", short(commit), self.name),
            At::Gone { commit, .. } => format!("commit {}", short(commit)),
        }
    }

    /// Says how it stands, in one sentence.
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
