/// What a verification report says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Its headline.
    pub status: Status,
    /// The gaps it names, in order.
    pub gaps: Vec<Gap>,
    /// What a person must look at.
    pub human: Vec<String>,
}

/// The headline of a verification report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Everything holds.
    Passed,
    /// Something is missing.
    GapsFound,
    /// A person must look.
    HumanNeeded,
    /// Anything else, and the template nobody filled in.
    #[default]
    Invalid,
}

/// What a verification report amounts to: evidence beats the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effective {
    /// Everything is claimed to hold.
    Passed,
    /// There are gaps to close.
    GapsFound,
    /// Gaps are said to be there, and none can be read.
    UnparseableGaps,
    /// A person must look.
    HumanNeeded,
    /// It says nothing.
    Invalid,
}

/// What the loop does after a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopAction {
    /// It is over, well.
    Clear,
    /// It closes the gaps.
    Fix,
    /// It waits for a person, or for one more report.
    Pause,
}

/// Something that a verification found missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// Its `type`, as it is written; may be empty or one we do not know.
    pub kind: String,
    /// The file it is about.
    pub file: Option<String>,
    /// Where a broken link begins.
    pub from: Option<String>,
    /// Where a broken link leads.
    pub to: Option<String>,
    /// The stage of CI that failed.
    pub check: Option<String>,
    /// The story it is about.
    pub story: Option<String>,
    /// What is missing, entities decoded.
    pub text: String,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Passed, Self::GapsFound, Self::HumanNeeded, Self::Invalid];

    /// Returns the word used in the report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::GapsFound => "gaps_found",
            Self::HumanNeeded => "human_needed",
            Self::Invalid => "invalid",
        }
    }
}

impl Effective {
    /// Returns the word used in the history.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::GapsFound => "gaps_found",
            Self::UnparseableGaps => "unparseable_gaps",
            Self::HumanNeeded => "human_needed",
            Self::Invalid => "invalid",
        }
    }

    /// Returns what the loop does now.
    pub const fn action(self) -> LoopAction {
        match self {
            Self::Passed => LoopAction::Clear,
            Self::GapsFound => LoopAction::Fix,
            Self::UnparseableGaps | Self::HumanNeeded | Self::Invalid => LoopAction::Pause,
        }
    }
}

impl Verification {
    /// Returns what it amounts to.
    pub const fn effective(&self) -> Effective {
        match (self.status, self.gaps.is_empty()) {
            (Status::Invalid, _) => Effective::Invalid,
            (Status::Passed | Status::GapsFound | Status::HumanNeeded, false) => {
                Effective::GapsFound
            }
            (Status::Passed, true) => Effective::Passed,
            (Status::GapsFound, true) => Effective::UnparseableGaps,
            (Status::HumanNeeded, true) => Effective::HumanNeeded,
        }
    }
}

impl Gap {
    /// Returns what it is about: the file, `from->to`, the stage or the story.
    pub fn target(&self) -> String {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) if self.file.is_none() => format!("{from}->{to}"),
            (Some(_) | None, Some(_) | None) => {
                let named = [&self.file, &self.check, &self.story, &self.from, &self.to];
                named.into_iter().flatten().next().cloned().unwrap_or_default()
            }
        }
    }

    /// Returns the form in which histories name it: `stub:src/a.rs`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.kind, self.target())
    }

    /// Returns how it is closed, in the original's words where it has any.
    pub fn strategy(&self) -> &'static str {
        match self.kind.as_str() {
            "orphan" => "Add import + usage to parent",
            "broken_link" => "Fix path/typo in reference",
            "stub" => "Implement real functionality",
            "missing_export" => "Add export statement",
            "wrong_import" => "Correct import path",
            "ci_failure" => "Apply specific fix for error",
            _ => "Close this gap",
        }
    }

    /// Returns the file that closing it changes, as far as it is known: a link is mended where it
    /// begins.
    pub fn touches(&self) -> Option<&str> {
        self.file.as_deref().or(self.from.as_deref())
    }
}
