use crate::{Fault, Place};

/// Something wrong, or worth knowing, in the files of a workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The place in it.
    pub place: Place,
    /// What it is; the original's words where it has some.
    pub text: String,
    /// What follows from it.
    pub weight: Weight,
}

/// What follows from a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The workflow is not used.
    Rejects,
    /// A further problem of a workflow that is not used.
    Also,
    /// The workflow is used, but not as its author thinks.
    Warns,
    /// Something is ignored.
    Notes,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}:{}: {}", self.file, self.place.line, self.place.col, self.text)
    }
}

/// The problems of one workflow while it is read.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) problems: Vec<Problem>,
}

impl Report {
    /// Adds a reason not to use the workflow.
    pub(super) fn reject(&mut self, file: &str, place: Place, text: String) {
        let weight = if self.is_rejected() { Weight::Also } else { Weight::Rejects };
        self.problems.push(Problem { file: file.to_owned(), place, text, weight });
    }

    /// Adds something that is ignored.
    pub(super) fn note(&mut self, file: &str, place: Place, text: String) {
        let weight = Weight::Notes;
        self.problems.push(Problem { file: file.to_owned(), place, text, weight });
    }

    pub(super) fn is_rejected(&self) -> bool {
        self.problems.iter().any(|problem| problem.weight == Weight::Rejects)
    }
}

/// The place of a problem with a whole file.
pub(super) const TOP: Place = Place { line: 1, col: 1 };

/// Returns what a fault says, without its place.
pub(super) fn said(fault: &Fault) -> String {
    fault.what.clone()
}
