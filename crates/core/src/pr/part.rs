use super::ReviewTurn;

/// The role that works in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TurnRole {
    /// Reviews the change.
    Reviewer,
    /// Answers a review.
    Developer,
    /// Watches the checks.
    CiChecker,
    /// Fixes failed checks.
    CiFixer,
}

impl TurnRole {
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

    /// Returns the option of `sprag pr` that sets its agent.
    pub const fn flag(self) -> &'static str {
        match self {
            Self::Reviewer => "--reviewer",
            Self::Developer => "--developer",
            Self::CiChecker => "--ci-checker",
            Self::CiFixer => "--ci-fixer",
        }
    }

    /// Returns the part that works in a turn.
    pub const fn of(turn: ReviewTurn) -> Self {
        match turn {
            ReviewTurn::CiPending => Self::CiChecker,
            ReviewTurn::CiReview => Self::CiFixer,
            ReviewTurn::Review => Self::Reviewer,
            ReviewTurn::Response => Self::Developer,
        }
    }
}

/// The content of `prompts.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompts {
    pub reviewer: Option<String>,
    pub developer: Option<String>,
    pub ci_checker: Option<String>,
    pub ci_fixer: Option<String>,
    /// Whether the reviewer gets no information about earlier rounds.
    pub no_handing_over: bool,
}

impl Prompts {
    /// Returns the additional prompt for a part.
    pub fn of(&self, part: TurnRole) -> Option<&str> {
        match part {
            TurnRole::Reviewer => self.reviewer.as_deref(),
            TurnRole::Developer => self.developer.as_deref(),
            TurnRole::CiChecker => self.ci_checker.as_deref(),
            TurnRole::CiFixer => self.ci_fixer.as_deref(),
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
