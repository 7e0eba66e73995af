/// The content of a verification report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    pub status: VerificationStatus,
    /// The gaps in the order of the report.
    pub gaps: Vec<Gap>,
    /// The points that a person must check.
    pub human: Vec<String>,
}

/// The headline of a verification report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerificationStatus {
    Passed,
    GapsFound,
    /// A person must check something.
    HumanNeeded,
    /// Any other text, or an unfilled template.
    #[default]
    Invalid,
}

/// The effective result of a verification report: evidence outranks the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effective {
    /// Everything is claimed to hold.
    Passed,
    /// There are gaps to close.
    GapsFound,
    /// The report claims gaps, but none can be parsed.
    UnparseableGaps,
    /// A person must check something.
    HumanNeeded,
    /// The report has no valid status.
    Invalid,
}

/// The loop's reaction to a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopAction {
    /// End the loop successfully.
    Clear,
    /// Close the gaps.
    Fix,
    /// Wait for a person or for another report.
    Pause,
}

/// A defect found by a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// Its `type`, verbatim; may be empty or unknown.
    pub kind: String,
    /// The affected file.
    pub file: Option<String>,
    /// The source of a broken link.
    pub from: Option<String>,
    /// The target of a broken link.
    pub to: Option<String>,
    /// The failed CI stage.
    pub check: Option<String>,
    /// The affected story.
    pub story: Option<String>,
    /// The description, with entities decoded.
    pub text: String,
}

impl VerificationStatus {
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

    pub const fn action(self) -> LoopAction {
        match self {
            Self::Passed => LoopAction::Clear,
            Self::GapsFound => LoopAction::Fix,
            Self::UnparseableGaps | Self::HumanNeeded | Self::Invalid => LoopAction::Pause,
        }
    }
}

impl Verification {
    pub const fn effective(&self) -> Effective {
        match (self.status, self.gaps.is_empty()) {
            (VerificationStatus::Invalid, _) => Effective::Invalid,
            (
                VerificationStatus::Passed
                | VerificationStatus::GapsFound
                | VerificationStatus::HumanNeeded,
                false,
            ) => Effective::GapsFound,
            (VerificationStatus::Passed, true) => Effective::Passed,
            (VerificationStatus::GapsFound, true) => Effective::UnparseableGaps,
            (VerificationStatus::HumanNeeded, true) => Effective::HumanNeeded,
        }
    }
}

impl Gap {
    /// Returns the subject of the gap: the file, `from->to`, the stage or the story.
    pub fn target(&self) -> String {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) if self.file.is_none() => format!("{from}->{to}"),
            (Some(_) | None, Some(_) | None) => {
                let named = [&self.file, &self.check, &self.story, &self.from, &self.to];
                named.into_iter().flatten().next().cloned().unwrap_or_default()
            }
        }
    }

    /// Returns the name used in histories: `stub:src/a.rs`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.kind, self.target())
    }

    /// Returns how to close the gap, in the original's words where it has any.
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

    /// Returns the file to change for closing the gap, if known: a link is fixed at its source.
    pub fn touches(&self) -> Option<&str> {
        self.file.as_deref().or(self.from.as_deref())
    }
}
