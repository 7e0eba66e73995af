use crate::{Fault, FaultKind, Place};

/// A problem or a note in the files of a workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    /// The position in the file.
    pub place: Place,
    /// The line at that place, without its line end; `None` if the file cannot be read.
    pub line: Option<String>,
    /// The message, in the original's words if it has some.
    pub text: String,
    /// How to fix it.
    pub help: Option<String>,
    pub weight: Weight,
}

/// The consequence of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The workflow is not used.
    Rejects,
    /// A further problem of a workflow that is not used.
    Also,
    /// The workflow is used, but not as its author intended.
    Warns,
    /// A value of a wrong type is ignored.
    Ignores,
    /// An unknown key is ignored.
    Notes,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}:{}: {}", self.file, self.place.line, self.place.col, self.text)
    }
}

/// The position of a problem; computed only if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProblemPosition {
    file: String,
    place: Place,
    line: Option<String>,
}

impl ProblemPosition {
    /// The spot of byte `at` in a file.
    pub(crate) fn of(file: &str, text: &str, at: usize) -> Self {
        let place = Place::of(text, at);
        let line = text.split('\n').nth(place.line - 1).unwrap_or_default();
        let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
        Self { file: file.to_owned(), place, line: Some(line.to_owned()) }
    }

    /// The start of a file that cannot be read.
    pub(crate) fn top(file: &str) -> Self {
        Self { file: file.to_owned(), place: Place { line: 1, col: 1 }, line: None }
    }

    /// Makes a problem at this spot.
    pub(crate) fn problem(self, weight: Weight, text: String) -> Problem {
        let Self { file, place, line } = self;
        Problem { file, place, line, text, help: None, weight }
    }
}

/// The problems of one workflow while it is read.
#[derive(Debug, Default)]
pub(super) struct ProblemList {
    pub(super) problems: Vec<Problem>,
    rejected: bool,
}

impl ProblemList {
    /// Adds a reason to reject the workflow.
    pub(super) fn reject(&mut self, spot: ProblemPosition, text: String, help: Option<String>) {
        let weight = if self.rejected { Weight::Also } else { Weight::Rejects };
        self.rejected = true;
        self.problems.push(Problem { help, ..spot.problem(weight, text) });
    }

    /// Adds a value that is ignored.
    pub(super) fn ignore(&mut self, spot: ProblemPosition, text: String) {
        self.problems.push(spot.problem(Weight::Ignores, text));
    }

    /// Adds a fault from reading keys.
    pub(super) fn fault(&mut self, spot: ProblemPosition, fault: &Fault) {
        let (text, help) = (fault.what.clone(), fault.advice());
        match fault.kind {
            FaultKind::UnknownKey => {
                self.problems.push(Problem { help, ..spot.problem(Weight::Notes, text) });
            }
            FaultKind::Syntax
            | FaultKind::Limit
            | FaultKind::Type
            | FaultKind::Missing
            | FaultKind::Edit
            | FaultKind::Guard => self.reject(spot, text, help),
        }
    }

    pub(super) fn is_rejected(&self) -> bool {
        self.rejected
    }
}
