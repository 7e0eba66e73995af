//! The files whose state no commit has, and a memory of git's answers about them.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sprag_core::Hash;

/// How many answers are remembered.
const MOST: usize = 4;

/// The files whose state no commit has. Our files and those of hosts are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncommitted {
    /// Files that are in no commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loose: Vec<String>,
    /// Files that differ from the checked-out commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<String>,
}

/// An answer of git. It holds as long as the checked-out commit and the files are the same: only
/// staging and unstaging could change it, and that changes no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownUncommitted {
    pub commit: String,
    /// The hash of all files.
    pub tree: Hash,
    #[serde(flatten)]
    pub files: Uncommitted,
}

/// The last answers, so that git is asked once for the same files.
#[derive(Debug, Default)]
pub struct UncommittedAnswers(Mutex<VecDeque<KnownUncommitted>>);

impl UncommittedAnswers {
    /// Returns the answer about these files, if it is remembered.
    pub fn get(&self, commit: &str, tree: Hash) -> Option<KnownUncommitted> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|one| one.commit == commit && one.tree == tree).cloned()
    }

    pub fn keep(&self, answer: KnownUncommitted) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|one| (&one.commit, one.tree) != (&answer.commit, answer.tree));
        known.push_front(answer);
        known.truncate(MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(commit: &str, text: &str, edited: &str) -> KnownUncommitted {
        let files = Uncommitted { loose: Vec::new(), edited: vec![edited.to_owned()] };
        KnownUncommitted { commit: commit.to_owned(), tree: Hash::of(text), files }
    }

    #[test]
    fn an_answer_holds_for_its_commit_and_its_files_until_others_take_its_place() {
        let answers = UncommittedAnswers::default();
        answers.keep(answer("a", "1", "one.txt"));
        assert_eq!(answers.get("a", Hash::of("1")), Some(answer("a", "1", "one.txt")));
        assert_eq!(answers.get("b", Hash::of("1")), None);
        assert_eq!(answers.get("a", Hash::of("2")), None);
        answers.keep(answer("a", "1", "two.txt"));
        assert_eq!(answers.get("a", Hash::of("1")), Some(answer("a", "1", "two.txt")));
        for nth in 0..MOST {
            answers.keep(answer("a", &format!("later {nth}"), "three.txt"));
        }
        assert_eq!(answers.get("a", Hash::of("1")), None);
    }
}
