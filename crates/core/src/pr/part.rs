use super::Turn;

/// Who works in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Reviews the change.
    Reviewer,
    /// Answers a review.
    Developer,
    /// Watches the checks.
    CiChecker,
    /// Mends what fails.
    CiFixer,
}

impl Part {
    /// Everybody.
    pub const ALL: [Self; 4] = [Self::Reviewer, Self::Developer, Self::CiChecker, Self::CiFixer];

    /// Returns the key used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reviewer => "reviewer",
            Self::Developer => "developer",
            Self::CiChecker => "ciChecker",
            Self::CiFixer => "ciFixer",
        }
    }

    /// Returns the option of `sprag pr` that names somebody for it.
    pub const fn flag(self) -> &'static str {
        match self {
            Self::Reviewer => "--reviewer",
            Self::Developer => "--developer",
            Self::CiChecker => "--ci-checker",
            Self::CiFixer => "--ci-fixer",
        }
    }

    /// Returns who works in a turn.
    pub const fn of(turn: Turn) -> Self {
        match turn {
            Turn::CiPending => Self::CiChecker,
            Turn::CiReview => Self::CiFixer,
            Turn::Review => Self::Reviewer,
            Turn::Response => Self::Developer,
        }
    }
}

/// What `prompts.yaml` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompts {
    /// For the reviewer.
    pub reviewer: Option<String>,
    /// For the developer.
    pub developer: Option<String>,
    /// For whoever watches the checks.
    pub ci_checker: Option<String>,
    /// For whoever mends them.
    pub ci_fixer: Option<String>,
    /// Whether the reviewer is told nothing of earlier rounds.
    pub no_handing_over: bool,
}

impl Prompts {
    /// Returns what is said to somebody.
    pub fn of(&self, part: Part) -> Option<&str> {
        match part {
            Part::Reviewer => self.reviewer.as_deref(),
            Part::Developer => self.developer.as_deref(),
            Part::CiChecker => self.ci_checker.as_deref(),
            Part::CiFixer => self.ci_fixer.as_deref(),
        }
    }

    /// Returns whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
