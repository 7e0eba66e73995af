/// What the context of a milestone says, or its draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The first heading, without the milestone's id.
    pub title: Option<String>,
    /// The milestones that must be complete before this one.
    pub depends_on: Vec<String>,
    /// Whether anything is written in it.
    pub fill: Fill,
}

/// Whether anything is written in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Nothing.
    #[default]
    Empty,
    /// Blanks only.
    Blank,
    /// Something.
    Written,
}

impl Fill {
    /// Returns how much is written in a text.
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

/// What the summary of a milestone says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    /// The first heading, as it stands.
    pub title: String,
    /// Whether it ends the milestone: everything but a failure does.
    pub terminal: bool,
}
