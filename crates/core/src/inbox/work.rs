/// The state of a unit of work, as in its own document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkState {
    /// It can be assigned.
    Open,
    /// It is assigned and not yet begun.
    Hooked,
    /// An agent works on it, or reports it done.
    InProgress,
    Done,
    /// It is done and merged.
    Merged,
    /// A state from another system; such a unit cannot be assigned.
    Other(String),
}

impl WorkState {
    /// Returns the word in the files.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Open => "open",
            Self::Hooked => "hooked",
            Self::InProgress => "in_progress",
            Self::Done => "done",
            Self::Merged => "merged",
            Self::Other(text) => text,
        }
    }

    /// Parses the word used in the files.
    pub fn parse(text: &str) -> Self {
        let known = [Self::Open, Self::Hooked, Self::InProgress, Self::Done, Self::Merged];
        known
            .into_iter()
            .find(|work| work.as_str() == text)
            .unwrap_or_else(|| Self::Other(text.to_owned()))
    }

    /// Returns whether dependent units may begin.
    pub fn is_done(&self) -> bool {
        match self {
            Self::Done | Self::Merged => true,
            // The words of beads; a tombstone marks removed work that will never be done.
            Self::Other(text) => ["closed", "tombstone"].contains(&text.as_str()),
            Self::Open | Self::Hooked | Self::InProgress => false,
        }
    }
}

impl std::fmt::Display for WorkState {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(out)
    }
}
