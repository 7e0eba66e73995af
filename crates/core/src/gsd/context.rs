/// The content of a milestone's context or its draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MilestoneContext {
    /// The first heading, without the milestone's id.
    pub title: Option<String>,
    /// The milestones that must be complete before this one.
    pub depends_on: Vec<String>,
    /// Whether it has content.
    pub fill: Fill,
}

/// Whether a document has content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// No bytes.
    #[default]
    Empty,
    /// Only blanks.
    Blank,
    /// Text.
    Written,
}

impl Fill {
    pub fn of(text: &str) -> Self {
        if text.is_empty() {
            Self::Empty
        } else if text.trim().is_empty() {
            Self::Blank
        } else {
            Self::Written
        }
    }
}

/// The content of a milestone's summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    /// The first heading, verbatim.
    pub title: String,
    /// Whether it ends the milestone: every summary does, except that of a failure.
    pub terminal: bool,
}
