/// The turn in the review of a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewTurn {
    /// Checks are still running.
    CiPending,
    /// A check failed.
    CiReview,
    /// The reviewer's turn.
    Review,
    /// The developer's turn.
    Response,
}

impl ReviewTurn {
    pub const ALL: [Self; 4] = [Self::CiPending, Self::CiReview, Self::Review, Self::Response];
    /// The older word for [`ReviewTurn::Response`].
    pub const AUTHOR: &'static str = "AUTHOR";

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CiPending => "CI-PENDING",
            Self::CiReview => "CI-REVIEW",
            Self::Review => "REVIEW",
            Self::Response => "RESPONSE",
        }
    }

    /// Parses a word used in files, in either spelling.
    pub fn parse(text: &str) -> Option<Self> {
        if text == Self::AUTHOR {
            return Some(Self::Response);
        }
        Self::ALL.into_iter().find(|turn| turn.as_str() == text)
    }

    /// Returns the word for a file that contained `before`: its spelling is kept.
    pub fn spelled(self, before: Option<&str>) -> &'static str {
        match (self, before) {
            (Self::Response, Some(Self::AUTHOR)) => Self::AUTHOR,
            (Self::CiPending | Self::CiReview | Self::Review | Self::Response, _) => self.as_str(),
        }
    }
}

impl std::fmt::Display for ReviewTurn {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.as_str())
    }
}
