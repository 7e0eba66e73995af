//! Text that is missing from the files, and its current location.

use std::fmt;

/// The location of text that is not in the files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OtherLocation {
    /// Only in git's index.
    Index,
    /// In an entry of `git stash`.
    Stash,
    /// On a branch that is not checked out.
    Branch(String),
    /// In a commit that no branch has.
    Commit(String),
}

impl OtherLocation {
    /// Returns the place as one word for the journal.
    pub fn word(&self) -> String {
        match self {
            Self::Index => "index".to_owned(),
            Self::Stash => "stash".to_owned(),
            Self::Branch(name) => format!("branch:{name}"),
            Self::Commit(name) => format!("commit:{name}"),
        }
    }

    /// Parses such a word; `None` for an unknown one of another version.
    pub fn read(word: &str) -> Option<Self> {
        match word.split_once(':') {
            None if word == "index" => Some(Self::Index),
            None if word == "stash" => Some(Self::Stash),
            Some(("branch", name)) => Some(Self::Branch(name.to_owned())),
            Some(("commit", name)) => Some(Self::Commit(name.to_owned())),
            None | Some(_) => None,
        }
    }
}

impl fmt::Display for OtherLocation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index => out.write_str("only staged"),
            Self::Stash => out.write_str("in `git stash`"),
            Self::Branch(name) => write!(out, "on branch {name}"),
            Self::Commit(name) => write!(out, "in commit {name}, on no branch"),
        }
    }
}

/// A file that lacks text that it should have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingText {
    pub path: String,
    /// The location of the text, if known.
    pub place: Option<OtherLocation>,
}

impl fmt::Display for MissingText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.path)?;
        self.place.as_ref().map_or(Ok(()), |place| write!(out, " ({place})"))
    }
}

/// The text missing from the files after an agent's turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Files that lost a person's uncommitted edits.
    pub gone: Vec<MissingText>,
    /// Files that lost work which the agent did and left elsewhere.
    pub away: Vec<MissingText>,
    /// Files with uncommitted edits that changed and that are too large or too many to compare.
    pub unseen: Vec<String>,
}

impl Missing {
    pub const fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.away.is_empty() && self.unseen.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_back_and_a_strange_one_is_none() {
        let branch = OtherLocation::Branch("a:b/c".to_owned());
        for place in [
            OtherLocation::Index,
            OtherLocation::Stash,
            branch,
            OtherLocation::Commit("1234567".to_owned()),
        ] {
            assert_eq!(OtherLocation::read(&place.word()), Some(place));
        }
        for word in ["", "stash:", "remote:x", "moon"] {
            assert_eq!(OtherLocation::read(word), None, "{word:?}");
        }
    }

    #[test]
    fn a_file_is_named_with_the_place_of_its_text() {
        let text = |place| MissingText { path: "a.txt".to_owned(), place }.to_string();
        assert_eq!(text(None), "a.txt");
        assert_eq!(text(Some(OtherLocation::Stash)), "a.txt (in `git stash`)");
        assert_eq!(text(Some(OtherLocation::Branch("old".to_owned()))), "a.txt (on branch old)");
    }
}
